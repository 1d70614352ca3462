"""The interface of a mechanism's analysis, and its findings."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from deniable_analysis.estimators import Interval, IntervalRule
from deniable_analysis.estimators.intervals import check_simultaneous
from deniable_analysis.results import DistributionEstimate, MeanEstimate, OptionEstimate
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts


@dataclass(frozen=True, slots=True)
class IntervalChoice:
    """Which intervals are wanted.

    Args:
        interval: which binomial interval.
        confidence: how often an interval contains the true value.
        simultaneous: whether the intervals of the shares of one question or
            crosstab are to hold all at once (Bonferroni).
        population: of how many people the respondents are a sample; None for
            many times more than these.
    Raises:
        InvalidConfidence: confidence is not between 0 and 1.
        InvalidInterval: simultaneous is neither True nor False.
    """

    interval: Interval
    confidence: float
    simultaneous: bool
    population: int | None = None

    def __post_init__(self) -> None:
        check_simultaneous(self.simultaneous)
        self.among(1)

    def among(self, comparisons: int) -> IntervalRule:
        """The rule for one of so many intervals."""
        count = comparisons if self.simultaneous else 1
        return IntervalRule(self.interval, self.confidence, count, self.population)


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a question; see QuestionEstimate for the fields."""

    interval: str
    options: tuple[OptionEstimate, ...]
    mean: MeanEstimate | None = None
    distribution: DistributionEstimate | None = None
    warnings: tuple[str, ...] = ()


# The findings of a question from its one block: the question, the block's
# mechanism, its counts, and which intervals are wanted.
Analyse = Callable[[Question, Any, BlockCounts, IntervalChoice], Findings]
