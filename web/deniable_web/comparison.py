"""Estimates beside the truth, where a simulation knows it."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from deniable_analysis import Study
from deniable_web.simulation import SimulatedRespondents


class ComparedEstimate(TypedDict):
    """One option: what is true of the table, and what the reports say."""

    question: str
    option: str
    truth: float
    share: float | None
    low: float | None
    high: float | None
    valid_share: float | None
    mechanism_variance: float | None
    sampling_variance: float | None
    covered: bool | None


class Comparison(TypedDict):
    """All estimates of a survey beside the truth."""

    survey: str
    digest: str
    confidence: float
    reports: int
    covered: int
    intervals: int
    estimates: list[ComparedEstimate]


def compare_with_truth(
    study: Study, respondents: SimulatedRespondents, confidence: float
) -> Comparison:
    """Every estimate, its interval, the truth, and whether it is covered."""
    result = study.estimate(confidence=confidence)
    estimates = [
        ComparedEstimate(
            question=question.question,
            option=option.option,
            truth=(truth := respondents.true_share(question.question, option.option)),
            share=option.share,
            low=option.low,
            high=option.high,
            valid_share=option.valid_share,
            mechanism_variance=option.mechanism_variance,
            sampling_variance=option.sampling_variance,
            covered=_covers(option.low, truth, option.high),
        )
        for question in result.questions
        for option in question.options
    ]
    return Comparison(
        survey=result.survey,
        digest=result.digest,
        confidence=result.confidence,
        reports=result.reports,
        covered=[estimate["covered"] for estimate in estimates].count(True),
        intervals=sum(estimate["covered"] is not None for estimate in estimates),
        estimates=estimates,
    )


def _covers(low: float | None, truth: float, high: float | None) -> bool | None:
    return None if low is None or high is None else low <= truth <= high


def comparison_rows(comparison: Comparison) -> Sequence[Mapping[str, object]]:
    """The comparison as rows of a table for people."""
    return [
        {
            "question": estimate["question"],
            "option": estimate["option"],
            "truth": estimate["truth"],
            "estimate": estimate["share"],
            "low": estimate["low"],
            "high": estimate["high"],
            "holds the truth": estimate["covered"],
        }
        for estimate in comparison["estimates"]
    ]
