"""Every error this package raises, as one tree.

DeniableError
├── InvalidDefinition    what the author wrote cannot become a survey
├── InvalidSurvey        a published document is not a legal survey
│   ├── DigestMismatch       it is not the document that was asked for
│   └── BudgetExceeded       it spends more than it claims, or than allowed
├── InvalidAnswer        an answer does not fit its question
├── InvalidGroup         a link or an app gives a group that the survey does not have
├── InvalidReport        a report is not a legal report of its survey
└── RandomnessUnavailable    the source of random bytes failed, or is not random

A message says what was got, what is allowed and what to do. No message holds
an answer or a value taken from a report: a broken client may have put a true
answer where a randomized one belongs, so only its kind is named.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from deniable_sdk.records import Record

_NAMED = 5
# All that moves a terminal's cursor, changes its colours or turns its writing round: the
# controls of ASCII but tab and line feed, those of Latin-1, and the marks for directions.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class DeniableError(Exception):
    """Root of all errors of deniable."""


class Code(StrEnum):
    """What kind of problem a definition has: stable, so that pages translate by it."""

    NOT_ALLOWED = "not_allowed"
    MISSING = "missing"
    EMPTY = "empty"
    UNKNOWN_KEY = "unknown_key"
    OTHER_TYPE = "other_type"
    WRONG_COUNT = "wrong_count"
    REPEATED = "repeated"
    RESERVED = "reserved"
    UNKNOWN_NAME = "unknown_name"
    NO_TEXT = "no_text"
    UNTRANSLATED = "untranslated"
    PLACEHOLDER = "placeholder"
    CLOSES_TOO_EARLY = "closes_too_early"
    COLLECTS_TOO_LATE = "collects_too_late"
    PAST = "past"
    SEALED = "sealed"
    GROUP_NAME = "group_name"
    GROUP_COUNT = "group_count"
    GROUPS_LOOK_ALIKE = "groups_look_alike"
    SMALL_GROUPS = "small_groups"
    GROUPS_SHARE_A_KEY = "groups_share_a_key"
    GROUPS_WITHOUT_SITE = "groups_without_site"
    TWO_KINDS_OF_GROUPS = "two_kinds_of_groups"
    JOINED_ALREADY = "joined_already"
    NOT_JOINABLE = "not_joinable"
    NOT_OF_ITS_OWN = "not_of_its_own"
    TOO_MANY_CELLS = "too_many_cells"
    SOME_FIXED = "some_fixed"
    FIXED_BY_ANSWERS = "fixed_by_answers"
    FIXED_OUTPUTS = "fixed_outputs"
    NOT_REPORTED = "not_reported"
    NEVER_USED = "never_used"
    LITTLE_EPSILON = "little_epsilon"
    YEARLY_CAP = "yearly_cap"
    IMAGES_TOO_LARGE = "images_too_large"
    IMAGE_DAMAGED = "image_damaged"
    TOO_LIGHT = "too_light"
    FORM_TOO_LARGE = "form_too_large"
    RANGE = "range"
    LINKS_TELL = "links_tell"
    REQUIRED_SCORE = "required_score"
    CUTOFFS = "cutoffs"
    OPERATION = "operation"
    TABLE = "table"
    POINTS = "points"


# What a text about a problem is filled with.
Fact = str | int


class DefinitionProblem(Record):
    """One thing wrong with a definition, and where.

    Args:
        path: leads from the top of the document to the place, as keys and
            0-based indexes: ("questions", 2, "options").
        message: in English, for people.
        code: what kind of problem it is, for programs.
        facts: by name, for texts in other languages.
    """

    path: tuple[str | int, ...]
    message: str
    code: Code = Code.NOT_ALLOWED
    facts: Mapping[str, Fact] = MappingProxyType({})

    def __str__(self) -> str:
        return f"{format_path(self.path)}: {self.message}"


class InvalidDefinition(DeniableError, ValueError):
    """A definition cannot be compiled; `problems` lists every reason."""

    def __init__(self, problems: Sequence[DefinitionProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class InvalidSurvey(DeniableError, ValueError):
    """A document is not a legal published survey."""


class DigestMismatch(InvalidSurvey):
    """A published survey is not the one its digest names."""


class BudgetExceeded(InvalidSurvey):
    """A survey spends more privacy than it claims, or than the caller allows."""


class InvalidAnswer(DeniableError, ValueError):
    """An answer does not fit its question; the message never repeats it."""


class InvalidGroup(DeniableError, ValueError):
    """A survey has no such group; the message lists those that it has."""


class InvalidReport(DeniableError, ValueError):
    """A report is not a legal report of its survey."""


class RandomnessUnavailable(DeniableError, RuntimeError):
    """The source returned too few random bytes, or bytes that are not random."""


def format_path(path: Sequence[str | int]) -> str:
    """A path as a reader writes it: questions[2].options."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text or "the whole document"


def few(names: Sequence[str]) -> str:
    """The first few of many names, so that no message grows with a survey."""
    return ", ".join([*names[:_NAMED], *["..."] * (len(names) > _NAMED)])


def printable(text: str) -> str:
    """An author's text, safe to print: control characters as JSON escapes them.

    Tabs and line feeds stay, and so do the letters of all scripts.
    """
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def on_one_line(text: str) -> str:
    """A text of others on one line, safe to print."""
    return printable(" ".join(text.splitlines()))


def quote(value: object) -> str:
    """A value from an author or a document, short enough for a message.

    Never call it on an answer or on anything taken from a report.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 128:
        return "a huge number"
    if isinstance(value, dict | list | tuple | set):
        # A few lines of YAML can name a list of billions of members.
        from reprlib import Repr  # noqa: PLC0415 - only where a message is written

        short = Repr()
        short.maxlevel = 2
        text = short.repr(value)
    else:
        text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
