"""The base of every mechanism: an exact channel with two integer weights."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, ClassVar, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms.domains import Answer, Domain
from deniable_sdk.mechanisms.parameters import read_integer, read_weights, refuse_unknown
from deniable_sdk.mechanisms.values import Support, ValueForm
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.records import Record, derived
from deniable_sdk.weights import Weights


class Target(Enum):
    """What an author wants to know of a question above all."""

    SHARES = "shares"
    MEAN = "mean"


class Scale(Enum):
    """What the order of a question's answers means."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    NUMERIC = "numeric"


class Mechanism(Record):
    """How the answers of one block are randomized on the device.

    A value is what the report carries: an output of the mechanism, as JSON.
    `form` is the form of exactly the values that `randomize` can return, and `draws`
    how many numbers one value takes, whatever the answer; `total_weight` is what the
    draw that depends on the answer is taken from.

    `keys` are those of a published mechanism between its name and its weights: the
    two of its domain, if that is published as it is, and those of whole numbers,
    named as its fields are.
    """

    name: ClassVar[str]
    keys: ClassVar[tuple[str, ...]]
    # Whether results contain the share of each option.
    has_shares: ClassVar[bool] = True

    form: ValueForm = derived()
    draws: int = derived()
    total_weight: int = derived()

    @property
    def domain(self) -> Domain:
        """The answers it takes."""
        raise NotImplementedError

    @property
    def weights(self) -> Weights:
        """Those of an output under an answer that supports it, and under another."""
        raise NotImplementedError

    @property
    def spends(self) -> tuple[Weights, ...]:
        """What one value spends: the product of these ratios, exactly."""
        return (self.weights,)

    @property
    def outputs(self) -> int:
        """How many different values a report can carry."""
        raise NotImplementedError

    @classmethod
    def from_document(cls, document: Mapping[str, JSON]) -> Self:
        """The mechanism that a published survey describes.

        Raises:
            InvalidParameters: a parameter is missing, unknown or illegal.
        """
        refuse_unknown(document, ("name", *cls.keys, "weights"))
        fields: dict[str, Any] = {"domain": cls.read_domain(document)}
        fields |= {key: read_integer(document, key) for key in cls.keys[2:]}
        fields["weights"] = read_weights(document)
        return cls(**fields)

    @staticmethod
    def read_domain(document: Mapping[str, JSON]) -> Domain:
        """The domain that a published survey describes."""
        raise NotImplementedError

    def to_document(self) -> dict[str, JSON]:
        """The parameters as a published survey carries them."""
        domain = self.domain.to_document()
        return {
            "name": self.name,
            **{key: domain[key] if key in domain else getattr(self, key) for key in self.keys},
            "weights": [self.weights.high, self.weights.low],
        }

    def fits(self, domain: Domain) -> bool:
        """Whether it takes exactly the answers of this domain."""
        return domain == self.domain

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """One output, drawn from the channel's row of this answer.

        Raises:
            InvalidAnswer: the answer is not of the domain.
        """
        raise NotImplementedError

    def support(self, value: JSON) -> Support:
        """The answers that a value of this form supports, for people to read."""
        raise NotImplementedError
