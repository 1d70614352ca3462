"""The keys that authors write for each type of question, and their readers.

A type is one reader here: it turns the author's keys into the question that a
published survey carries.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from deniable_sdk.survey.authored.closed import read_choice, read_scale, read_yes_no
from deniable_sdk.survey.authored.multiple import read_multiple
from deniable_sdk.survey.authored.number import read_number
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.reading import Section


class AuthoredType(NamedTuple):
    """The keys that a type adds to a question, and its reader."""

    keys: tuple[str, ...]
    read: Callable[[Section, dict[str, Any]], Question]


AUTHORED_TYPES: Mapping[str, AuthoredType] = {
    "yes_no": AuthoredType(("labels",), read_yes_no),
    "choice": AuthoredType(("options",), read_choice),
    "scale": AuthoredType(("levels", "lowest", "labels", "target"), read_scale),
    "multiple": AuthoredType(("options", "at_most"), read_multiple),
    "number": AuthoredType(("min", "max", "step", "unit", "target"), read_number),
}

__all__ = ["AUTHORED_TYPES", "AuthoredType"]
