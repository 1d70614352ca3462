"""Regressions from a formula and a table, or from a formula and a study's reports."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from deniable_analysis.arguments import check_kind
from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.designs import AnyDesign
from deniable_analysis.designs.tables import column_names, column_of
from deniable_analysis.errors import InvalidArgument, NotAskedTogether
from deniable_analysis.estimate.cells import combined_membership
from deniable_analysis.estimate.mechanisms import block_likelihood
from deniable_analysis.forms import pandas
from deniable_analysis.regression.assembly import assemble
from deniable_analysis.regression.channels import ReportChannel, Reports, Variable
from deniable_analysis.regression.choices import Choices, Progress, no_progress
from deniable_analysis.regression.fit import fit_likelihood
from deniable_analysis.regression.formula import Formula, read_formula
from deniable_analysis.regression.moments import fit_moments, wants_moments
from deniable_analysis.regression.observations import Observations, observe
from deniable_analysis.regression.results import Regression, read_fit
from deniable_analysis.reports.group_column import group_column, joint_counts_by_group
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.reports.strata import people_of_groups
from deniable_analysis.results.answers import numeric_levels
from deniable_sdk.mechanisms import SomeOf, Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.groups import NO_GROUP
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_sdk.wording import counted
from deniable_storage.counts import Integers, JointCounts


def regress(  # noqa: PLR0913 - each is one choice of a regression, all but two are keywords
    formula: str,
    table: Any,
    *,
    designs: Mapping[str, AnyDesign] | None = None,
    link: str | None = None,
    reference: str | None = None,
    predictors: str | None = None,
    method: str | None = None,
    se: str | None = None,
    weights: Any = None,
    cluster: str | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    interval: str | None = None,
    on_progress: Progress = no_progress,
) -> Regression:
    """A regression whose outcome or predictors were randomized.

    Args:
        formula: like "outcome ~ age + C(group)".
        table: a pandas table, or a mapping from names to columns.
        designs: design of each randomized column, by the column's name.
        link: "logit" (also for several categories), "probit", "cloglog",
            "ordered" or "identity". The default is "logit" for categories and
            "identity" for numbers.
        reference: reference category of the outcome.
        predictors: how the distribution of randomized predictors depends on the
            others: "formula" (by a multinomial logit, the default) or
            "saturated" (not at all).
        method: "likelihood", or "moments" for randomized numbers.
        se: kind of standard errors: "observed", "expected", "sandwich" or
            "cluster".
        weights: sampling weights: the name of a column, or one number for each
            row.
        cluster: column with the cluster of each row.
        confidence: nominal coverage of the intervals, between 0 and 1.
        interval: "wald" (normal) or "profile" (by profile likelihood, which is
            slower). The default is "wald" for coefficients for which it has its
            nominal coverage, and "profile" for the others within a limit on the
            work.
        on_progress: called with two numbers: of profile likelihood intervals
            computed so far, and of all that are wanted.
    Raises:
        InvalidArgument: the formula cannot be parsed or computed; designs is not a mapping, or a
            value is not a design; a choice does not fit the data; a column contains a value that
            its design cannot produce; a weight is negative or not a number; confidence is not
            between 0 and 1.
        ColumnNotFound: a column is not in the table.
        NotIdentified: such reports do not identify the coefficients.
    """
    choices = Choices(link, reference, predictors, method, se, confidence, interval, on_progress)
    read = read_formula(formula, column_names(table))
    given = {} if designs is None else designs
    allowed = f"a mapping from columns to their designs, like {{{read.outcome!r}: warner(0.7)}}"
    check_kind("designs", given, Mapping, allowed)
    for name in given:
        column_of(table, name)
    named = (read.outcome, *read.variables)
    seen = observe(
        table,
        clear=[name for name in named if name not in given],
        randomized={name: given[name] for name in named if name in given},
        weights=weights,
        cluster=cluster,
    )
    return regress_observed(read, seen, choices, is_weighted=weights is not None)


def regress_observed(
    formula: Formula, seen: Observations, choices: Choices, *, is_weighted: bool = False
) -> Regression:
    """A regression of observations, by the chosen method or the default for the data."""
    if wants_moments(formula, seen, choices):
        assembly, fit = fit_moments(formula, seen, choices)
    else:
        assembly = assemble(formula, seen, choices)
        fit = fit_likelihood(assembly, choices, is_weighted)
    return read_fit(assembly, fit, choices, is_weighted=is_weighted)


def regress_study(study: ReportedSurvey, formula: str, choices: Choices) -> Regression:
    """A regression of respondents who were asked all of its questions; errors as Study.regress."""
    survey, group = study.survey, group_column(study.survey)
    ids = [question.id for question in survey.reported]
    read = read_formula(formula, [*ids, *([group] if group else [])])
    if read.outcome == group:
        raise InvalidArgument(
            f"got the outcome {group}, which nobody answers: an organizer gives it; allowed is a "
            f"question, and {group} after the ~"
        )
    wanted = {read.outcome, *read.variables}
    asked = [question for question in survey.reported if question.id in wanted]
    _check_kinds(asked)
    blocks = blocks_for(survey, asked)
    if group not in read.variables:
        return regress_observed(read, _seen(asked, blocks, study.joint_counts(blocks)), choices)
    groups = list(people_of_groups(survey))
    found, of_row = joint_counts_by_group(study.counts_by_group(), groups, blocks)
    seen = _seen(asked, blocks, found)
    clear = pandas().DataFrame({group: [groups[index] for index in of_row]})
    regression = regress_observed(read, replace(seen, clear=clear), choices)
    warnings = [*regression.warnings]
    missing = [each for index, each in enumerate(groups) if index not in of_row]
    if missing:
        warnings.append(
            f"{group}: no report from {', '.join(missing)}, so the regression says nothing about "
            "them"
        )
    if survey.link_groups:
        without = study.counts_by_group().count(NO_GROUP, blocks)
        if without.report_count:
            warnings.append(
                f"{group}: left out, without a group: {counted(without.report_count, 'report')}"
            )
    return replace(regression, warnings=tuple(warnings))


def _seen(asked: Sequence[Question], blocks: Sequence[Block], found: JointCounts) -> Observations:
    rows = len(found.counts)
    if not rows:
        raise InvalidArgument(
            f"no report carries {', '.join(question.id for question in asked)} yet, so there is "
            "no regression; wait for reports"
        )
    return Observations(
        clear=pandas().DataFrame(index=range(rows)),
        reports=tuple(
            reports_of_block(block, asked, found.values[index], found.indexes[:, index])
            for index, block in enumerate(blocks)
        ),
        counts=found.counts.astype(np.float64),
        weights=np.ones(rows),
        row_of=np.arange(rows),
    )


def blocks_for(survey: PublishedSurvey, asked: Sequence[Question]) -> tuple[Block, ...]:
    """The fewest blocks that together contain all of some questions.

    If several sets of blocks are equally small, the one with the most epsilon.

    Raises:
        NotAskedTogether: nobody is asked all of them.
    """
    names = {question.id for question in asked}
    useful = [block for block in survey.blocks if names & _ids(block.questions)]
    for count in range(1, min(survey.asked, len(asked)) + 1):
        covering = [
            blocks
            for blocks in combinations(useful, count)
            if names <= set().union(*(_ids(block.questions) for block in blocks))
        ]
        if covering:
            return max(covering, key=lambda blocks: sum(block.epsilon for block in blocks))
    listed = "; ".join(", ".join(sorted(_ids(block.questions))) for block in survey.blocks)
    raise NotAskedTogether(
        f"nobody is asked all of {', '.join(sorted(names))}: each respondent is asked "
        f"{survey.asked} of the blocks ({listed}); name questions of as many blocks, or declare "
        "them as one crosstab in the next survey"
    )


def reports_of_block(
    block: Block, asked: Iterable[Question], values: Integers, indexes: Integers
) -> Reports:
    """The reports of a block about the questions of a regression.

    The block's other questions are averaged over. Subset selection treats all
    answers alike, so the result is the exact likelihood of the number of
    options in the set for each answer to the asked questions.
    """
    form = block.mechanism.form
    codes, listed = indexes.astype(np.intp), values
    groups: tuple[Indexes, ...] | None = None
    if not form.shape:
        # All possible values are listed in order, so a value is its own index.
        codes, listed = values[indexes].astype(np.intp), np.arange(form.members)
        groups = (np.arange(form.members),)
    kept = [question for question in block.questions if question in tuple(asked)]
    likelihoods = block_likelihood(block, listed)
    scored = _scores(block, likelihoods)
    if block.cells:
        membership = combined_membership(block, kept)
        # Answers that cannot occur together have the probability 0.
        likelihoods = likelihoods @ membership / np.maximum(membership.sum(axis=0), 1)
        scored = None if scored is None else scored @ membership
    channel = ReportChannel.known(likelihoods, groups, scored)
    return Reports(tuple(map(_variable, kept)), codes, channel, block.epsilon)


def _scores(block: Block, likelihoods: Floats) -> Floats | None:
    """Unbiased indicators of each answer, in closed form for subset selection."""
    mechanism = block.mechanism
    if not isinstance(mechanism, Subset):
        return None
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    supports = likelihoods > likelihoods.min(axis=1, keepdims=True)
    return np.asarray((supports - flip) / (keep - flip))


def _variable(question: Question) -> Variable:
    known = numeric_levels(question)
    numbers = None
    if known is not None:
        numbers = (*known, *([math.nan] * (len(question.names) - len(known))))
    return Variable(question.id, question.names, numbers)


def _check_kinds(asked: Sequence[Question]) -> None:
    for question in asked:
        if isinstance(question.domain, SomeOf):
            raise InvalidArgument(
                f"{question.id} takes several options at once; allowed in a formula are "
                "questions of the types yes_no, choice, scale and number: ask each option as a "
                "yes_no of its own"
            )


def _ids(questions: Iterable[Question]) -> set[str]:
    return {question.id for question in questions}
