"""Exact tests of cumulative shares: their wrong rejections, enumerated, are as few as they say."""

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import multinomial

from deniable_analysis.estimate.ordered import Compared, OrderedReports

MISSED = 0.025
REACH = -float(ndtri(MISSED))


@pytest.mark.parametrize("answered", [1.0, 0.6, 0.05])
@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("extra", [0.1, 0.6, 0.9])
@pytest.mark.parametrize("reports", [1, 3, 8, 20, 60])
def test_few_reports_are_compared_exactly(
    *, answered: float, is_known: bool, extra: float, reports: int
) -> None:
    """Summed over all counts, at shares that are exactly the part."""
    if is_known and answered < 1:
        answered = 1.0
    up, all_reports = (each.ravel() for each in np.indices((reports + 1, reports + 1)))
    up, all_reports = up[up <= all_reports], all_reports[up <= all_reports]
    for part, part_of_outputs in ((0.25, 0.25), (0.25, 0.6), (0.5, 0.1), (0.9, 0.2)):
        chance = (1 - extra) * 0.8
        whole = chance + extra * answered
        lower = chance * part_of_outputs + extra * answered * part
        law = multinomial(reports, [lower, whole - lower, 1 - whole])
        counts = np.column_stack([up, all_reports - up, reports - all_reports])
        chances = np.atleast_1d(law.pmf(counts))
        assert chances.sum() == pytest.approx(1)
        found = Compared(
            up_to=up.astype(float),
            reports=all_reports.astype(float),
            part_of_outputs=np.full(len(up), part_of_outputs),
            chance=np.full(len(up), chance),
            extra=extra,
            among=None if is_known else reports,
        )
        # Only many reports at a rate that is not known are compared by a normal test.
        allowed = MISSED if is_known or reports < 20 else MISSED + 0.0075
        for rejected in (
            found.is_below(part, MISSED, REACH),
            found.is_above(part, MISSED, REACH),
        ):
            assert chances[rejected].sum() <= allowed


@pytest.mark.parametrize("width", [1, 2, 3])
def test_compared_outputs_have_one_probability_under_every_answer(width: int) -> None:
    """And the reports up to an end rise from none to all over so many answers."""
    window, levels, low, extra = 3, 7, 0.01, 0.2
    places = levels + window - 1
    for answer in range(levels):
        law = np.full(places, low)
        law[answer : answer + window] += extra
        asked = OrderedReports(law, np.ones(places), 1, window, low, extra, True)
        for end in range(levels - 1 + width - 1):
            found = asked._compared(np.array([end]), width)
            assert found.reports == pytest.approx(found.chance + found.extra)
            chance = found.chance * found.part_of_outputs
            ramp = (found.up_to - chance) / found.extra
            assert ramp == pytest.approx(np.clip((end + 1 - answer) / width, 0, 1))
