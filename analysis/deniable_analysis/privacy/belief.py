"""How far a report can move what somebody believed of an answer."""

from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis.arguments import Number, read_share
from deniable_analysis.privacy.ratio import read_ratio


@dataclass(frozen=True, slots=True)
class Belief:
    """How likely somebody thinks something is, before and after a report.

    Args:
        prior: before it.
        low: the least likely that any report can make it.
        high: the most likely.
    """

    prior: Fraction
    low: Fraction
    high: Fraction


def belief_bounds(prior: Number, ratio: Fraction) -> Belief:
    """The bounds of a belief about an answer after a report was seen.

    They hold for any two-sided belief about the true answer, whatever else is
    known of the respondent, and Warner's method attains them.

    Args:
        prior: how likely it was held to be before, from 0 to 1.
        ratio: what the report spends, e^epsilon exactly, at least 1.
    Raises:
        InvalidPlan: prior is not from 0 to 1, or the ratio below 1.
    Source: Bayes' rule with a likelihood ratio from 1 / ratio to ratio.
    """
    before, most = read_share("prior", prior), read_ratio(ratio)
    return Belief(
        before,
        before / (before + most * (1 - before)),
        most * before / (most * before + 1 - before),
    )
