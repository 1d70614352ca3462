"""Pooled estimates and tests do not depend on variances that their own reports show."""

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analysis.enumerated import with_mechanism
from analysis.related import LN3, MUST, counted_study
from deniable_analysis import Study, compare, pool_studies, trend
from deniable_sdk import PublishedSurvey, theory
from deniable_sdk.mechanisms import OneOf, Piecewise, Subset
from deniable_sdk.weights import Weights
from sample_definitions import choice, number, scale
from there import there

Counts = NDArray[np.int64]
STEPS = Piecewise(OneOf(5), 4, 2, Weights(20, 1))
ASKED = with_mechanism(STEPS, number(highest=4, **MUST))


def edition(published: PublishedSurvey, counts: Sequence[int], place: int = 1) -> Study:
    """An edition of a survey of one block, with these counts."""
    (block,) = published.blocks
    study = counted_study(published, **{block.id: list(counts)})
    return dataclasses.replace(study, edition=place)


def pooled(published: PublishedSurvey, *counts: Sequence[int]) -> list[float]:
    """The pooled shares and the pooled mean of editions with these counts."""
    studies = [edition(published, each, place) for place, each in enumerate(counts, start=1)]
    (question,) = pool_studies(studies).questions
    shares = [there(option.share) for option in question.options]
    return [*shares, *([there(question.mean.value)] if question.mean else [])]


@pytest.mark.parametrize(
    ("published", "outputs"),
    [
        (ASKED, 6),
        (with_mechanism(Subset(5, 1, LN3), scale(levels=5, **MUST)), 5),
        (with_mechanism(Subset(4, 1, LN3), choice(options=4, **MUST)), 4),
    ],
    ids=["number", "scale", "choice"],
)
def test_weights_do_not_depend_on_the_reports(published: PublishedSurvey, outputs: int) -> None:
    """One report that is moved changes what is pooled equally, whatever all other reports are."""
    skewed, even = [190, *[2] * (outputs - 2), 10], [30] * outputs
    few, moved = [20, *[0] * (outputs - 1)], [19, *[0] * (outputs - 2), 1]
    changes = [
        np.subtract(pooled(published, moved, other), pooled(published, few, other))
        for other in (skewed, skewed[::-1])
    ]
    assert changes[0] == pytest.approx(changes[1])
    assert pooled(published, even, even) == pytest.approx(pooled(published, even))


def test_editions_of_one_design_are_pooled_like_one_store() -> None:
    """The mean is that of all reports together; also with "no answer", of unequal parts."""
    optional = with_mechanism(
        Piecewise(OneOf(5, offers_no_answer=True), 4, 2, Weights(20, 1)), number(highest=4)
    )
    for published, parts in (
        (ASKED, ([9, 0, 0, 0, 1, 0], [60, 30, 5, 5, 10, 10], [1, 0, 0, 0, 0, 0])),
        (optional, ([9, 0, 0, 0, 1, 0, 9], [60, 30, 5, 5, 10, 10, 2])),
    ):
        together = np.sum(parts, axis=0).tolist()
        alone = edition(published, together).estimate().questions[0].mean
        studies = [edition(published, each, place) for place, each in enumerate(parts)]
        found = pool_studies(studies).questions[0]
        assert found.weights == pytest.approx([sum(each) / sum(together) for each in parts])
        assert there(found.mean).value == pytest.approx(there(alone).value)
        assert there(found.mean).variance == pytest.approx(there(there(alone).variance), rel=0.05)


def level(test: str, epsilon: Weights, sizes: tuple[int, int]) -> float:
    """How often, exactly, two editions of equally skewed answers differ at 5 percent."""
    mechanism = Piecewise(OneOf(2), 1, 1, epsilon)
    published = with_mechanism(mechanism, number(highest=1, **MUST))
    law = np.array(list(theory.channel(mechanism).values()), np.float64) @ [0.95, 0.05]
    found = 0.0
    for one in range(sizes[0] + 1):
        for other in range(sizes[1] + 1):
            chance = stats.binom.pmf(one, sizes[0], law[1]) * stats.binom.pmf(
                other, sizes[1], law[1]
            )
            if chance < 1e-7:
                continue
            first, second = (
                edition(published, [size - count, count], place)
                for place, (size, count) in enumerate(zip(sizes, (one, other), strict=True))
            )
            if test == "compare":
                p_value = there(compare(first, second, "visits").mean).p_value
            else:
                mean = trend([first, second], "visits").mean
                p_value = mean.change_p_value if mean else None
            found += chance * (p_value is not None and p_value < 0.05)
    return found


@pytest.mark.parametrize("test", ["compare", "trend"])
@pytest.mark.parametrize("sizes", [(30, 30), (15, 60)])
def test_equal_means_of_skewed_answers_hardly_ever_differ(
    test: str, sizes: tuple[int, int]
) -> None:
    """Summed over all counts, in at most 6 percent of surveys."""
    assert level(test, Weights(200, 1), sizes) < 0.06


def test_own_variances_would_reject_too_often() -> None:
    """The test above can fail: unequal editions with their own variances reject in 9 percent."""
    mechanism = Piecewise(OneOf(2), 1, 1, Weights(200, 1))
    rate = float(
        (np.array(list(theory.channel(mechanism).values()), np.float64) @ [0.95, 0.05])[1]
    )
    one, other = (np.arange(size + 1) / size for size in (15, 60))
    spread = one[:, None] * (1 - one[:, None]) / 14 + other * (1 - other) / 59
    rejects = (one[:, None] - other) ** 2 > stats.norm.isf(0.025) ** 2 * spread
    chances = np.outer(stats.binom.pmf(range(16), 15, rate), stats.binom.pmf(range(61), 60, rate))
    assert chances[rejects].sum() > 0.09
    assert math.isclose(chances.sum(), 1)
