"""Bounds on the change of a belief about an answer that a report can cause."""

from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis.arguments import Number, read_share
from deniable_analysis.privacy.ratio import read_ratio


@dataclass(frozen=True, slots=True)
class Belief:
    """The probability of an answer in somebody's belief, before and after a report.

    Args:
        prior: probability before the report.
        low: smallest probability after any report.
        high: largest probability after any report.
    """

    prior: Fraction
    low: Fraction
    high: Fraction


def belief_bounds(prior: Number, ratio: Fraction) -> Belief:
    """The bounds of a belief about an answer after somebody saw a report.

    They are valid for any statement about the true answer that is true or
    false, whatever else is known about the respondent. Warner's method attains
    them.

    Args:
        prior: probability before the report, from 0 to 1.
        ratio: exact e^epsilon of the report, at least 1.
    Raises:
        InvalidPlan: prior is not from 0 to 1, or ratio is below 1.
    Source: Bayes' rule with a likelihood ratio from 1 / ratio to ratio.
    """
    before, most = read_share("prior", prior), read_ratio(ratio)
    return Belief(
        before,
        before / (before + most * (1 - before)),
        most * before / (most * before + 1 - before),
    )
