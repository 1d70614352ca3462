"""The types of question an author can write, and what each adds.

Each reader turns the keys of its type into options. A new type is one more
reader and one more line in QUESTION_TYPES.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from deniable_sdk.errors import quote
from deniable_sdk.survey.questions import (
    MAX_OPTIONS,
    OPTION_ID_RULE,
    Option,
    check_option_ids,
    is_option_id,
)
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text, read_optional_text, read_text

MAX_LEVELS = 101


class QuestionType(NamedTuple):
    """The keys a type adds to a question, and how they become options."""

    keys: tuple[str, ...]
    read_options: Callable[[Section], tuple[Option, ...]]


def _read_yes_no(section: Section) -> tuple[Option, ...]:
    labels = _read_labels(section, ("yes", "no"))
    return tuple(Option(option_id, labels.get(option_id)) for option_id in ("yes", "no"))


def _read_choice(section: Section) -> tuple[Option, ...]:
    options = tuple(
        _read_option(section, member, index)
        for index, member in enumerate(section.members("options", 2, MAX_OPTIONS, "options"))
    )
    check_option_ids(section, [option.id for option in options], "options")
    return options


def _read_scale(section: Section) -> tuple[Option, ...]:
    lowest = section.integer("lowest", -100, 100, default=1)
    levels = section.integer("levels", 2, MAX_LEVELS)
    ids = tuple(str(lowest + step) for step in range(levels))
    labels = _read_labels(section, ids)
    return tuple(Option(option_id, labels.get(option_id)) for option_id in ids)


QUESTION_TYPES: Mapping[str, QuestionType] = {
    "yes_no": QuestionType(("labels",), _read_yes_no),
    "choice": QuestionType(("options",), _read_choice),
    "scale": QuestionType(("levels", "lowest", "labels"), _read_scale),
}


def _read_option(section: Section, member: object, index: int) -> Option:
    if isinstance(member, Mapping):
        inner = Section(member, section.at("options", index), section.problems)
        inner.refuse_unknown(("id", "text"))
        option_id = inner.require("id", OPTION_ID_RULE)
        if is_option_id(option_id):
            return Option(str(option_id), read_optional_text(inner, "text"))
        if "id" in inner:
            inner.refuse(_bad_option(option_id), "id")
        return Option("")
    if is_option_id(member):
        return Option(str(member))
    section.refuse(_bad_option(member), "options", index)
    return Option("")


def _bad_option(value: object) -> str:
    hint = ""
    if isinstance(value, bool | int | float):
        hint = "; write it in quotes (a bare number, true or null is not read as a text)"
    return f"got {quote(value)}; allowed is {OPTION_ID_RULE}{hint}"


def _read_labels(section: Section, ids: tuple[str, ...]) -> dict[str, Text]:
    if "labels" not in section:
        return {}
    inner = Section(section.values["labels"], section.at("labels"), section.problems)
    # YAML reads a bare yes or no as true or false, and a bare 1 as a number.
    inner.values = {_label_id(key): text for key, text in inner.values.items()}
    inner.refuse_unknown(ids)
    return {option_id: read_text(inner, option_id) for option_id in ids if option_id in inner}


def _label_id(key: object) -> object:
    if isinstance(key, bool):
        return "yes" if key else "no"
    return str(key) if isinstance(key, int) else key
