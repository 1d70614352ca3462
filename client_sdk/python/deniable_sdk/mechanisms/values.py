"""The values that reports carry: their form, and which answers they support."""

from __future__ import annotations

import itertools
from enum import Enum

from deniable_sdk.canonical import JSON, kind
from deniable_sdk.records import Record


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
        if not self.shape:
            if not _is_index(value, self.members):
                raise InvalidValue(
                    f"got {kind(value)} that is no output; allowed is a whole number from 0 to "
                    f"{self.members - 1}"
                )
            return
        listed = "pairs" if self.are_pairs else "options"
        if not (isinstance(value, list) and len(value) == self.shape[0]):
            raise InvalidValue(f"got {kind(value)}; allowed is a list of {self.shape[0]} {listed}")
        options = self._options_of_pairs(value) if self.are_pairs else value
        if not all(_is_index(option, self.members) for option in options):
            raise InvalidValue(
                "got a list with a member that is no option; allowed are whole numbers from 0 to "
                f"{self.members - 1}"
            )
        if not all(left < right for left, right in itertools.pairwise(options)):  # type: ignore[operator]  # checked to be indexes before
            raise InvalidValue("got a list that is not strictly ascending")

    def _options_of_pairs(self, pairs: list[JSON]) -> list[JSON]:
        options: list[JSON] = []
        for pair in pairs:
            if not (isinstance(pair, list) and len(pair) == 2):
                raise InvalidValue("got a list with a member that is no pair [option, bit]")
            if not _is_index(pair[1], 2):
                raise InvalidValue("got a pair whose bit is not allowed; bits are 0 or 1")
            options.append(pair[0])
        return options


def _is_index(value: JSON, size: int) -> bool:
    return type(value) is int and 0 <= value < size


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
