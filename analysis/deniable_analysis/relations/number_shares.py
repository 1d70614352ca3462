"""The shares of groups of numbers, from reports of `piecewise` that rounds nothing."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.linear import Contributions, LinearShares, anytime_cell_ends
from deniable_analysis.estimate.outputs import (
    contributions_to_sums,
    likeliest_shares,
    output_shares,
)
from deniable_analysis.relations.questions import nothing_reported
from deniable_analysis.relations.shares import QuestionShares
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_sdk.mechanisms import Piecewise
from deniable_sdk.survey.questions import Question


class NumberCounts(NamedTuple):
    """The reports of a number: (outputs,) counts, their number, mechanism and epsilon."""

    counts: Floats
    reports: int
    mechanism: Piecewise
    epsilon: float


def number_counts(study: ReportedSurvey, question: Question) -> NumberCounts | None:
    """The reports of a question that is randomized by `piecewise`; None for other mechanisms.

    Raises:
        NotIdentified: its mechanism identifies only the mean, or there is no report yet.
    """
    block = next(each for each in study.survey.blocks if question in each.questions)
    mechanism = block.mechanism
    if not isinstance(mechanism, Piecewise):
        return None
    if mechanism.rounds:
        raise NotIdentified(
            f"question {question.id!r} was published for its mean: answers are rounded by chance "
            f"to {mechanism.steps + 1} positions of {mechanism.cells}, so it has no quantiles "
            "and no distribution; to estimate these, publish it with target: shares"
        )
    found = study.count([block]).blocks[block.id]
    if not found.report_count:
        raise nothing_reported(study, question)
    counts = np.asarray(found.of(range(mechanism.outputs)), np.float64)
    return NumberCounts(counts, found.report_count, mechanism, block.epsilon)


def number_shares(question: Question, found: NumberCounts, inside: Floats) -> QuestionShares:
    """The shares of numbers outside a group and in it, and of "no answer" if it is offered.

    Args:
        question: the question.
        found: its reports.
        inside: (answers,) 1 for the numbers in the group, some but not all.
    """
    mechanism, reports = found.mechanism, found.reports
    groups = np.column_stack([1 - inside, inside])
    if question.offers_no_answer:
        groups = np.column_stack([groups, np.zeros(len(groups))])
        groups[-1] = 0, 0, 1
    each = contributions_to_sums(mechanism, groups)
    likeliest = likeliest_shares(found.counts, mechanism)
    valid = groups.T @ likeliest
    # Equal answers stand for those of a group in which there seems to be nobody.
    equal = groups / groups.sum(axis=0)
    within = np.where(valid > 0, groups * likeliest[:, None] / np.maximum(valid, 1e-300), equal)

    def shares_if(tested: Floats) -> LinearShares:
        """As in QuestionShares, whatever the reports are.

        Few outputs contribute much to the share at a sharp step. Whether one of them was
        reported is chance, so their rates are the expected ones, never the observed ones.
        """
        rates = output_shares(within @ tested, mechanism)
        covariances = ((each.T * rates) @ each - np.outer(tested, tested)) / reports
        return LinearShares.of_total(tested, covariances, reports)

    contributions = Contributions(each, found.counts, 1)
    return QuestionShares(
        question=question,
        shares=replace(shares_if(valid), shares=found.counts / reports @ each),
        shares_if=shares_if,
        anytime=lambda rule, sums, among: anytime_cell_ends(contributions, sums, rule, among),
        valid=valid,
        reports=reports,
        epsilon=found.epsilon,
    )
