"""The base of every mechanism: an exact channel with two integer weights."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import ClassVar, Protocol, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms.domains import Answer, Domain
from deniable_sdk.mechanisms.values import Support, ValueForm
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.weights import Weights


class InvalidParameters(ValueError):
    """A published mechanism's parameters are not legal; says which and why."""


class Target(Enum):
    """What an author wants to know of a question above all."""

    SHARES = "shares"
    MEAN = "mean"


class Scale(Enum):
    """What the order of a question's answers means."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    NUMERIC = "numeric"


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

    @property
    def form(self) -> ValueForm:
        """The form of exactly the values that `randomize` can return."""
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

    def support(self, value: JSON) -> Support:
        """The answers that a value of this form supports, for people to read."""
        ...
