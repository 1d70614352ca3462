"""The epsilon that counts in a year: spent, and reserved for panels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from deniable_sdk.client.clock import Clock
from deniable_sdk.client.entry import Entry
from deniable_sdk.records import Record
from deniable_sdk.weights import YEAR_DAYS, Weights

_DAY_S = 86_400


class Year(Record):
    """What counts against the yearly cap.

    Args:
        weights: of all parts of the reports of the last 365 days.
        reserved: what panels have reserved for waves that may still come.
    """

    weights: tuple[Weights, ...]
    reserved: Fraction

    @property
    def epsilon(self) -> float:
        """Both together, for people to read."""
        return epsilon_of(self.weights) + float(self.reserved)


def day_of(clock: Clock) -> int:
    """Today, in days since 1970."""
    return math.floor(clock.now() / _DAY_S)


def in_year(entries: Sequence[Entry], today: int) -> Year:
    """What counts in the 365 days up to today.

    A panel is of one series at one address, and reserves what its first
    report claimed for each wave. Days in the future count: clocks are set
    back.
    """
    counted = [entry for entry in entries if entry.day > today - YEAR_DAYS]
    reserved = Fraction(0)
    for series in dict.fromkeys(_series(entry) for entry in counted if entry.panel):
        answered = [
            wave_of(entry) for entry in entries if entry.panel and _series(entry) == series
        ]
        _, waves, claimed = answered[0]
        reserved += (waves - len({wave for wave, _, _ in answered})) * claimed
    return Year(tuple(part for entry in counted for part in weights_of(entry)), reserved)


def wave_of(entry: Entry) -> tuple[int, int, Fraction]:
    """Which wave of a panel it is, of how many, and the epsilon that each claims."""
    place, claimed = entry.panel.split(" ")
    wave, waves = place.split("/")
    return int(wave), int(waves), Fraction(claimed)


def weights_of(entry: Entry) -> tuple[Weights, ...]:
    """Exactly what an entry's report spent."""
    pairs = (part.split("/") for part in entry.weights.split())
    return tuple(Weights(int(high), int(low)) for high, low in pairs)


def epsilon_of(weights: Iterable[Weights]) -> float:
    """What these spend together, for people to read."""
    return math.fsum(part.epsilon for part in weights)


def _series(entry: Entry) -> tuple[str, str, int]:
    """Which panel an entry is a wave of, and of how many waves that is."""
    return entry.collector, entry.slug, wave_of(entry)[1]
