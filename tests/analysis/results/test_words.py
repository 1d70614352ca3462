"""One of something is not called by its plural."""

import math

import numpy as np
import pytest

from analysis.related import yes_no_apart, yes_no_study
from deniable_analysis import regress
from deniable_analysis.errors import NotIdentified
from deniable_analysis.simulation import simulate_survey
from deniable_sdk.wording import counted


def test_numbers_stand_before_what_they_count() -> None:
    """One has the singular, none and several the plural, which may be irregular."""
    assert [counted(n, "report") for n in range(3)] == ["0 reports", "1 report", "2 reports"]
    assert counted(1, "person", plural="people") == "1 person"
    assert counted(7_000_000, "person", plural="people", commas=True) == "7,000,000 people"


@pytest.mark.parametrize(("reports", "said"), [(1, "1 report"), (2, "2 reports")])
def test_a_study_of_one_report_says_so(reports: int, said: str) -> None:
    """Titles of estimates and crosstabs, and warnings, count in words."""
    shown = str(yes_no_study(reports, 0).estimate())
    assert f"edition 1: {said};" in shown
    assert f"asthma (yes_no): {said}, epsilon" in shown
    answers = {"asthma": [0] * reports, "limited": [0] * reports}
    study = simulate_survey(yes_no_apart(), answers, np.random.default_rng(4))
    crosstab = study.crosstab("asthma", "limited")
    assert f"(separate): {said}, epsilon" in crosstab.title
    assert f"asked of only {said.replace('report', 'respondent')};" in crosstab.warnings[0]


def test_a_single_row_that_is_left_out_is_one() -> None:
    """A regression without one row says so of that one."""
    table = {"income": [1.0, 2.5, 2.0, 4.5, 5.0], "age": [1.0, 2.0, 3.0, 4.0, math.nan]}
    assert "; 1 row left out, with something missing" in str(regress("income ~ age", table))


def test_errors_count_in_words_too() -> None:
    """What is wrong with one report is said of one report."""
    with pytest.raises(NotIdentified, match="got 1 report on 'asthma' and 'limited', with too"):
        simulate_survey(
            yes_no_apart(), {"asthma": [0], "limited": [0]}, np.random.default_rng(4)
        ).independence("asthma", "limited")
