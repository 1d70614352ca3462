"""Estimates of each group of invited people, of all of them, and of their differences."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from deniable_analysis.estimation.questions import blocks_of, estimate_questions, with_routers
from deniable_analysis.estimators.difference import Correction, corrected
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.relations.comparison import (
    is_one_comparison,
    mean_difference,
    option_differences,
)
from deniable_analysis.relations.evidence import evidence_of
from deniable_analysis.relations.stratified import (
    AnsweredStratum,
    all_invited,
    mean_of_all_invited,
)
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.reports.strata import Stratum, StratumCounts
from deniable_analysis.results import (
    Difference,
    GroupDifference,
    GroupedEstimates,
    GroupedQuestion,
    ResponseRate,
)
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import SurveyCounts


def estimate_by_group(
    study: ReportedSurvey,
    questions: Sequence[Question],
    strata: Sequence[Stratum],
    choice: IntervalChoice,
) -> GroupedEstimates:
    """The estimates of questions for each stratum and for all invited people.

    Args:
        study: study of a survey by invitation.
        questions: questions of the survey.
        strata: its groups, some of them merged.
        choice: which intervals; the population is that of each stratum.
    Raises:
        NoGroups: the survey is not closed, or the source has no groups.
        UnreadableStudy: a report has a group that is not invited.
        UnsupportedMechanism: this version cannot analyse a block.
    """
    counts, blocks = (
        study.counts_by_group(),
        blocks_of(study.survey, with_routers(study.survey, questions)),
    )
    counted = [StratumCounts(counts, stratum).count(blocks) for stratum in strata]
    answered = [
        _answered(study, questions, (stratum, each), choice)
        for stratum, each in zip(strata, counted, strict=True)
    ]
    return GroupedEstimates(
        responses=tuple(
            ResponseRate(group=stratum.name, invited=stratum.invited, reports=each.report_count)
            for stratum, each in zip(strata, counted, strict=True)
        ),
        questions=tuple(
            _grouped(question, sides, choice)
            for question, *sides in zip(questions, *answered, strict=True)
        ),
    )


def _answered(
    study: ReportedSurvey,
    questions: Sequence[Question],
    counted: tuple[Stratum, SurveyCounts],
    choice: IntervalChoice,
) -> list[AnsweredStratum]:
    """The answers of a stratum to each question."""
    stratum, counts = counted
    population = stratum.invited if counts.report_count <= stratum.invited else None
    of_stratum = replace(choice, population=population)
    found = estimate_questions(study.survey, study.edition, questions, counts, of_stratum)
    return [
        AnsweredStratum(
            stratum, evidence_of(study.survey, each, counts, population), counts, study.survey
        )
        for each in found.questions
    ]


def _grouped(
    question: Question, sides: Sequence[AnsweredStratum], choice: IntervalChoice
) -> GroupedQuestion:
    interval, options = all_invited(question, sides, choice)
    return GroupedQuestion(
        question=question.id,
        type=question.type,
        groups=tuple((side.stratum.name, side.evidence.estimate) for side in sides),
        missing=tuple(side.missing for side in sides if side.missing),
        interval=interval,
        options=options,
        mean=mean_of_all_invited(question, sides, choice.confidence),
        correction=Correction.HOLM.value,
        differences=_differences(question, sides),
    )


def _differences(
    question: Question, sides: Sequence[AnsweredStratum]
) -> tuple[GroupDifference, ...]:
    """The differences of all pairs; p-values of shares and of means are adjusted apart."""
    reported = [side for side in sides if side.evidence.estimate.reports]
    pairs = list(itertools.combinations(reported, 2))
    shares = [
        (pair, index, each)
        for pair in pairs
        for index, each in enumerate(option_differences(pair[0].evidence, pair[1].evidence))
    ]
    means = [
        (pair, 0, each)
        for pair in pairs
        if (each := mean_difference(*(side.evidence.estimate.mean for side in pair)))
    ]
    # The second of two options differs as the first does, so it is no test of its own.
    tested = 1 if is_one_comparison(question) else len(question.names)
    return (*_adjusted(shares, tested), *_adjusted(means, 1))


def _adjusted(
    found: Sequence[tuple[tuple[AnsweredStratum, AnsweredStratum], int, Difference]], tested: int
) -> list[GroupDifference]:
    """Differences with p-values adjusted over those of the first `tested` options of each pair."""
    p_values = [each.p_value for _, index, each in found if index < tested]
    adjusted = iter(corrected(p_values, Correction.HOLM))
    latest: float | None = None
    differences = []
    for pair, index, each in found:
        latest = next(adjusted) if index < tested else latest
        numbers = {name: getattr(each, name) for name in each.__dataclass_fields__}
        names = (pair[0].stratum.name, pair[1].stratum.name)
        differences.append(
            GroupDifference(**{**numbers, "adjusted_p_value": latest}, groups=names)
        )
    return differences
