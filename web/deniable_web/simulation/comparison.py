"""Estimates beside the truth that a simulation knows, as plain JSON values."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from deniable_analysis import Study
from deniable_analysis.results import (
    DistributionEstimate,
    MeanEstimate,
    QuestionEstimate,
    ShareEstimate,
)
from deniable_analysis.results.answers import numeric_levels
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.text import text_document
from deniable_web.results.findings import QUARTILES
from deniable_web.simulation.respondents import Truth

_ENDS = ("low", "high")
_PARTS = ("mechanism_variance", "sampling_variance")
_OF_SHARE = ("share", *_ENDS, "valid_share", *_PARTS)
_OF_MEAN = ("value", *_ENDS, "variance", *_PARTS)

Document = dict[str, Any]


def compare_with_truth(study: Study, truth: Truth, confidence: float) -> Document:
    """Every estimate, its interval, the truth, and whether the interval covers it."""
    result = study.estimate(confidence=confidence)
    asked = {question.id: question for question in study.survey.reported}
    pairs = [(question, asked[question.question]) for question in result.questions]
    estimates = [
        {
            "question": question.id,
            "option": option.option,
            **_compare(option, _OF_SHARE, truth.share(question, option.option)),
        }
        for estimate, question in pairs
        for option in estimate.options
    ]
    cells = [
        {
            "crosstab": table.block,
            "options": list(cell.options),
            **_compare(cell, _OF_SHARE, truth.cell(table.block, cell.options)),
        }
        for table in result.crosstabs
        for cell in table.cells
    ]
    means = [_mean(mean, question, truth) for each, question in pairs if (mean := each.mean)]
    covered = [each["covered"] for each in (*estimates, *cells, *means)]
    distributions = [_distribution(*pair, truth) for pair in pairs]
    return {
        "survey": result.survey,
        "digest": result.digest,
        "confidence": result.confidence,
        "reports": result.reports,
        "covered": covered.count(True),
        "intervals": len(covered) - covered.count(None),
        "estimates": estimates,
        "crosstabs": cells,
        "means": means,
        "distributions": [each for each in distributions if each],
    }


def _compare(
    estimate: ShareEstimate | MeanEstimate, names: Sequence[str], truth: float | None
) -> Document:
    return {
        "truth": truth,
        **{name: getattr(estimate, name) for name in names},
        "covered": covers(estimate.low, truth, estimate.high),
    }


def _mean(mean: MeanEstimate, question: Question, truth: Truth) -> Document:
    named = {"question": question.id, "unit": _unit(mean)}
    return named | _compare(mean, _OF_MEAN, truth.mean(question))


def _distribution(estimate: QuestionEstimate, question: Question, truth: Truth) -> Document | None:
    """The quartiles of those who answered, and the Wasserstein distance in the question's unit.

    The distance is how far the numbers would have to move, on average, to turn one
    distribution into the other.
    """
    estimated = estimate.distribution
    true_shares = truth.distribution(question)
    if estimated is None or true_shares is None:
        return None
    true = DistributionEstimate(estimated.names, true_shares)
    gaps = np.cumsum(np.subtract(estimated.shares, true.shares))[:-1]
    return {
        "question": question.id,
        "unit": _unit(estimate.mean),
        "quartiles": [
            {
                "probability": part,
                "truth": true.quantile(part),
                "estimate": estimated.quantile(part),
            }
            for part in QUARTILES
        ],
        "distance": float(np.abs(gaps) @ np.diff(numeric_levels(question) or ())),
    }


def _unit(mean: MeanEstimate | None) -> object:
    return text_document(mean.unit) if mean and mean.unit is not None else None


def covers(low: float | None, truth: float | None, high: float | None) -> bool | None:
    """Whether an interval covers the truth; None if there is no interval or no truth."""
    return None if low is None or truth is None or high is None else low <= truth <= high
