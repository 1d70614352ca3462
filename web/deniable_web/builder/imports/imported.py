"""The result of an import: a definition, and a list of all differences."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from deniable_sdk import DeniableError

# How many characters of a question's name an account shows.
_LONGEST_NAME: Final = 200
_Notes = dict[tuple[str, str], dict[str, None]]


class UnreadableImport(DeniableError):
    """A file contains no readable survey."""

    @classmethod
    def of_kind(cls, reason: str) -> "UnreadableImport":
        """The refusal of a file of another kind, with the kinds that can be read."""
        return cls(
            f"{reason}; can be read: a definition in YAML or JSON, a survey of SurveyJS in JSON, "
            "and an XLSForm in a workbook (.xlsx)"
        )


class LeftOut(StrEnum):
    """Why a question is not in the definition; programs may rely on these words."""

    FREE_TEXT = "free_text"
    FILE = "file"
    PLACE = "place"
    TIME = "time"
    HIDDEN = "hidden"
    READ_ONLY = "read_only"
    COMPUTED = "computed"
    FUNCTION = "function"
    NAMES = "names"
    NESTED = "nested"
    REFERS = "refers"
    DIVISOR = "divisor"
    NUMBERS = "numbers"
    TOO_LONG = "too_long"
    ORDER = "order"
    REPEATED = "repeated"
    NO_OPTIONS = "no_options"
    UNKNOWN = "unknown"


class Changed(StrEnum):
    """The kinds of differences; programs may rely on these words."""

    EPSILON = "epsilon"
    CONDITION = "condition"
    BOUNDS = "bounds"
    RENAMED = "renamed"
    OTHER = "other"
    COMMENT = "comment"
    PICTURES = "pictures"
    TEXTS = "texts"
    LANGUAGES = "languages"
    UNTITLED = "untitled"
    REFERENCE = "reference"
    SECTION = "section"
    RULES = "rules"
    SETTINGS = "settings"
    SPLIT = "split"
    NOTE = "note"
    SHORTENED = "shortened"
    SCORE = "score"
    UNREPORTED = "unreported"
    ROUNDED = "rounded"


class Note(NamedTuple):
    """One difference: the question, or "" for the survey; what happened; and to which words."""

    name: str
    reason: str
    details: tuple[str, ...]


@dataclass(slots=True)
class Account:
    """Everything that was left out or changed, in the order of the file.

    A question has one note for each reason. The details of a note are words of the file:
    texts, and settings of the other program by the names that they have there.
    """

    _left_out: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)
    _changed: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)

    @property
    def left_out(self) -> list[Note]:
        """The questions that are not in the definition."""
        return _notes(self._left_out)

    @property
    def changed(self) -> list[Note]:
        """The differences."""
        return _notes(self._changed)

    def leave_out(self, name: str, reason: LeftOut, *details: str) -> None:
        """Note that a question was left out."""
        _add(self._left_out, name, reason, details)

    def change(self, name: str, what: Changed, *details: str) -> None:
        """Note that something about a question was changed or left out."""
        _add(self._changed, name, what, details)


def _add(notes: _Notes, name: str, reason: LeftOut | Changed, details: tuple[str, ...]) -> None:
    of_one = notes.setdefault((name[:_LONGEST_NAME], reason.value), {})
    of_one.update(dict.fromkeys(detail for detail in details if detail not in ("", name)))


def _notes(notes: _Notes) -> list[Note]:
    return [Note(*key, tuple(details)) for key, details in notes.items()]


@dataclass(frozen=True, slots=True)
class Imported:
    """A definition, which may still have problems, and the account of the differences."""

    definition: Mapping[str, Any]
    account: Account

    def to_document(self) -> dict[str, Any]:
        """Both as plain JSON values."""
        return {
            "definition": self.definition,
            "left_out": [note._asdict() for note in self.account.left_out],
            "changed": [note._asdict() for note in self.account.changed],
        }
