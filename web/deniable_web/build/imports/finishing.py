"""The last step of every import: adds a slug, an epsilon, and missing translations of texts."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from deniable_web.build.imports.imported import Account, Changed, UnreadableImport
from deniable_web.build.imports.names import slug

# The epsilon of an imported survey; other programs have none.
_EPSILON: Final = 1
_WHOLE_SURVEY: Final = ""
# A limit, because each text is completed in all languages.
_MOST_LANGUAGES: Final = 100


def finish(
    title: Any, questions: list[dict[str, Any]], account: Account, **texts: Any
) -> dict[str, Any]:
    """The definition with its texts completed.

    Args:
        title: a text, or a map from language to text.
        questions: the questions, in the form of a definition.
        account: lists what was added.
        texts: an introduction and thanks, if there are any.
    Raises:
        UnreadableImport: the texts are in more languages than a survey may have.
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
    """Complete every text in every language; a missing text is copied from another language."""
    for text in _texts(definition):
        missing = [code for code in spoken if not text.get(code)]
        for code in missing:
            text[code] = _first(text)
        if missing:
            account.change(_WHOLE_SURVEY, Changed.TEXTS)
    # A plain text is used for all languages, but somebody wrote it in one of them.
    if any(isinstance(question["text"], str) for question in definition["questions"]):
        account.change(_WHOLE_SURVEY, Changed.TEXTS)


def _texts(value: Any) -> Iterator[dict[str, str]]:
    """All maps from language to text; they occur under these keys only."""
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
