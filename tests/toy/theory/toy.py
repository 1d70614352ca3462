"""When the compiler offers the mechanism, its error, its channel and its words."""

from collections.abc import Iterable
from fractions import Fraction

from deniable_sdk.mechanisms import Domain, OneOf
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.theory import Need
from toy.mechanisms.toy import Toy


def candidates(need: Need) -> Iterable[Toy]:
    """The mechanism, where an author asks for it by name."""
    if need.is_named and isinstance(need.domain, OneOf):
        yield Toy(need.domain.size, need.weights(1, need.domain.size))


def error(mechanism: Toy, target: Target, domain: Domain | None = None) -> Fraction:
    """The summed total variance of equal shares, times the respondents."""
    del target, domain
    rate = Fraction(1, mechanism.options)
    return mechanism.options * rate * (1 - rate) / (mechanism.keep - mechanism.flip) ** 2


def channel(mechanism: Toy) -> dict[str, tuple[Fraction, ...]]:
    """Every option with its probability under each answer."""
    keep, flip, options = mechanism.keep, mechanism.flip, range(mechanism.options)
    return {
        str(output): tuple(keep if output == each else flip for each in options)
        for output in options
    }


def describe(mechanism: Toy) -> str:
    """For an author."""
    return f"reports the answer with probability {float(mechanism.keep):.1%}"
