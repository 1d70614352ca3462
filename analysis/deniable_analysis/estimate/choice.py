"""Which intervals: their kind, their confidence, and for how many people and looks."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from scipy.special import ndtri

from deniable_analysis.arguments import (
    Number,
    check_kind,
    is_whole,
    read_choice,
    read_flag,
    read_probability,
    shown,
)
from deniable_analysis.defaults import DEFAULT_CONFIDENCE, DEFAULT_INTERVAL, FOR_ONE_LOOK, Interval
from deniable_analysis.errors import InvalidArgument
from deniable_sdk.wording import counted


def tail(confidence: Number, comparisons: int = 1) -> float:
    """The tail probability on one side of a two-sided interval.

    Args:
        confidence: simultaneous confidence of all intervals, between 0 and 1.
        comparisons: number of simultaneous intervals (Bonferroni).
    Raises:
        InvalidArgument: confidence is not between 0 and 1.
    """
    return float((1 - read_probability("confidence", confidence)) / (2 * comparisons))


def critical_value(confidence: Number, comparisons: int = 1) -> float:
    """Half the width of a two-sided normal interval, in standard errors.

    Arguments and errors are those of tail.
    """
    return -float(ndtri(tail(confidence, comparisons)))


def comparisons_among(option_count: int) -> int:
    """The number of simultaneous intervals for a question with this number of options.

    Two options are one comparison: their shares sum to exactly 1, so both
    intervals cover the true shares or neither does.
    """
    return 1 if option_count == 2 else option_count


def read_interval(value: str, allowed: Iterable[Interval] = FOR_ONE_LOOK) -> Interval:
    """The interval of this name; InvalidArgument if the estimate has no such interval."""
    return read_choice("interval", allowed, value)


def check_simultaneous(value: object) -> None:
    """Raise InvalidArgument unless it is True or False."""
    allowed = "True (all intervals hold at once) and False"
    read_flag("simultaneous", value, allowed)


@dataclass(frozen=True, slots=True)
class IntervalRule:
    """A kind of interval with its confidence.

    Args:
        interval: which binomial interval, or its name.
        confidence: nominal coverage, between 0 and 1.
        comparisons: number of simultaneous intervals (Bonferroni).
        population: number of people that the reports are a sample of; None if
            it is many times the number of reports. Only Wilson's interval uses
            it.
        planned: number of reports that is planned, before any is counted; None
            if no number is. Intervals for every look are narrowest with it.
    Raises:
        InvalidArgument: confidence is not between 0 and 1; there is no such interval, or
            comparisons is not a whole number; the population is not a whole number.
    """

    interval: Interval = DEFAULT_INTERVAL
    confidence: float = DEFAULT_CONFIDENCE
    comparisons: int = 1
    population: int | None = None
    planned: float | None = None

    def __post_init__(self) -> None:
        if not is_whole(self.comparisons, 1):
            raise InvalidArgument(
                f"comparisons: got {shown(self.comparisons)}; allowed is a whole number of "
                "intervals that must hold at once, 1 or more"
            )
        tail(self.confidence, self.comparisons)
        if self.population is not None and not is_whole(self.population, 1):
            raise InvalidArgument(
                f"got a population of {shown(self.population)}; allowed is a whole number of "
                "people: everybody the survey is about"
            )
        object.__setattr__(self, "interval", read_interval(self.interval, Interval))


DEFAULT_RULE = IntervalRule()


def check_rule(rule: Any) -> None:
    """Raise InvalidArgument unless it is a rule for intervals."""
    allowed = "an IntervalRule, such as IntervalRule('wilson', 0.9)"
    check_kind("rule", rule, IntervalRule, allowed)


def check_population(population: int | None, report_count: int) -> None:
    """Raise InvalidArgument if the population is smaller than the number of reports."""
    if population is None:
        return
    if not is_whole(population, max(1, report_count)):
        raise InvalidArgument(
            f"got a population of {shown(population)} for {counted(report_count, 'report')}; "
            "allowed is a whole number of people, at least as many as reports: everybody the "
            "survey is about"
        )


@dataclass(frozen=True, slots=True)
class IntervalChoice:
    """The choice of intervals; see IntervalRule for the other fields.

    If they are simultaneous, the confidence is that of all shares of one question or
    crosstab together (Bonferroni).

    Raises:
        InvalidArgument: confidence is not between 0 and 1; simultaneous is neither True nor False.
    """

    interval: Interval
    confidence: float
    simultaneous: bool
    population: int | None = None
    planned: float | None = None

    def __post_init__(self) -> None:
        check_simultaneous(self.simultaneous)
        self.among(1)

    def among(self, comparisons: int) -> IntervalRule:
        """The rule for one of this number of intervals."""
        count = comparisons if self.simultaneous else 1
        return IntervalRule(self.interval, self.confidence, count, self.population, self.planned)

    def shared(self, parts: int) -> "IntervalChoice":
        """The choice whose intervals of this number of parts hold together with the confidence."""
        return replace(self, confidence=1 - (1 - self.confidence) / parts)

    def of_part(self, part: float) -> "IntervalChoice":
        """The choice for what only a part of the reports contain."""
        return replace(self, planned=self.planned and self.planned * part)
