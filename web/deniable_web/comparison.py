"""Estimates beside the truth that a simulation knows."""

from collections.abc import Iterator
from itertools import chain
from typing import TypedDict

import numpy as np

from deniable_analysis import (
    CrosstabEstimate,
    DistributionEstimate,
    QuestionEstimate,
    ShareEstimate,
    Study,
)
from deniable_analysis.mechanisms.scores import scores
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.text import Text, text_document
from deniable_web.truth import Truth

QUARTILES = (0.25, 0.5, 0.75)


class ComparedShare(TypedDict):
    """A share: its true value in the table, and its estimate from the reports."""

    truth: float
    share: float | None
    low: float | None
    high: float | None
    valid_share: float | None
    mechanism_variance: float | None
    sampling_variance: float | None
    covered: bool | None


class ComparedEstimate(ComparedShare):
    """The share of one option."""

    question: str
    option: str


class ComparedCell(ComparedShare):
    """The share of one cell of a crosstab: an option for each of its questions."""

    crosstab: str
    options: list[str]


class ComparedMean(TypedDict):
    """The mean among those who answered, in the question's unit."""

    question: str
    unit: object
    truth: float | None
    value: float | None
    low: float | None
    high: float | None
    variance: float | None
    mechanism_variance: float | None
    sampling_variance: float | None
    covered: bool | None


class ComparedQuartile(TypedDict):
    """The smallest number that this part of those who answered does not exceed."""

    probability: float
    truth: str
    estimate: str


class ComparedDistribution(TypedDict):
    """The numbers of those who answered.

    `distance` is the Wasserstein distance in the question's unit: how far the numbers would
    have to move, on average, to turn one distribution into the other.
    """

    question: str
    unit: object
    quartiles: list[ComparedQuartile]
    distance: float


class TruthComparison(TypedDict):
    """All estimates of a survey beside the truth."""

    survey: str
    digest: str
    confidence: float
    reports: int
    covered: int
    intervals: int
    estimates: list[ComparedEstimate]
    crosstabs: list[ComparedCell]
    means: list[ComparedMean]
    distributions: list[ComparedDistribution]


def compare_with_truth(study: Study, truth: Truth, confidence: float) -> TruthComparison:
    """Every estimate, its interval, the truth, and whether the interval covers it."""
    result = study.estimate(confidence=confidence)
    asked = {question.id: question for question in study.survey.reported}
    pairs = [(question, asked[question.question]) for question in result.questions]
    estimates = [each for pair in pairs for each in _options(*pair, truth)]
    cells = [each for table in result.crosstabs for each in _cells(table, study.survey, truth)]
    means = [each for pair in pairs for each in _mean(*pair, truth)]
    covered = [
        each["covered"] for each in chain[ComparedShare | ComparedMean](estimates, cells, means)
    ]
    return TruthComparison(
        survey=result.survey,
        digest=result.digest,
        confidence=result.confidence,
        reports=result.reports,
        covered=covered.count(True),
        intervals=len(covered) - covered.count(None),
        estimates=estimates,
        crosstabs=cells,
        means=means,
        distributions=[each for pair in pairs for each in _distribution(*pair, truth)],
    )


def _options(
    estimate: QuestionEstimate, question: Question, truth: Truth
) -> Iterator[ComparedEstimate]:
    for option in estimate.options:
        compared = _compare(option, truth.share(question, option.option))
        yield ComparedEstimate(question=question.id, option=option.option, **compared)


def _cells(
    estimate: CrosstabEstimate, survey: PublishedSurvey, truth: Truth
) -> Iterator[ComparedCell]:
    block = survey.block(estimate.block)
    for index, cell in enumerate(estimate.cells):
        compared = _compare(cell, truth.cell(block, index))
        yield ComparedCell(crosstab=block.id, options=list(cell.options), **compared)


def _compare(estimate: ShareEstimate, truth: float) -> ComparedShare:
    return ComparedShare(
        truth=truth,
        share=estimate.share,
        low=estimate.low,
        high=estimate.high,
        valid_share=estimate.valid_share,
        mechanism_variance=estimate.mechanism_variance,
        sampling_variance=estimate.sampling_variance,
        covered=covers(estimate.low, truth, estimate.high),
    )


def _mean(estimate: QuestionEstimate, question: Question, truth: Truth) -> Iterator[ComparedMean]:
    mean = estimate.mean
    if mean is not None:
        true_mean = truth.mean(question)
        yield ComparedMean(
            question=question.id,
            unit=_unit(mean.unit),
            truth=true_mean,
            value=mean.value,
            low=mean.low,
            high=mean.high,
            variance=mean.variance,
            mechanism_variance=mean.mechanism_variance,
            sampling_variance=mean.sampling_variance,
            covered=covers(mean.low, true_mean, mean.high),
        )


def _distribution(
    estimate: QuestionEstimate, question: Question, truth: Truth
) -> Iterator[ComparedDistribution]:
    estimated = estimate.distribution
    true_shares = truth.distribution(question)
    if estimated is None or true_shares is None:
        return
    true = DistributionEstimate(estimated.names, true_shares)
    gaps = np.cumsum(np.subtract(estimated.shares, true.shares))[:-1]
    yield ComparedDistribution(
        question=question.id,
        unit=_unit(estimate.mean.unit if estimate.mean else None),
        quartiles=[
            ComparedQuartile(
                probability=part, truth=true.quantile(part), estimate=estimated.quantile(part)
            )
            for part in QUARTILES
        ],
        distance=float(np.abs(gaps) @ np.diff(scores(question) or ())),
    )


def _unit(unit: Text | None) -> object:
    return None if unit is None else text_document(unit)


def covers(low: float | None, truth: float | None, high: float | None) -> bool | None:
    """Whether an interval covers the truth; None if there is no interval or no truth."""
    return None if low is None or truth is None or high is None else low <= truth <= high
