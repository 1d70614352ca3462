"""The blocks of a survey: what each estimates."""

from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from deniable_analysis.arguments import check_kind, read_choice
from deniable_analysis.estimate.cells import block_membership, group_sizes
from deniable_analysis.estimate.mechanisms import known_analysis
from deniable_analysis.planning.designs import has_shares, informative_part, unit_variance
from deniable_analysis.planning.mean import mean_unit_variance
from deniable_analysis.planning.several_shares import merged_unit_variance
from deniable_sdk import Block
from deniable_sdk.mechanisms import OneOf, Subset
from deniable_sdk.mechanisms.base import Scale, Target
from deniable_sdk.survey import decimals
from deniable_sdk.survey.questions import NumberQuestion, Question


class Estimated(Enum):
    """The kinds of estimates from a block's reports."""

    OPTION = "option"
    CELL = "cell"
    MARGINAL = "marginal"
    MEAN = "mean"
    ABOVE = "above"


@dataclass(frozen=True, slots=True)
class PlannedEstimate:
    """One kind of estimate from a block, with its largest variance under any truth.

    Args:
        estimated: kind of estimate: a share of an option, of a cell of a
            crosstab or of one of a crosstab's questions, a mean, or the share
            of a score's answers at a cut-off or above it.
        question: id of the question; None for the cells of a crosstab.
        unit_variance: total variance times the number of reports of the block;
            for a mean, on a range of length 1.
        length: range of a mean in the question's own unit; 1 for shares.
        informative: part of the reports of the block that say something about it.
    """

    estimated: Estimated
    question: str | None
    unit_variance: Fraction
    length: Fraction = Fraction(1)
    informative: Fraction = Fraction(1)


def planned_estimates(block: Block, target: Target) -> tuple[PlannedEstimate, ...]:
    """A block's estimates, the author's first choice first, or the hardest of several questions.

    Scales and numbers with shares of options have a mean too. The distribution
    of a number has no margin of its own.

    Raises:
        InvalidArgument: block is not a block, or target is not a target.
    """
    check_kind("block", block, Block, "a block of a published survey")
    wanted = read_choice("target", Target, target)
    mechanism = block.mechanism
    question = block.questions[0]
    if block.cells:
        assert isinstance(mechanism, Subset)  # noqa: S101 - only this randomizes listed answers
        return _of_cells(block, mechanism)
    found: list[PlannedEstimate] = []
    if question.items and len(question.options) > 1 and isinstance(mechanism, Subset):
        found.append(_above(question, mechanism))
    if has_shares(mechanism):
        option = PlannedEstimate(Estimated.OPTION, question.id, unit_variance(mechanism))
        found.append(replace(option, informative=informative_part(mechanism)))
    analysis = known_analysis(mechanism)
    has_mean = analysis is not None and analysis.mean_variance is not None
    if has_mean and question.scale is not Scale.NOMINAL:
        assert isinstance(question.domain, OneOf)  # noqa: S101 - scales and numbers have one answer
        variance = mean_unit_variance(mechanism, question.domain)
        found.append(PlannedEstimate(Estimated.MEAN, question.id, variance, _length(question)))
    return tuple(found[::-1] if wanted is Target.MEAN else found)


def _above(question: Question, mechanism: Subset) -> PlannedEstimate:
    """The estimate at the cut-off whose share has the largest variance."""
    variances = [
        merged_unit_variance(mechanism, bands) for bands in range(1, len(question.options))
    ]
    return PlannedEstimate(Estimated.ABOVE, question.id, max(variances))


def _of_cells(block: Block, mechanism: Subset) -> tuple[PlannedEstimate, ...]:
    cell = PlannedEstimate(Estimated.CELL, None, unit_variance(mechanism))
    estimated = Estimated.MARGINAL if len(block.questions) > 1 else Estimated.OPTION
    marginals = []
    for question in block.questions:
        sizes = group_sizes(block_membership(block, question))
        worst = max(merged_unit_variance(mechanism, size) for size in sizes)
        marginals.append(PlannedEstimate(estimated, question.id, worst))
    if block.is_crosstab:
        return (cell, *marginals)
    return tuple(sorted(marginals, key=lambda each: each.unit_variance, reverse=True))


def _length(question: Question) -> Fraction:
    """The range from the lowest to the highest answer; the levels of a scale are 1 apart."""
    if isinstance(question, NumberQuestion):
        return Fraction(question.highest - question.lowest, decimals.UNIT)
    assert isinstance(question.domain, OneOf)  # noqa: S101 - as above
    return Fraction(question.domain.options - 1)
