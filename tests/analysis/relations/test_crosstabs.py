"""Crosstabs of joint blocks, and of questions that were randomized apart."""

import itertools
import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from scipy import stats

from analysis.channels import outputs
from analysis.known.numbers import KnownNumber, known
from analysis.related import (
    MUST,
    basis_of,
    channel_matrix,
    counted_study,
    table_study,
    with_mechanisms,
)
from deniable_analysis import (
    Crosstab,
    NotAskedTogether,
    NotIdentified,
    QuestionNotFound,
    project_to_simplex,
)
from deniable_analysis.relations.basis import Basis, separate_basis
from deniable_analysis.reports.counts import Together
from deniable_analysis.simulation import simulate_survey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import choice, multiple, scale, survey, yes_no
from sampling_checks import SampleRejected, check_binomial

LN3 = Weights(3, 1)
APART = with_mechanisms(
    survey(yes_no(**MUST), yes_no("limited", **MUST), ask="all"),
    Subset(2, 1, LN3),
    Subset(2, 1, LN3),
)
JOINT = survey(
    yes_no(**MUST), choice(options=3, **MUST), crosstabs=[["asthma", "region"]], epsilon=2
)
REPORTED = [[420, 180], [150, 250]]


def apart(known_table: list[list[int]] | None = None) -> Crosstab:
    """The crosstab of two yes/no questions asked apart."""
    return table_study(APART, known_table or REPORTED).crosstab("asthma", "limited")


@pytest.mark.parametrize("number", known("worked_example_kronecker_2x2"))
def test_cells_of_separate_questions_are_the_inverse_of_both_channels(
    number: KnownNumber,
) -> None:
    """The worked example's cells, standard errors and valid shares come out."""
    found = apart(number.inputs["reported_counts"])
    expected = number.expected
    shares = [cell.share for cell in found.cells]
    errors = [cell.standard_error for cell in found.cells]
    valid = [cell.valid_share for cell in found.cells]
    assert shares == pytest.approx(np.ravel(expected["estimate"]), abs=number.tolerance)
    assert errors == pytest.approx(np.ravel(expected["se"]), abs=number.tolerance)
    assert valid == pytest.approx(np.ravel(expected["norm_sub"]), abs=number.tolerance)
    assert (found.design, found.interval, found.reports) == ("separate", "normal", 1000)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 1), (2, 2)])
def test_products_of_scores_are_unbiased(sizes: tuple[int, int]) -> None:
    """Over every pair of reports, cells are 1 for the true pair and 0 for others."""
    first, second = Subset(3, sizes[0], LN3), Subset(4, sizes[1], Weights(7, 2))
    for truth in itertools.product(range(3), range(4)):
        mean = np.zeros(12)
        for (one, chances), (other, others) in itertools.product(outputs(first), outputs(second)):
            weight = float(chances[truth[0]] * others[truth[1]])
            mean += weight * one_report(first, second, one, other).cells.shares
        expected = np.zeros((3, 4))
        expected[truth] = 1
        assert mean == pytest.approx(expected.ravel(), abs=1e-12)


def one_report(first: Subset, second: Subset, *sets: frozenset[int]) -> Basis:
    """The cells of a single report of both."""
    values = tuple(np.array([sorted(each)]) for each in sets)
    shaped = tuple(
        value[:, 0] if mechanism.size == 1 else value
        for value, mechanism in zip(values, (first, second), strict=True)
    )
    together = Together(shaped, np.array([[0, 0]]), np.array([1]))
    return separate_basis([first, second], [np.eye(3), np.eye(4)], together)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 1)])
def test_covariances_are_those_of_the_multinomial(sizes: tuple[int, int]) -> None:
    """At counts as expected, the covariances are the enumerated ones of a report, over n."""
    first, second = Subset(3, sizes[0], LN3), Subset(3, sizes[1], LN3)
    truth = {(0, 0): 4, (1, 2): 3, (2, 1): 2, (2, 2): 1}
    sets = [outputs(first), outputs(second)]
    chances = {
        pair: sum(
            weight * sets[0][pair[0]][1][i] * sets[1][pair[1]][1][j] / 10
            for (i, j), weight in truth.items()
        )
        for pair in itertools.product(range(len(sets[0])), range(len(sets[1])))
    }
    reports = math.lcm(*(Fraction(chance).denominator for chance in chances.values()))
    counts = np.array([int(chance * reports) for chance in chances.values()])
    values = tuple(
        np.array([sorted(each) if mechanism.size > 1 else min(each) for each, _ in found])
        for found, mechanism in zip(sets, (first, second), strict=True)
    )
    together = Together(values, np.array(list(chances)), counts)
    basis = separate_basis([first, second], [np.eye(3)] * 2, together)
    scores = [
        np.array([score(mechanism, each) for each, _ in found])
        for found, mechanism in zip(sets, (first, second), strict=True)
    ]
    products = np.array([np.outer(scores[0][i], scores[1][j]).ravel() for i, j in chances])
    law = np.array([float(chance) for chance in chances.values()])
    mean = law @ products
    covariances = (products * law[:, None]).T @ products - np.outer(mean, mean)
    expected = np.zeros((3, 3))
    for pair, weight in truth.items():
        expected[pair] = weight / 10
    assert basis.cells.shares == pytest.approx(expected.ravel(), abs=1e-9)
    assert basis.cells.covariances * reports == pytest.approx(covariances, abs=1e-9)
    assert np.trace(basis.cells.mechanism_part) > 0


def score(mechanism: Subset, reported: frozenset[int]) -> list[float]:
    """A set's unbiased scores of the options, by their definition."""
    keep, flip = mechanism.keep, mechanism.flip
    return [float(((v in reported) - flip) / (keep - flip)) for v in range(mechanism.domain_size)]


def test_margins_of_separate_questions_are_sums_of_cells() -> None:
    """Rows and columns sum the cells, and each sums to 1."""
    found = apart()
    assert [row.share for row in found.rows] == pytest.approx([0.7, 0.3])
    assert [column.share for column in found.columns] == pytest.approx([0.64, 0.36])
    alone = table_study(APART, REPORTED).estimate("asthma").questions[0].options[0]
    assert found.rows[0].share == pytest.approx(alone.share)
    assert found.rows[0].standard_error == pytest.approx(alone.standard_error)


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


def test_a_row_without_anybody_has_no_shares_within() -> None:
    """Where a row's own share is below 0, its cells have no numbers, and a warning says so."""
    found = apart([[700, 200], [60, 40]])
    assert [cell.share for cell in found.within_rows[2:]] == [None, None]
    assert "'no' is hardly above 0" in "\n".join(found.warnings)
    assert math.isnan(found.within_rows_to_frame()["share"].iloc[3])


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
    assert "only 40 respondents were asked both" in apart([[15, 5], [8, 12]]).warnings[0]


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
    assert "asthma x limited (separate): 1000 reports, epsilon 2.197" in repr(found)
    assert "yes, no   -0.0600  -0.1305   0.0105  0.0000" in repr(found)
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
        table_study(APART, [[0, 0], [0, 0]]).crosstab("asthma", "limited")


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


def covered(number: KnownNumber, source: Random, surveys: int, narrow: float) -> np.ndarray:
    """How many of so many simulated surveys cover each cell, their widths times narrow."""
    weights = integer_weights(Fraction(str(number.inputs["eps_each"])))
    first, second = Subset(2, 1, weights), Subset(3, 1, weights)
    truth = np.array(number.inputs["F"])
    law = channel_matrix(first) @ truth @ channel_matrix(second).T
    generator = np.random.default_rng(source.getrandbits(64))
    hits = np.zeros(6, dtype=int)
    reach = narrow * float(stats.norm.isf(0.025))
    for table in generator.multinomial(number.inputs["n"], law.ravel(), size=surveys):
        cells = basis_of(table.reshape(2, 3), first, second).cells
        width = reach * np.sqrt(np.diag(cells.covariances))
        hits += np.abs(cells.shares - truth.ravel()) <= width
    return hits


@pytest.mark.parametrize("number", known("kronecker_cell_wald_coverage"))
def test_normal_intervals_of_separate_cells_cover(
    number: KnownNumber, random_source: Random
) -> None:
    """Cells down to 0.02 are covered as often as an independent simulation found."""
    for hits, rate in zip(covered(number, random_source, 1000, 1.0), number.expected, strict=True):
        check_binomial(int(hits), 1000, rate)


def test_too_narrow_intervals_are_caught(random_source: Random) -> None:
    """Intervals of half the width are rejected."""
    (number, *_) = known("kronecker_cell_wald_coverage")[0].values
    hits = covered(number, random_source, 1000, 0.5)
    with pytest.raises(SampleRejected):
        check_binomial(int(hits.min()), 1000, 0.95)


def sum_of_squares(number: KnownNumber, project: bool) -> tuple[float, float]:
    """The mean squared error of 200 surveys, times 10,000, and the top's bias."""
    head = number.inputs["f"]
    truth = np.array([*head, *[0.0] * (number.domain_size - len(head))])
    mechanism = Subset(number.domain_size, 1, integer_weights(Fraction(int(number.epsilon))))
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    generator = np.random.default_rng(1965)
    reports = generator.multinomial(number.inputs["n"], flip + truth * (keep - flip), size=200)
    shares = (reports / number.inputs["n"] - flip) / (keep - flip)
    if project:
        shares = np.array([project_to_simplex(each) for each in shares])
    squares = ((shares - truth) ** 2).sum(axis=1).mean()
    return float(1e4 * squares), float(shares[:, 0].mean() - truth[0])


@pytest.mark.parametrize("number", known("post_processing_sum_MSE"))
def test_the_projection_makes_sparse_tables_less_wrong(number: KnownNumber) -> None:
    """The squared errors of raw and of projected shares are those known beforehand."""
    raw, projected = (sum_of_squares(number, project)[0] for project in (False, True))
    assert raw == pytest.approx(number.expected["none"], rel=number.tolerance)
    assert projected == pytest.approx(number.expected["norm_sub"], rel=number.tolerance)


@pytest.mark.parametrize("number", known("post_processing_bias"))
def test_the_projection_is_biased_and_the_raw_share_is_not(number: KnownNumber) -> None:
    """The largest share's bias is that known beforehand."""
    raw, projected = (sum_of_squares(number, project)[1] for project in (False, True))
    assert raw == pytest.approx(number.expected["none"], abs=number.tolerance)
    assert projected == pytest.approx(number.expected["norm_sub"], abs=number.tolerance)
