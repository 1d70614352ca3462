"""The result of an import: a definition, and a list of all differences."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from deniable_sdk import DeniableError

# How many characters of a question's name an account shows.
_LONGEST_NAME: Final = 200


class UnreadableImport(DeniableError):
    """A file contains no readable survey."""


class LeftOut(StrEnum):
    """Why a question is not in the definition; programs may rely on these words."""

    FREE_TEXT = "free_text"
    FILE = "file"
    PLACE = "place"
    TIME = "time"
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
    PICTURES = "pictures"
    TEXTS = "texts"
    RULES = "rules"
    SPLIT = "split"
    NOTE = "note"
    SHORTENED = "shortened"
    SCORE = "score"
    UNREPORTED = "unreported"
    ROUNDED = "rounded"


class Note(NamedTuple):
    """One difference: the question, and what was changed."""

    name: str
    reason: str


@dataclass(slots=True)
class Account:
    """Everything that was left out or changed, in the order of the file."""

    left_out: list[Note] = field(default_factory=list)
    _changed: dict[Note, None] = field(default_factory=dict)

    @property
    def changed(self) -> list[Note]:
        """The differences, each once."""
        return list(self._changed)

    def leave_out(self, name: str, reason: LeftOut) -> None:
        """Note that a question was left out."""
        self.left_out.append(Note(name[:_LONGEST_NAME], reason.value))

    def leave_out_kind(self, name: str, kind: str, reasons: Mapping[LeftOut, str]) -> None:
        """Note that a question of a kind was left out; `reasons` has the kinds of each reason."""
        found = (reason for reason, kinds in reasons.items() if kind in kinds.split())
        self.leave_out(name, next(found, LeftOut.UNKNOWN))

    def change(self, name: str, what: Changed) -> None:
        """Note once that something about a question was changed."""
        self._changed[Note(name[:_LONGEST_NAME], what.value)] = None


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
