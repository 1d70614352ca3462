"""The values that reports carry: their form, and which answers they support."""

from __future__ import annotations

from enum import Enum
from typing import TypeGuard

from deniable_sdk.canonical import JSON, kind
from deniable_sdk.records import Record


class InvalidParameters(ValueError):
    """A published mechanism's parameters are not legal; says which and why."""


class InvalidValue(ValueError):
    """A reported value is not legal; names its kind, never the value."""


class ValueForm(Record):
    """What the values of a mechanism look like.

    Args:
        members: every member of a value is a whole number below this.
        shape: () for one number, (size,) for a strictly ascending list of
            numbers, (sampled, 2) for a list of pairs [option, bit], whose
            options are strictly ascending.
    """

    members: int
    shape: tuple[int, ...] = ()

    @property
    def are_pairs(self) -> bool:
        """Whether values are pairs of option and bit."""
        return len(self.shape) == 2

    def check(self, value: JSON) -> None:
        """Accept exactly the values of this form.

        Raises:
            InvalidValue: the value has another form.
        """
        if not self._fits(value):
            raise InvalidValue(self._refusal(value))

    def _fits(self, value: JSON) -> bool:
        if not self.shape:
            return type(value) is int and 0 <= value < self.members
        if not (isinstance(value, list) and len(value) == self.shape[0]):
            return False
        members, are_pairs, last = self.members, len(self.shape) == 2, -1
        for member in value:
            option = member
            if are_pairs:
                if not _is_pair(member):
                    return False
                option = member[0]
            if not (type(option) is int and last < option < members):
                return False
            last = option
        return True

    def _refusal(self, value: JSON) -> str:
        """What is wrong with a value that does not fit; never the value."""
        if not self.shape:
            return (
                f"got {kind(value)} that is no output; allowed is a whole number from 0 to "
                f"{self.members - 1}"
            )
        listed = "pairs" if self.are_pairs else "options"
        if not (isinstance(value, list) and len(value) == self.shape[0]):
            return f"got {kind(value)}; allowed is a list of {self.shape[0]} {listed}"
        for member in value if self.are_pairs else ():
            if not (isinstance(member, list) and len(member) == 2):
                return "got a list with a member that is no pair [option, bit]"
            if not _is_pair(member):
                return "got a pair whose bit is not allowed; bits are 0 or 1"
        pairs = value if self.are_pairs else []
        options = [pair[0] for pair in pairs if isinstance(pair, list)] or value
        if not all(type(option) is int and 0 <= option < self.members for option in options):
            return (
                "got a list with a member that is no option; allowed are whole numbers from 0 to "
                f"{self.members - 1}"
            )
        return "got a list that is not strictly ascending"


def _is_pair(member: JSON) -> TypeGuard[list[JSON]]:
    return (
        isinstance(member, list)
        and len(member) == 2
        and type(member[1]) is int
        and 0 <= member[1] <= 1
    )


class SupportKind(Enum):
    """How a reported value supports its answers."""

    ONE_OF = "one"
    SOME_OF = "some"
    RANGE = "range"
    BITS = "bits"


class Support(Record):
    """The answers that a reported value supports, for people to read.

    Args:
        kind: one of the answers, some of them, all in a range, or each of
            them with a bit.
        answers: by their indexes; of a range the first and the last.
        bits: for each of the answers 1 where the value says that it applies.
    """

    kind: SupportKind
    answers: tuple[int, ...]
    bits: tuple[int, ...] = ()
