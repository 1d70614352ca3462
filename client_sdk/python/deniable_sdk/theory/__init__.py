"""The theory of each mechanism, one module each: best parameters, error, channel, words.

A device imports none of it. The module of a mechanism has the functions of
`base.Theory`, and the name of the mechanism.
"""

from collections.abc import Iterable
from fractions import Fraction
from importlib import import_module
from typing import cast

from deniable_sdk.mechanisms import REGISTERED
from deniable_sdk.mechanisms.base import Mechanism, Target
from deniable_sdk.mechanisms.domains import Domain
from deniable_sdk.theory.base import Need, Theory


def candidates(name: str, need: Need) -> Iterable[Mechanism]:
    """The parameters of the mechanism of this name that are worth comparing."""
    return _theory(name).candidates(need)


def error(mechanism: Mechanism, target: Target, domain: Domain | None = None) -> Fraction:
    """The worst-case variance of a target, times the respondents; see `base.Theory`."""
    return _theory(mechanism.name).error(mechanism, target, domain)


def channel(mechanism: Mechanism) -> dict[str, tuple[Fraction, ...]]:
    """Every output with its exact likelihoods under each answer; see `base.Theory`."""
    return _theory(mechanism.name).channel(mechanism)


def describe(mechanism: Mechanism) -> str:
    """What the device does with an answer, in words for an author."""
    return _theory(mechanism.name).describe(mechanism)


def _theory(name: str) -> Theory:
    _, package = REGISTERED[name]
    return cast("Theory", import_module(f"{package}.theory.{name}"))


__all__ = ["Need", "Theory", "candidates", "channel", "describe", "error"]
