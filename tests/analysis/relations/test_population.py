"""Crosstabs of finite populations: the sampling part shrinks, and intervals still cover."""

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.related import MUST, counted_study, table_study, with_mechanisms
from deniable_analysis import weighted_shares
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.channel import Channel
from deniable_analysis.results import Crosstab
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights
from sample_definitions import survey, yes_no
from sampling_checks import SampleRejected, check_binomial
from there import there

CLEAR = Weights(19, 1)
APART = with_mechanisms(
    survey(yes_no(**MUST), yes_no("limited", **MUST), ask="all"),
    Subset(2, 1, CLEAR),
    Subset(2, 1, CLEAR),
)
JOINT = with_mechanisms(
    survey(yes_no(**MUST), yes_no("limited", **MUST), crosstabs=[["asthma", "limited"]]),
    Subset(4, 1, CLEAR),
)
SETS = with_mechanisms(JOINT, Subset(4, 2, CLEAR))
TABLE = [[30, 25], [25, 20]]
PEOPLE = 110
LEFT = 10 / 109


def _tables(kind: str, population: int | None) -> Crosstab:
    if kind == "apart":
        return table_study(APART, TABLE).crosstab("asthma", "limited", population=population)
    times = 2 if kind == "sets" else 1
    said = [times * count for row in TABLE for count in row]
    study = counted_study(SETS if kind == "sets" else JOINT, asthma_x_limited=said)
    return study.crosstab("asthma", "limited", population=population)


@pytest.mark.parametrize("kind", ["apart", "joint", "sets"])
def test_cells_and_margins_of_a_population_shrink_alike(kind: str) -> None:
    """Only the sampling part of cells, margins and row shares is smaller, by (N - n)/(N - 1)."""
    free, of_all = _tables(kind, None), _tables(kind, PEOPLE)
    for part in ("cells", "rows", "columns", "within_rows"):
        for one, other in zip(getattr(free, part), getattr(of_all, part), strict=True):
            assert other.share == one.share
            assert other.mechanism_variance == pytest.approx(one.mechanism_variance, rel=1e-9)
            assert other.sampling_variance == pytest.approx(one.sampling_variance * LEFT, rel=1e-9)
            # Of shares within rows, what is outside 0 to 1 can be longer.
            assert min(other.high, 1) - max(other.low, 0) < min(one.high, 1) - max(one.low, 0)


def _hits(drawn: NDArray[np.intp], source: np.random.Generator, truth: float) -> NDArray[np.int64]:
    """Whether the first cell's interval holds the truth: with the population, and without."""
    flips = source.random((len(drawn), 2)) < 1 / 20
    said = np.stack((drawn // 2, drawn % 2), axis=1) ^ flips
    table = np.zeros((2, 2), dtype=int)
    np.add.at(table, (said[:, 0], said[:, 1]), 1)
    study = table_study(APART, table.tolist())
    cells = [study.crosstab("asthma", "limited", population=n).cells[0] for n in (500, None)]
    ends = [(there(cell.low), there(cell.high)) for cell in cells]
    return np.array([low <= truth <= high for low, high in ends], dtype=np.int64)


@pytest.mark.deep
def test_intervals_of_a_population_hold_its_table() -> None:
    """450 of 500 people: intervals cover 95 percent with the population, and far more without."""
    source, surveys = np.random.default_rng(77), 300
    people = np.repeat(np.arange(4), [150, 100, 100, 150])
    hits = np.zeros(2, dtype=np.int64)
    for _ in range(surveys):
        hits += _hits(source.permutation(people)[:450], source, 0.3)
    check_binomial(int(hits[0]), surveys, 0.95)
    with pytest.raises(SampleRejected):
        check_binomial(int(hits[1]), surveys, 0.95)


def test_a_population_smaller_than_the_reports_is_refused() -> None:
    """The error names both numbers, as that of an estimate does."""
    with pytest.raises(InvalidArgument, match=r"^got a population of 99 for 100 reports; allowed"):
        _tables("joint", 99)


def test_weighted_cells_are_weighted_shares_of_the_joint_answers() -> None:
    """With equal weights a joint block's cells come out as the crosstab has them."""
    reports = np.repeat(np.arange(4), np.ravel(TABLE))
    found = weighted_shares(np.eye(4)[reports], np.full(100, 2.5), Channel.of(Subset(4, 1, CLEAR)))
    cells = _tables("joint", None).cells
    assert found.shares == pytest.approx([cell.share for cell in cells])
    assert found.design_effect == pytest.approx(1)
