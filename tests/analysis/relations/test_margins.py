"""A question's own shares, from the crosstabs it stands in."""

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from analysis.enumerated import estimates, expected_counts, number, with_mechanism
from analysis.study_files import add_reports, write_store
from deniable_analysis import Channel, open_study, share_interval
from deniable_sdk import PublishedSurvey, theory
from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import Answer, Subset
from deniable_sdk.weights import Weights
from sample_definitions import choice, scale, survey, yes_no
from there import there

A, B, C = (
    yes_no("a", required=True),
    yes_no("b", required=True),
    scale("c", levels=3, required=True),
)


def two_crosstabs(**keys: object) -> PublishedSurvey:
    """A survey whose question `c` stands in two crosstabs, of sets of 1 and 2 cells."""
    published = survey(A, B, C, crosstabs=[["a", "c"], ["b", "c"]], **keys)
    one, two = published.blocks
    return published.replace(
        blocks=(
            one.replace(mechanism=Subset(6, 1, Weights(3, 1))),
            two.replace(mechanism=Subset(6, 2, Weights(5, 2))),
        )
    )


def test_a_margin_of_single_cells_has_the_interval_of_its_count() -> None:
    """The reports with a cell of an option are counted, and give a Wilson interval."""
    published = with_mechanism(Subset(6, 1, Weights(3, 1)), A, C)
    counts = {"0": 30, "1": 20, "2": 10, "3": 50, "4": 60, "5": 15}
    first, second = estimates(published, counts).questions
    assert first.interval == second.interval == "wilson"
    assert first.blocks == second.blocks == ("a_x_c",)
    # Of 8 equal parts a cell keeps 3: 3/8, and 1/8 for each other one.
    channel = Channel(Fraction(3 + 2, 8), Fraction(3, 8))
    low, high = share_interval([60, 125], 185, channel)
    assert [option.low for option in first.options] == pytest.approx(low.tolist())
    assert [option.high for option in first.options] == pytest.approx(high.tolist())
    assert first.options[0].share == pytest.approx((60 / 185 - 3 / 8) / (2 / 8))
    assert [option.reports for option in second.options] == [185] * 3


def test_a_margin_of_larger_sets_has_a_normal_interval() -> None:
    """The margin of sets of two cells says that its intervals are normal."""
    published = with_mechanism(Subset(6, 2, Weights(3, 1)), A, C)
    found = estimates(published, {"[0,1]": 40, "[2,5]": 50, "[3,4]": 30})
    for question in found.questions:
        assert question.interval == "normal"
        for option in question.options:
            assert option.standard_error is not None
            assert option.low is not None
            assert option.high is not None
            reach = 1.959963984540054 * option.standard_error
            assert option.high - option.low == pytest.approx(2 * reach)
    assert found.crosstabs[0].interval == "wilson"


def test_margins_are_sums_of_cells() -> None:
    """Cells stand in the order of their questions, and sum to each question's shares."""
    published = with_mechanism(Subset(6, 2, Weights(3, 1)), A, C)
    found = estimates(published, {"[0,1]": 40, "[2,5]": 50, "[3,4]": 30})
    (crosstab,) = found.crosstabs
    assert [cell.options for cell in crosstab.cells] == list(
        itertools.product(("yes", "no"), ("1", "2", "3"))
    )
    cells = {cell.options: there(cell.share) for cell in crosstab.cells}
    for index, question in enumerate(found.questions):
        for option in question.options:
            total = sum(share for names, share in cells.items() if names[index] == option.option)
            assert option.share == pytest.approx(total)


def pairs(published: PublishedSurvey) -> list[tuple[dict[tuple[str, str], float], int]]:
    """Every true answer's chances of each pair of outputs, and the level of `c`."""
    one, two = (block.mechanism for block in published.blocks)
    rows_one, rows_two = theory.channel(one), theory.channel(two)
    found = []
    for a, b, c in itertools.product(range(2), range(2), range(3)):
        chances = {
            (first, second): float(left[a * 3 + c] * right[b * 3 + c])
            for first, left in rows_one.items()
            for second, right in rows_two.items()
        }
        found.append((chances, c))
    return found


def test_pooled_shares_and_their_variance_are_the_enumerated_ones() -> None:
    """Of respondents who are asked both crosstabs, both parts of the variance are exact."""
    published = two_crosstabs(ask="all")
    one, two = (block.mechanism for block in published.blocks)
    alone = {
        (first, second): [
            option.share
            for option in estimates(published, {first: 1}, {second: 1}).questions[2].options
        ]
        for first in theory.channel(one)
        for second in theory.channel(two)
    }
    truths = [Fraction(part, 78) for part in range(1, 13)]
    mechanism_part = np.zeros(3)
    for (chances, level), share in zip(pairs(published), truths, strict=True):
        values = np.array([alone[pair] for pair in chances], dtype=np.float64)
        weights = np.array(list(chances.values()))
        mean = weights @ values
        assert mean == pytest.approx(np.eye(3)[level], abs=1e-9)
        mechanism_part += float(share) * (weights @ values**2 - mean**2)
    answers = list(itertools.product(range(2), range(2), range(3)))
    cells: list[dict[Answer, Fraction]] = [{}, {}]
    for (a, b, c), share in zip(answers, truths, strict=True):
        for index, other in enumerate((a, b)):
            cells[index][other * 3 + c] = cells[index].get(other * 3 + c, Fraction(0)) + share
    (reports, first), (others, second) = (
        expected_counts(mechanism, each) for mechanism, each in zip((one, two), cells, strict=True)
    )
    found = estimates(
        published,
        {output: count * others for output, count in first.items()},
        {output: count * reports for output, count in second.items()},
    ).questions[2]
    respondents = reports * others
    levels = [sum(truths[index] for index in range(c, 12, 3)) for c in range(3)]
    assert found.interval == "normal"
    assert found.blocks == ("a_x_c", "b_x_c")
    assert found.reports == 2 * respondents
    for level, option in enumerate(found.options):
        expected = float(levels[level])
        assert option.share == pytest.approx(expected)
        assert option.mechanism_variance is not None
        assert option.sampling_variance is not None
        assert option.mechanism_variance * respondents == pytest.approx(mechanism_part[level])
        assert option.sampling_variance * respondents == pytest.approx(expected * (1 - expected))
    assert found.mean
    assert found.mean.value == pytest.approx(
        sum(level * float(each) for level, each in enumerate(levels, 1))
    )


def test_respondents_asked_one_crosstab_are_two_samples() -> None:
    """Where nobody is asked both crosstabs, their samples are independent."""
    published = two_crosstabs(ask=1)
    found = estimates(published, {"0": 60, "4": 40}, {"[0,4]": 70, "[1,5]": 30}).questions[2]
    both = estimates(
        two_crosstabs(ask="all"), {"0": 60, "4": 40}, {"[0,4]": 70, "[1,5]": 30}
    ).questions[2]
    for apart, together in zip(found.options, both.options, strict=True):
        assert apart.share == together.share
        assert apart.mechanism_variance == together.mechanism_variance
        assert apart.sampling_variance is not None
        assert together.sampling_variance is not None
        # Weights w and 1 - w: less than all in one sample, more than in half of it.
        ratio = apart.sampling_variance / together.sampling_variance
        assert 0.5 <= ratio < 1
    assert sum(there(option.share) for option in found.options) == pytest.approx(1)


def test_a_crosstab_without_reports_is_not_pooled() -> None:
    """With reports of one crosstab only, the pooled shares are those of that one."""
    published = two_crosstabs(ask=1)
    found = estimates(published, {"0": 60, "4": 40}, {}).questions[2]
    alone = with_mechanism(Subset(6, 1, Weights(3, 1)), A, C)
    (_, expected) = estimates(alone, {"0": 60, "4": 40}).questions
    for one, other in zip(found.options, expected.options, strict=True):
        assert one.share == pytest.approx(other.share)
        assert one.mechanism_variance == pytest.approx(other.mechanism_variance)
        assert one.sampling_variance == pytest.approx(other.sampling_variance)
    empty = estimates(published, {}, {}).questions[2]
    assert [option.share for option in empty.options] == [None] * 3
    assert empty.mean
    assert empty.mean.value is None


def test_a_crosstab_is_estimated_from_a_store(tmp_path: Path) -> None:
    """From a file: cells in the crosstab, margins in the questions, in the survey's order."""
    published = survey(
        number("visits", required=True),
        choice("region", 2, required=True),
        yes_no("asthma", required=True),
        crosstabs=[["asthma", "region"]],
        ask="all",
    )
    path = tmp_path / "store.sqlite"
    write_store(path, published)
    values: list[JSON] = [0, 1, 2, 3, 3, 3]
    add_reports(path, published, [{"visits": value, "asthma_x_region": value} for value in values])
    found = open_study(path).estimate()
    assert [question.question for question in found.questions] == ["visits", "region", "asthma"]
    assert [question.reports for question in found.questions] == [6, 6, 6]
    (crosstab,) = found.crosstabs
    assert crosstab.questions == ("asthma", "region")
    assert [cell.options for cell in crosstab.cells][1] == ("yes", "o1")
    alone = open_study(path).estimate("region")
    assert [question.question for question in alone.questions] == ["region"]
    assert alone.questions[0] == found.questions[1]
    assert alone.crosstabs == found.crosstabs
    assert open_study(path).estimate("visits").crosstabs == ()


def test_all_cells_can_be_wanted_at_once() -> None:
    """Simultaneous intervals of a crosstab are wider, over as many as it has cells."""
    published = with_mechanism(Subset(6, 1, Weights(3, 1)), A, C)
    (crosstab,) = estimates(published, {"0": 60, "4": 40}).crosstabs
    (at_once,) = estimates(published, {"0": 60, "4": 40}, simultaneous=True).crosstabs
    (surer,) = estimates(published, {"0": 60, "4": 40}, confidence=1 - 0.05 / 6).crosstabs
    assert at_once.cells[0].low == pytest.approx(surer.cells[0].low)
    assert at_once.cells[0].low is not None
    assert crosstab.cells[0].low is not None
    assert at_once.cells[0].low < crosstab.cells[0].low


def test_cells_beyond_chance_are_warned_of() -> None:
    """A cell far outside 0 to 1 is named in the crosstab's warnings."""
    published = with_mechanism(Subset(6, 1, Weights(3, 1)), A, C)
    found = estimates(published, {"0": 1000})
    assert any(
        warning.startswith("a_x_c: the raw share of 'yes, 1' lies") for warning in found.warnings
    )
