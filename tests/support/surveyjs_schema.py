"""Surveys of SurveyJS with one key more than a plain survey, and what an import makes of it."""

import json
from pathlib import Path
from typing import Any, Final

from deniable_web.builder.imports.surveyjs import import_surveyjs

SCHEMA: Final[dict[str, Any]] = json.loads(
    Path(__file__).with_name("surveyjs_schema.json").read_text()
)
_CHOICES: Final = [{"value": "q"}, {"value": "p"}]
# What an element needs beside its type to become a question.
_NEEDED: Final[dict[str, dict[str, Any]]] = {
    "expression": {"expression": "{n} + {m}"},
    "html": {"html": "<b>Read this</b>"},
    "matrix": {"rows": _CHOICES, "columns": _CHOICES},
    "text": {"inputType": "number", "min": 0, "max": 9},
    **{
        kind: {"choices": _CHOICES}
        for kind in ("buttongroup", "checkbox", "imagepicker", "radiogroup", "tagbox")
    },
    "dropdown": {"choices": _CHOICES, "choicesMax": 9},
}
# The element that has parts of each class, and where they are in it.
_PARTS: Final = {
    "choiceitem": ("radiogroup", "choices"),
    "checkboxitem": ("checkbox", "choices"),
    "imageitemvalue": ("imagepicker", "choices"),
    "ratingitem": ("rating", "rateValues"),
    "matrixcolumn": ("matrix", "columns"),
}


def classes() -> list[str]:
    """The classes of the schema; "question" has the keys of all questions."""
    named = {name for fate in ("taken", "harmless", "listed") for name in SCHEMA[fate]}
    return sorted(named - {"question"})


def fates(name: str) -> dict[str, str]:
    """What becomes of each key of a class, as the schema says."""
    is_question = name in _NEEDED or name in ("boolean", "image", "rating", "slider")
    found: dict[str, str] = {}
    for holder in ("question", name) if is_question else (name,):
        for fate in ("taken", "harmless", "listed"):
            found |= dict.fromkeys(SCHEMA[fate].get(holder, "").split(), fate)
    return found


def fate(name: str, key: str) -> str:
    """What the import makes of a key: taken, listed, or without effect and so harmless."""
    plain, found = imported(name, {}), imported(name, {key: SCHEMA["values"][key]})
    if plain["definition"] != found["definition"]:
        return "taken"
    return "harmless" if plain == found else "listed"


def imported(name: str, keys: dict[str, Any]) -> dict[str, Any]:
    """The import of a survey with a part of a class, which has these keys."""
    return import_surveyjs(_survey(name, keys)).to_document()


def _survey(name: str, keys: dict[str, Any]) -> dict[str, Any]:
    """A survey with a part of a class, which has these keys."""
    if name == "survey":
        title = {"default": "T", "fr": "T"}
        return {**_with_elements(_element("radiogroup", {})), "title": title, **keys}
    if name == "calculatedvalue":
        value = {"name": "v", "expression": "{n} + {m}", **keys}
        return {**_with_elements(_element("radiogroup", {})), "calculatedValues": [value]}
    if name == "page":
        page = {"name": "part", "elements": [_element("radiogroup", {}, "asked")], **keys}
        return {"pages": [{"elements": _before()}, page]}
    if name == "panel":
        inner = [_element("radiogroup", {}, "asked")]
        return _with_elements({"type": "panel", "name": "part", "elements": inner, **keys})
    if name in _PARTS:
        kind, holder = _PARTS[name]
        parts = [{"value": "q", **keys}, {"value": "p"}]
        return _with_elements({**_element(kind, {}), holder: parts})
    return _with_elements(_element(name, keys))


def _element(kind: str, keys: dict[str, Any], name: str = "part") -> dict[str, Any]:
    return {"type": kind, "name": name, **_NEEDED.get(kind, {}), **keys}


def _before() -> list[dict[str, Any]]:
    """Questions that the others may refer to."""
    numbers = [
        {"type": "text", "inputType": "number", "name": name, "min": 0, "max": 9} for name in "nm"
    ]
    return [*numbers, {"type": "radiogroup", "name": "other", "choices": ["x", "y"]}]


def _with_elements(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"title": "T", "elements": [*_before(), *elements]}
