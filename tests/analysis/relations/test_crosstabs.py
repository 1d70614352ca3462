"""Crosstabs of joint blocks, and what is read from any crosstab."""

import math

import numpy as np
import pytest

from analysis.related import (
    LN3,
    MUST,
    basis_of,
    counted_study,
    table_study,
    with_mechanisms,
    yes_no_apart,
)
from deniable_analysis.errors import NotAskedTogether, NotIdentified, QuestionNotFound
from deniable_analysis.results import Crosstab
from deniable_analysis.simulation import simulate_survey
from deniable_sdk.mechanisms import Subset
from sample_definitions import choice, multiple, scale, survey, yes_no

JOINT = survey(
    yes_no(**MUST), choice(options=3, **MUST), crosstabs=[["asthma", "region"]], epsilon=2
)


REPORTED = [[420, 180], [150, 250]]


def apart(known_table: list[list[int]] | None = None) -> Crosstab:
    """The crosstab of two yes/no questions asked apart."""
    return table_study(yes_no_apart(), known_table or REPORTED).crosstab("asthma", "limited")


def test_cells_of_a_joint_block_are_those_of_the_estimate() -> None:
    """A joint block's crosstab has the cells, intervals and margins that estimate gives."""
    study = counted_study(JOINT, asthma_x_region=[300, 100, 150, 120, 200, 130])
    found, estimates = study.crosstab("asthma", "region"), study.estimate()
    assert found.cells == estimates.crosstabs[0].cells
    assert (found.rows, found.columns) == tuple(each.options for each in estimates.questions)
    assert (found.design, found.interval) == ("joint", "wilson")


def test_the_questions_may_be_turned() -> None:
    """The rows are the first question's, whatever their order in the block."""
    study = counted_study(JOINT, asthma_x_region=[300, 100, 150, 120, 200, 130])
    there, back = study.crosstab("asthma", "region"), study.crosstab("region", "asthma")
    turned = {cell.options[::-1]: cell.share for cell in back.cells}
    assert turned == {cell.options: cell.share for cell in there.cells}
    assert back.rows == there.columns


@pytest.mark.parametrize("size", [1, 2])
def test_a_block_of_three_questions_gives_the_crosstab_of_two(size: int) -> None:
    """Cells of two of three questions are sums over the third, with their covariances."""
    published = survey(
        yes_no(**MUST), yes_no("limited", **MUST), yes_no("smokes", **MUST),
        crosstabs=[["asthma", "limited", "smokes"]],
    )  # fmt: skip
    published = with_mechanisms(published, Subset(8, size, LN3))
    counts = [90, 70, 60, 80, 50, 40, 75, 85]
    study = counted_study(published, asthma_x_limited_x_smokes=[size * each for each in counts])
    pair, whole = study.crosstab("asthma", "smokes"), study.estimate().crosstabs[0]
    shares = np.array([cell.share for cell in whole.cells], dtype=float).reshape(2, 2, 2)
    assert [cell.share for cell in pair.cells] == pytest.approx(shares.sum(axis=1).ravel())
    assert pair.interval == ("wilson" if size == 1 else "normal")
    assert all(cell.low < cell.share < cell.high for cell in pair.cells)  # type: ignore[operator]


def test_shares_of_a_row_sum_to_one_and_have_delta_intervals() -> None:
    """Cells over their row have the variance of a ratio, by finite differences."""
    found = apart()
    first = found.within_rows[:2]
    assert [cell.share for cell in first] == pytest.approx([0.76 / 0.7, -0.06 / 0.7])
    basis = basis_of(np.array(REPORTED), Subset(2, 1, LN3), Subset(2, 1, LN3))
    shares, step = basis.cells.shares, 1e-6
    slopes = [
        ((shares + step * unit)[0] / (shares + step * unit)[:2].sum() - 0.76 / 0.7) / step
        for unit in np.eye(4)
    ]
    variance = np.array(slopes) @ basis.cells.covariances @ np.array(slopes)
    assert first[0].standard_error == pytest.approx(math.sqrt(variance), rel=1e-4)


def test_a_row_without_anybody_leaves_everything_open() -> None:
    """Where a row may be empty, its cells may be anything from 0 to 1, and a warning says so."""
    found = apart([[700, 200], [60, 40]])
    for cell in found.within_rows[2:]:
        assert (cell.low, cell.high, cell.standard_error) == (0, 1, None)
    assert "nobody may have answered 'no'" in "\n".join(found.warnings)
    assert math.isnan(found.within_rows_to_frame()["standard_error"].iloc[3])


def test_impossible_cells_are_warned_of() -> None:
    """A cell that is far below 0 by chance alone hardly ever is named."""
    found = apart([[0, 500], [500, 0]])
    warned = "\n".join(found.warnings)
    assert "the raw share of 'yes, yes' lies" in warned
    assert "standard errors below 0" in warned
    assert found.cells[0].share is not None
    assert found.cells[0].share < 0


def test_few_reports_are_warned_of() -> None:
    """Normal intervals from fewer than 100 respondents are called rough."""
    assert (
        "both questions were asked of only 40 respondents" in apart([[15, 5], [8, 12]]).warnings[0]
    )


def test_valid_counts_are_whole_and_sum_to_the_reports() -> None:
    """The valid table is of whole respondents, as near to the valid shares as can be."""
    found = apart()
    assert found.valid_counts() == ((670, 0), (0, 330))
    frame = found.counts_to_frame()
    assert frame.to_numpy().sum() == 1000
    assert (frame.index.name, frame.columns.name) == ("asthma", "limited")
    assert frame.loc["yes", "yes"] == 670


def test_the_crosstab_has_all_forms() -> None:
    """A crosstab is a document, a frame, a text and a plot, all of the same numbers."""
    found = apart()
    document = found.to_document()
    assert [cell["options"] for cell in document["cells"]] == [
        ["yes", "yes"], ["yes", "no"], ["no", "yes"], ["no", "no"],
    ]  # fmt: skip
    assert found.to_frame()["share"].tolist() == pytest.approx([0.76, -0.06, -0.12, 0.42])
    assert "asthma x limited (separate): 1000 reports, epsilon 2.197" in str(found)
    assert "yes, no   -0.0600  -0.1305   0.0105  0.0000" in str(found)
    (chart,) = found.charts()
    assert [mark.name for mark in chart.marks] == ["yes, yes", "yes, no", "no, yes", "no, no"]


def test_questions_that_were_never_asked_together_are_refused() -> None:
    """Asked one block each, nobody can relate two; the error says what to declare."""
    published = survey(yes_no(**MUST), choice(**MUST), ask=1)
    study = counted_study(published, asthma=[5, 5], region=[1, 2, 3])
    with pytest.raises(NotAskedTogether, match=r"crosstabs: \[\[asthma, region\]\] before"):
        study.crosstab("asthma", "region")


def test_without_reports_the_error_says_to_wait() -> None:
    """No joint report, and nobody asked both, are told apart."""
    with pytest.raises(NotIdentified, match="no report carries block 'asthma_x_region' yet"):
        counted_study(JOINT).crosstab("asthma", "region")
    with pytest.raises(NotIdentified, match="'limited' yet; wait for reports before relating"):
        table_study(yes_no_apart(), [[0, 0], [0, 0]]).crosstab("asthma", "limited")


def test_what_cannot_be_crossed_is_refused() -> None:
    """The same question twice, one that is not there, and a multiple choice."""
    published = survey(yes_no(**MUST), multiple(), ask="all")
    study = counted_study(published, asthma=[5, 5])
    with pytest.raises(NotIdentified, match="got the question 'asthma' twice"):
        study.crosstab("asthma", "asthma")
    with pytest.raises(QuestionNotFound, match="got the question 'region'"):
        study.crosstab("asthma", "region")
    with pytest.raises(NotIdentified, match=r"'drugs' \(multiple\) is randomized by"):
        study.crosstab("asthma", "drugs")


def test_simulated_surveys_give_their_crosstab() -> None:
    """Through the channels of a survey with sets and an optional scale, cells come out."""
    published = survey(yes_no(**MUST), scale(levels=4), ask="all", epsilon=6)
    generator = np.random.default_rng(4)
    asthma = generator.choice(2, size=50_000, p=[0.3, 0.7])
    stress = np.where(asthma == 0, 3, generator.choice(5, size=50_000))
    study = simulate_survey(published, {"asthma": asthma, "stress": stress}, generator)
    found = study.crosstab("asthma", "stress")
    truth = [np.mean((asthma == i) & (stress == j)) for i in range(2) for j in range(5)]
    for cell, share in zip(found.cells, truth, strict=True):
        assert cell.share is not None
        assert cell.standard_error is not None
        assert abs(cell.share - share) < 5 * cell.standard_error
