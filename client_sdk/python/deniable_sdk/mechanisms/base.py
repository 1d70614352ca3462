"""What every mechanism is: a channel with two integer weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Protocol, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.weights import Weights

if TYPE_CHECKING:
    from fractions import Fraction


class InvalidParameters(ValueError):
    """A published mechanism's parameters are not legal; says which and why."""


class InvalidValue(ValueError):
    """A reported value is not legal; names its kind, never the value."""


class Mechanism(Protocol):
    """How the answers of one block are randomized on the device.

    An answer is a 0-based index into the block's domain. A value is what the
    report carries: an output of the mechanism, as JSON.
    """

    name: ClassVar[str]

    @property
    def domain_size(self) -> int:
        """How many different answers the block has."""
        ...

    @property
    def weights(self) -> Weights:
        """The integers that fix what one report through this block spends."""
        ...

    @classmethod
    def from_document(cls, document: Mapping[str, JSON]) -> Self:
        """The mechanism that a published survey describes.

        Raises:
            InvalidParameters: a parameter is missing, unknown or illegal.
        """
        ...

    def to_document(self) -> dict[str, JSON]:
        """The parameters as a published survey carries them."""
        ...

    def randomize(self, answer: int, integers: RandomIntegers) -> JSON:
        """One output, drawn from the channel's row of this answer."""
        ...

    def check_value(self, value: JSON) -> None:
        """Accept exactly the outputs that `randomize` can give.

        Raises:
            InvalidValue: the value is none of them.
        """
        ...

    def channel(self) -> dict[str, tuple[Fraction, ...]]:
        """Every output, as canonical JSON text, with its exact likelihoods.

        Entry i of a row is the probability of the output under answer i. For
        small parameters only: it enumerates.
        """
        ...
