"""All numbers of a survey's page, computed once and then cached."""

from collections.abc import Mapping
from dataclasses import dataclass

from deniable_analysis import (
    Comparison,
    Estimates,
    IndependenceTest,
    Interval,
    NotIdentified,
    Quantiles,
    Study,
    compare,
)
from deniable_analysis.errors import DifferentQuestions, QuestionNotFound
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.questions import Question

QUARTILES = (0.25, 0.5, 0.75)


@dataclass(frozen=True, slots=True)
class ResultChoices:
    """The options for showing results.

    Args:
        confidence: how often an interval contains the true value.
        interval: the kind of interval; None for the one that the survey's end allows.
    """

    confidence: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class EditionFindings:
    """The estimates of one edition.

    Args:
        survey: the survey of the edition.
        estimates: the estimates for every question and crosstab.
        quantiles: the quantiles, by question; only some questions have any.
        tests: the tests of independence, by the block of a crosstab of two questions.
        comparisons: the comparisons with an earlier edition, by question.
    """

    survey: PublishedSurvey
    estimates: Estimates
    quantiles: Mapping[str, Quantiles]
    tests: Mapping[str, IndependenceTest]
    comparisons: Mapping[str, Comparison]


def find(study: Study, choices: ResultChoices, earlier: Study | None = None) -> EditionFindings:
    """A study's findings, compared with those of an earlier edition if there is one."""
    return EditionFindings(
        survey=study.survey,
        estimates=study.estimate(confidence=choices.confidence, interval=choices.interval),
        quantiles=_quantiles(study, choices),
        tests=_tests(study),
        comparisons={} if earlier is None else _comparisons(study, earlier, choices),
    )


def _quantiles(study: Study, choices: ResultChoices) -> dict[str, Quantiles]:
    found = {}
    for question in study.survey.reported:
        if question.scale is Scale.NOMINAL:
            continue
        try:
            found[question.id] = study.quantiles(
                question.id, QUARTILES, confidence=choices.confidence
            )
        except NotIdentified:
            continue  # its mechanism reveals only the mean, or there are too few reports
    return found


def _tests(study: Study) -> dict[str, IndependenceTest]:
    found = {}
    for block in study.survey.blocks:
        if len(block.questions) != 2:
            continue
        first, second = block.questions
        if _leads_to(first, second) or _leads_to(second, first):
            continue  # one question decides who is asked the other, so they are never independent
        try:
            found[block.id] = study.independence(first.id, second.id)
        except NotIdentified:
            continue  # too few reports for a test
    return found


def _leads_to(router: Question, question: Question) -> bool:
    """Whether the answer to a question decides who is asked another one."""
    return question.show_if is not None and question.show_if.question == router.id


def _comparisons(study: Study, earlier: Study, choices: ResultChoices) -> dict[str, Comparison]:
    found = {}
    for question in study.survey.reported:
        try:
            found[question.id] = compare(
                study,
                earlier,
                question.id,
                confidence=choices.confidence,
                interval=choices.interval,
            )
        except (QuestionNotFound, DifferentQuestions, NotIdentified):
            continue  # not asked in the same way in both, or not yet answered in one
    return found
