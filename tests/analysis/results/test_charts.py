"""Charts of what regressions and designs find, and a pooled share of one report."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from deniable_analysis import pool_studies, regress
from deniable_analysis.designs import ByGroup, compare_with_direct, direct, warner
from deniable_analysis.simulation import simulate_survey
from sample_definitions import survey, yes_no

ROWS = 400


def table() -> pd.DataFrame:
    """Answers of two groups, one of them asked openly."""
    return pd.DataFrame(
        {
            "answer": [("yes", "no", "no")[row % 3] for row in range(ROWS)],
            "age": [20 + row % 40 for row in range(ROWS)],
            "group": [row % 2 for row in range(ROWS)],
        }
    )


def test_predictions_are_drawn_row_by_row() -> None:
    """The first predictions have a mark each, with the interval of the frame."""
    found = regress("answer ~ age", table(), designs={"answer": warner(0.75)}).predict()
    (chart,) = found.charts()
    frame = found.to_frame()
    assert len(chart.marks) == 20
    for index, mark in enumerate(chart.marks):
        row = frame.iloc[index]
        assert (mark.value, mark.low, mark.high) == (row["prediction"], row["low"], row["high"])
        assert mark.name == f"{row['row']} {row['category']}".rstrip()
    assert found.plot().axes[0].get_title(loc="left").startswith("predictions of answer")


def test_differences_from_direct_answers_are_drawn() -> None:
    """Each category has a mark at its difference."""
    design: Any = ByGroup("group", {0: direct(warner(0.75).true), 1: warner(0.75)})
    found = compare_with_direct(table(), "answer", design=design)
    (chart,) = found.charts()
    assert [mark.value for mark in chart.marks] == [each.difference for each in found.differences]
    assert "200 randomized and 200 direct rows" in chart.title


def test_one_report_has_no_interval_of_zero_width() -> None:
    """A pooled share of a single report has the wide interval of its edition."""
    published = survey(yes_no(required=True), epsilon=1)
    answers = {"asthma": [0]}
    studies = [simulate_survey(published, answers, np.random.default_rng(n)) for n in range(2)]
    (question,) = pool_studies(studies[:1]).questions
    (alone,) = studies[0].estimate().questions
    for option, own in zip(question.options, alone.options, strict=True):
        assert (option.low, option.high) == pytest.approx((own.low, own.high))
        assert own.low is not None
        assert own.low < 0
    assert None not in [option.share for option in question.options]
    assert "asthma" in str(pool_studies(studies))
