"""The last step of every import: a slug, an epsilon, and every text in the same languages."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from deniable_web.builder.imports.imported import Account, Changed
from deniable_web.builder.imports.languages import UNNAMED
from deniable_web.builder.imports.names import slug
from deniable_web.builder.imports.questions import Questions
from deniable_web.builder.imports.texts import Text, by_language

# The epsilon of an imported survey; other programs have none.
_EPSILON: Final = 1
_WHOLE_SURVEY: Final = ""
# The language of texts for which the file names none, beside texts in others.
_USUAL: Final = "en"
_TEXTS: Final = ("title", "introduction", "thanks", "text", "help", "note", "unit")


def finish(
    questions: Questions, title: Text, language: str | None, **texts: Text
) -> dict[str, Any]:
    """The definition, with every text in all of its languages.

    Args:
        questions: the questions of the file.
        title: the title of the survey.
        language: the tag of the texts for which the file names no language; None if unknown.
        texts: an introduction and thanks, if there are any.
    """
    questions.account.change(_WHOLE_SURVEY, Changed.EPSILON)
    questions.sections.list_unused()
    definition: dict[str, Any] = {
        "title": title,
        "slug": "",
        **{key: text for key, text in texts.items() if text},
        "epsilon": _EPSILON,
        "questions": questions.made,
    }
    _complete(definition, language, questions.account)
    definition["slug"] = slug(next(iter(by_language(definition["title"]).values())))
    return definition


def _complete(definition: dict[str, Any], language: str | None, account: Account) -> None:
    """Write every text in every language; a missing one is copied from another language."""
    places = [place for place in _places(definition) if _is_worded(place)]
    maps = [dict.fromkeys(by_language(holder[key])) for holder, key in places]
    tags = [tag for tag in dict.fromkeys(tag for tags in maps for tag in tags) if tag != UNNAMED]
    if not tags:
        return
    usual = _language_of_unnamed(maps, language or tags[0])
    if usual not in (language, tags[0]):
        account.change(_WHOLE_SURVEY, Changed.LANGUAGES, usual)
    if any(UNNAMED in tags for tags in maps):
        tags = list(dict.fromkeys([usual, *tags]))
    for holder, key in places:
        text = dict(by_language(holder[key]))
        unnamed = text.pop(UNNAMED, "")
        if unnamed and text.setdefault(usual, unnamed) != unnamed:
            account.change(_WHOLE_SURVEY, Changed.LANGUAGES, unnamed)
        missing = [tag for tag in tags if tag not in text]
        if missing:
            account.change(_WHOLE_SURVEY, Changed.TEXTS, *missing)
        whole = {tag: text.get(tag) or next(iter(text.values())) for tag in tags}
        holder[key] = {"id": holder[key], "text": whole} if isinstance(holder, list) else whole


def _language_of_unnamed(maps: Sequence[Collection[str]], language: str) -> str:
    """The tag of the texts without one: the usual one, where `language` stands beside them."""
    is_other = any(UNNAMED in tags and language in tags for tags in maps)
    return _USUAL if is_other else language


def _is_worded(place: tuple[Any, Any]) -> bool:
    """Whether the text at a place may differ between languages; a plain number does not."""
    holder, key = place
    return isinstance(holder[key], dict) or any(map(str.isalpha, holder[key]))


def _places(part: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """All places of texts: a map or a list, and the key or index of a text in it."""
    yield from ((part, key) for key in _TEXTS if part.get(key))
    labels = part.get("labels", {})
    yield from ((labels, key) for key in labels)
    options = part.get("options", [])
    yield from ((options, index) for index, each in enumerate(options) if isinstance(each, str))
    for inner in (part.get("section"), *options, *part.get("questions", ())):
        if isinstance(inner, dict):
            yield from _places(inner)
