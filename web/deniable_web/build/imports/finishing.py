"""The last step of every import: a name, an epsilon, texts in the same languages."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from deniable_web.build.imports.imported import Account, Changed, UnreadableImport
from deniable_web.build.imports.names import slug

# What one respondent spends; other programs do not know it.
_EPSILON: Final = 1
_WHOLE_SURVEY: Final = ""
# Each text is completed in all of them.
_MOST_LANGUAGES: Final = 100


def finish(
    title: Any, questions: list[dict[str, Any]], account: Account, **texts: Any
) -> dict[str, Any]:
    """The definition, its texts completed.

    Args:
        title: a text, or a map from language to text.
        questions: as a definition has them.
        account: told what was put in.
        texts: an introduction and thanks, where there are any.
    Raises:
        UnreadableImport: the texts are in more languages than any survey has.
    """
    account.change(_WHOLE_SURVEY, Changed.EPSILON)
    found = {key: text for key, text in texts.items() if text}
    definition = {"title": title or "", "slug": "", **found, "epsilon": _EPSILON}
    definition["questions"] = questions
    spoken = list(dict.fromkeys(code for text in _texts(definition) for code in text))
    if len(spoken) > _MOST_LANGUAGES:
        raise UnreadableImport(
            f"the file has texts in {len(spoken):,} languages, allowed are {_MOST_LANGUAGES}; "
            "remove some"
        )
    if spoken:
        _complete(definition, spoken, account)
    definition["slug"] = slug(_first(definition["title"]))
    return definition


def _complete(definition: dict[str, Any], spoken: list[str], account: Account) -> None:
    """Give every text in every language, in the words of another where it has none."""
    for text in _texts(definition):
        missing = [code for code in spoken if not text.get(code)]
        for code in missing:
            text[code] = _first(text)
        if missing:
            account.change(_WHOLE_SURVEY, Changed.TEXTS)
    # A plain text stands for all languages, but somebody wrote it in one.
    if any(isinstance(question["text"], str) for question in definition["questions"]):
        account.change(_WHOLE_SURVEY, Changed.TEXTS)


def _texts(value: Any) -> Iterator[dict[str, str]]:
    """All maps from language to text: they are under these keys and nowhere else."""
    for key in ("title", "introduction", "thanks", "text", "unit"):
        text = value.get(key)
        if isinstance(text, dict):
            yield text
    yield from (label for label in value.get("labels", {}).values() if isinstance(label, dict))
    for inner in (*value.get("questions", ()), *value.get("options", ())):
        if isinstance(inner, dict):
            yield from _texts(inner)


def _first(text: str | Mapping[str, str]) -> str:
    if isinstance(text, str):
        return text
    return next(filter(None, text.values()), "")
