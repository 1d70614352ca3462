"""The variance of an estimated share, for a way to draw the respondents."""

import math
from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis.arguments import Number, possible, read_number, read_respondents, shown
from deniable_analysis.errors import Infeasible, InvalidArgument
from deniable_analysis.planning.declared import GroupedPlan
from deniable_analysis.planning.designs import (
    Randomized,
    Share,
    informative_part,
    planned_share,
    unit_variance,
)
from deniable_analysis.planning.goal import least_whole
from deniable_sdk.wording import counted

_MOST_WEIGHTING = 10**6


@dataclass(frozen=True, slots=True)
class Drawing:
    """A planned share, and how the respondents are drawn from the population.

    Args:
        mechanism: mechanism of the question.
        share: planned share.
        population: size of the population; None if it is many times the number
            of respondents.
        weighting: factor by which design weights increase the variance.
    """

    mechanism: Randomized
    share: Share | Number
    population: int | None
    weighting: Fraction

    def variance(self, respondents: int) -> Fraction:
        """The variance of the estimate from this many respondents.

        Source: Kish 1965 for weights, which multiply both parts; Cochran 1977,
        theorem 2.2, for finite populations, which reduce the sampling part.
        """
        if self.population is None or isinstance(self.mechanism, GroupedPlan):
            return unit_variance(self.mechanism, self.share) * self.weighting / respondents
        reports = respondents * informative_part(self.mechanism)
        drawn = _sampling_scale(1 / reports, self.population)
        none, everybody = (self._noise(Fraction(end)) / reports for end in (0, 1))
        rise = everybody - none
        at = (
            _hardest(rise, drawn)
            if self.share is Share.WORST
            else planned_share(self.mechanism, self.share)
        )
        return none + rise * at + at * (1 - at) * drawn

    def respondents(self, variance: Fraction) -> int:
        """The smallest number of respondents with at most this variance.

        Raises:
            Infeasible: not even the whole population is enough, or more people
                than live on earth are needed.
        """
        if self.population is None:
            return possible(math.ceil(self.variance(1) / variance))
        least = self.variance(self.population)
        if least > variance:
            people = counted(self.population, "person", plural="people")
            raise Infeasible(
                f"not even asking all {people} is enough: the standard error is then "
                f"{math.sqrt(least):.4g}, because their answers are still randomized; allow a "
                "larger error or a larger epsilon"
            )
        return least_whole(lambda count: self.variance(count) <= variance, self.population)

    def read_respondents(self, respondents: int) -> int:
        """A possible number of respondents."""
        count = read_respondents("respondents", respondents)
        if self.population is not None and count > self.population:
            raise InvalidArgument(
                f"population: got {self.population} for {counted(count, 'respondent')}; allowed "
                "is a whole number of people, at least as many as respondents"
            )
        return count

    def _noise(self, share: Fraction) -> Fraction:
        """The mechanism part of one report's variance; it is linear in the share."""
        assert not isinstance(self.mechanism, GroupedPlan)  # noqa: S101 - see variance
        total = unit_variance(self.mechanism, share) * informative_part(self.mechanism)
        return total - share * (1 - share)


def read_drawing(
    mechanism: Randomized, share: Share | Number, population: int | None, weighting_effect: Number
) -> Drawing:
    """The checked Drawing of these arguments."""
    weighting = read_number("weighting_effect", weighting_effect)
    if not 1 <= weighting <= _MOST_WEIGHTING:
        raise InvalidArgument(
            f"weighting_effect: got {shown(weighting_effect)}; allowed is a number from 1 (equal "
            "weights) to a million: Kish's design effect of the weights"
        )
    if population is not None:
        read_respondents("population", population)
        if weighting != 1:
            raise InvalidArgument(
                "got a population and a weighting_effect; give only one of them, because no "
                "formula here combines weights with a small population"
            )
        if isinstance(mechanism, GroupedPlan):
            raise InvalidArgument(
                "population: got one for a design of several groups, each of which is a separate "
                "sample; leave it out: the plan is then conservative"
            )
    planned_share(mechanism, share)
    return Drawing(mechanism, share, population, weighting)


def _sampling_scale(scale: Fraction, population: int) -> Fraction:
    """The exact factor of f (1 - f); 0 if everybody is asked."""
    if population == 1:
        return Fraction(0)
    return max(Fraction(0), scale - Fraction(1, population)) * population / (population - 1)


def _hardest(rise: Fraction, drawn: Fraction) -> Fraction:
    """The share from 0 to 1 that maximizes rise·f + drawn·f·(1 - f)."""
    if drawn == 0:
        return Fraction(1 if rise > 0 else 0)
    return max(Fraction(0), min(Fraction(1), (rise / drawn + 1) / 2))
