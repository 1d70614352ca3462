"""What every mechanism is: an exact channel with two integer weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Protocol, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms.domains import Answer, Domain
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.records import Record
from deniable_sdk.weights import Weights

if TYPE_CHECKING:
    from fractions import Fraction


class InvalidParameters(ValueError):
    """A published mechanism's parameters are not legal; says which and why."""


class InvalidValue(ValueError):
    """A reported value is not legal; names its kind, never the value."""


class Target(Enum):
    """What an author wants to know of a question above all."""

    SHARES = "shares"
    MEAN = "mean"


class Scale(Enum):
    """What the order of a question's answers means."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    NUMERIC = "numeric"


class Need(Record):
    """What the compiler wants a mechanism for.

    Args:
        domain: the block's answers.
        scale: what their order means.
        target: what is to be estimated.
        weights: the integer weights for a part of the block's epsilon, given
            into how many equal parts it is split, and about how many times
            the base weight the total weight of one draw will be.
        most_outputs: how many different values a report may have at most;
            None for any number.
        is_named: whether the author asked for this very mechanism, so that it
            offers itself wherever it can work at all.
    """

    domain: Domain
    scale: Scale
    target: Target
    weights: Callable[[int, int], Weights]
    is_named: bool = False
    most_outputs: int | None = None


class Mechanism(Protocol):
    """How the answers of one block are randomized on the device.

    A value is what the report carries: an output of the mechanism, as JSON.
    """

    name: ClassVar[str]

    @property
    def domain(self) -> Domain:
        """The answers it takes."""
        ...

    @property
    def spends(self) -> tuple[Weights, ...]:
        """What one value spends: the product of these ratios, exactly."""
        ...

    @property
    def draws(self) -> int:
        """How many numbers one value takes, whatever the answer."""
        ...

    @property
    def outputs(self) -> int:
        """How many different values a report can carry."""
        ...

    @classmethod
    def candidates(cls, need: Need) -> Iterable[Self]:
        """The parameters worth comparing for a need; none if it cannot serve."""
        ...

    def error(self, target: Target, domain: Domain | None = None) -> Fraction:
        """The worst-case variance of the target, times the respondents.

        Of the answers of `domain`, which it must fit; its own if left out.

        For shares the sum over the options, sampling included, at the worst
        shares. For the mean of a range of length 1 the mechanism's part, at
        the worst answer; "no answer" counts as the middle of the range.
        Mechanisms for the same domain and target can be compared by it.
        """
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

    def fits(self, domain: Domain) -> bool:
        """Whether it takes exactly the answers of this domain."""
        ...

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """One output, drawn from the channel's row of this answer.

        Raises:
            InvalidAnswer: the answer is not of the domain.
        """
        ...

    def check_value(self, value: JSON) -> None:
        """Accept exactly the outputs that `randomize` can give.

        Raises:
            InvalidValue: the value is none of them.
        """
        ...

    def channel(self) -> dict[str, tuple[Fraction, ...]]:
        """Every output, as canonical JSON text, with its exact likelihoods.

        Entry i of a row is the probability of the output under answer i, in
        the order of domain.answers(). For small parameters only: it
        enumerates.
        """
        ...

    def describe(self) -> str:
        """What the device does with an answer, in words for an author."""
        ...
