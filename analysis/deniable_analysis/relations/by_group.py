"""Estimates of each group, of the people of all groups, and of their differences."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from deniable_analysis.defaults import Interval
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.intervals import Correction, corrected
from deniable_analysis.estimate.questions import blocks_of, with_routers
from deniable_analysis.forms import document_of
from deniable_analysis.relations.comparison import mean_difference, option_differences
from deniable_analysis.relations.evidence import Evidence, evidence_of_each
from deniable_analysis.relations.questions import is_one_comparison
from deniable_analysis.relations.stratified import all_invited, mean_of_all_invited, missing_part
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.reports.strata import Stratum, StratumCounts
from deniable_analysis.results.by_group import GroupDifference, GroupedEstimates, GroupedQuestion
from deniable_analysis.results.comparison import Difference
from deniable_analysis.results.responses import response_of
from deniable_sdk.survey.groups import NO_GROUP
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import SurveyCounts


def estimate_by_group(
    study: ReportedSurvey,
    questions: Sequence[Question],
    strata: Sequence[Stratum],
    choice: IntervalChoice,
) -> GroupedEstimates:
    """The estimates of questions for each stratum and for the people of all of them.

    The population of `choice` is ignored, as each stratum has its own, and its planned reports,
    which are those of all. Errors are those of Study.estimate.
    """
    counts = study.counts_by_group()
    blocks = blocks_of(study.survey, with_routers(study.survey, questions))
    counted = [StratumCounts(counts, stratum).count(blocks) for stratum in strata]

    def answered(level: IntervalChoice) -> list[tuple[Evidence, ...]]:
        """The answers to each question, of every stratum."""
        sides = [
            _answered(study, questions, (stratum, each), level)
            for stratum, each in zip(strata, counted, strict=True)
        ]
        return list(zip(*sides, strict=True))

    found = pairs = totals = answered(choice)
    if choice.interval is Interval.ANYTIME:
        # At every look, the intervals of all strata in a difference or sum must hold together.
        pairs, totals = answered(choice.shared(2)), answered(choice.shared(2 * len(strata)))
    return GroupedEstimates(
        responses=tuple(
            response_of(study.survey, stratum.name, stratum.people, each.report_count)
            for stratum, each in zip(strata, counted, strict=True)
        ),
        questions=tuple(
            _grouped(question, sides, (pair, total), choice)
            for question, sides, pair, total in zip(questions, found, pairs, totals, strict=True)
        ),
        without_group=counts.count(NO_GROUP, ()).report_count if study.survey.link_groups else 0,
    )


def _answered(
    study: ReportedSurvey,
    questions: Sequence[Question],
    counted: tuple[Stratum, SurveyCounts],
    choice: IntervalChoice,
) -> list[Evidence]:
    """The answers of a stratum to each question."""
    stratum, counts = counted
    # A link can be passed on, and used twice.
    is_sample = study.survey.invited and counts.report_count <= stratum.people
    population = stratum.people if is_sample else None
    of_stratum = replace(choice, population=population, planned=None)
    answered = evidence_of_each(study, questions, counts, of_stratum, stratum.name)
    return [replace(each, people=stratum.people) for each in answered]


def _grouped(
    question: Question,
    sides: Sequence[Evidence],
    joined: tuple[Sequence[Evidence], Sequence[Evidence]],
    choice: IntervalChoice,
) -> GroupedQuestion:
    """The estimates of a question; `joined` are the sides of differences, and of sums."""
    pairs, totals = joined
    interval, options = all_invited(question, totals, choice)
    return GroupedQuestion(
        question=question.id,
        type=question.type,
        groups=tuple((side.label, side.estimate) for side in sides),
        missing=tuple(part for part in map(missing_part, sides) if part),
        interval=interval,
        options=options,
        mean=mean_of_all_invited(question, totals, choice),
        correction=Correction.HOLM.value,
        differences=_differences(question, pairs, choice),
    )


def _differences(
    question: Question, sides: Sequence[Evidence], choice: IntervalChoice
) -> tuple[GroupDifference, ...]:
    """The differences of all pairs; p-values of shares and of means are adjusted apart."""
    reported = [side for side in sides if side.estimate.reports]
    pairs = list(itertools.combinations(reported, 2))
    shares = list(zip(pairs, option_differences(pairs, choice), strict=True))
    means = [
        (pair, [mean])
        for pair in pairs
        for one, other in [pair]
        if (mean := mean_difference(one, other, choice))
    ]
    # The second of two options differs as the first does, so it is no test of its own.
    tested = 1 if is_one_comparison(question) else len(question.names)
    return (*_adjusted(shares, tested), *_adjusted(means, 1))


def _adjusted(
    found: Sequence[tuple[tuple[Evidence, Evidence], Sequence[Difference]]], tested: int
) -> list[GroupDifference]:
    """Differences with p-values adjusted over those of the first `tested` options of each pair."""
    p_values = [each.p_value for _, row in found for each in row[:tested]]
    adjusted = iter(corrected(p_values, Correction.HOLM))
    latest: float | None = None
    differences = []
    for pair, row in found:
        for index, each in enumerate(row):
            latest = next(adjusted) if index < tested else latest
            numbers = {**document_of(each), "adjusted_p_value": latest}
            names = pair[0].label, pair[1].label
            differences.append(GroupDifference(**numbers, groups=names))
    return differences
