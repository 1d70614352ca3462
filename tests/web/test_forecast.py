"""The forecast of a survey: its accuracy, and what its reports reveal."""

import math

import pytest

from deniable_analysis.planning import Estimated
from deniable_sdk import theory
from deniable_sdk.mechanisms import SampledBits
from deniable_web.forecast.disclosure import percent
from forecast_checks import check, multiple, number
from sample_definitions import scale, survey, yes_no
from score_samples import score


def test_the_keys_are_stable() -> None:
    """Every key is there with and without numbers, and what was not asked for is null."""
    for respondents, margin in ((None, None), (5000, 0.05)):
        asked = check(yes_no(), multiple(), respondents=respondents, margin=margin)
        document = asked.to_document()
        assert set(document) == {
            *("slug", "digest", "epsilon", "asked", "error_factor", "saving", "respondents"),
            *("optional_factor", "epsilon_factor", "half_epsilon_factor"),
            *("optional", "dearest", "dearest_factor", "seen", "needs"),
            *("wanted_margin", "tell_apart_error", "beliefs", "blocks", "warnings"),
            *("fixed_outputs", "matched_among", "stop_when", "has_own_end", "closed_file"),
        }
        assert (document["respondents"], document["wanted_margin"]) == (respondents, margin)
        block = document["blocks"][0]
        assert set(block) == {
            *(
                "block",
                "questions",
                "mechanism",
                "in_words",
                "epsilon",
                "options",
                "part",
                "reports",
            ),
            *("guess_without_report", "guess_with_report", "tell_apart_error", "beliefs"),
            *("margin", "respondents_for_margin", "estimates"),
        }
        assert (block["margin"] is None) is (respondents is None)
        assert (block["respondents_for_margin"] is None) is (margin is None)
        assert [belief["prior"] for belief in block["beliefs"]] == [0.01, 0.1, 0.5]


def test_it_is_a_forecast_of_the_published_survey() -> None:
    """The digest, epsilon and mechanisms are those that publishing gives."""
    questions = yes_no(), number(), multiple()
    published, result = survey(*questions), check(*questions)
    assert result.digest == published.digest
    assert [block.block for block in result.blocks] == [block.id for block in published.blocks]
    for told, block in zip(result.blocks, published.blocks, strict=True):
        assert told.mechanism == block.mechanism.name
        assert told.in_words == theory.describe(block.mechanism)
        assert told.epsilon == block.epsilon


def test_each_kind_of_block_is_told_in_its_own_estimates() -> None:
    """Options, cells with their margins, and means, first what the author wants most."""
    result = check(
        yes_no("a"),
        yes_no("b"),
        scale("stress"),
        scale("pain", target="mean", mechanism="subset"),
        number(unit="visits", target="mean"),
        number("days"),
        multiple(),
        crosstabs=[["a", "b"]],
    )
    told = {
        block.block: [(one.estimated, one.question, one.unit) for one in block.estimates]
        for block in result.blocks
    }
    assert told == {
        "a_x_b": [
            (Estimated.CELL, None, "share"),
            (Estimated.MARGINAL, "a", "share"),
            (Estimated.MARGINAL, "b", "share"),
        ],
        "stress": [
            (Estimated.OPTION, "stress", "share"),
            (Estimated.MEAN, "stress", "levels"),
        ],
        "pain": [(Estimated.MEAN, "pain", "levels"), (Estimated.OPTION, "pain", "share")],
        "visits": [(Estimated.MEAN, "visits", "visits")],
        "days": [(Estimated.MEAN, "days", "")],
        "ills": [(Estimated.OPTION, "ills", "share")],
    }
    assert [block.options for block in result.blocks] == [9, 6, 6, 32, 32, 7]


def test_only_reports_that_speak_of_an_option_count() -> None:
    """Of several answers the margin is of those respondents asked the block and the option."""
    result = check(multiple(options=6, required=True), yes_no(), respondents=6000, ask=1)
    block = survey(multiple(options=6, required=True), yes_no(), ask=1).blocks[0]
    assert isinstance(block.mechanism, SampledBits)
    assert (result.asking.asked, block.mechanism.sampled) == (1, 1)
    keep, flip = block.mechanism.keep, block.mechanism.flip
    speaking = 6000 / 2 / 6
    expected = 1.959963984540054 * math.sqrt(0.25 / float(keep - flip) ** 2 / speaking)
    assert result.blocks[0].reports == 3000
    assert result.blocks[0].estimates[0].margin == pytest.approx(expected)


def test_a_mean_is_told_in_its_own_unit() -> None:
    """The margin of a number from 0 to 30 is 30 times that of one from 0 to 1 in 30 steps."""
    wide = check(number(), respondents=900, margin=0.05).blocks[0].estimates[0]
    narrow = check(number(max=3, step=0.1), respondents=900, margin=0.05).blocks[0].estimates[0]
    assert wide.margin is not None
    assert narrow.margin is not None
    assert wide.margin == pytest.approx(10 * narrow.margin)
    assert (wide.wanted_margin, narrow.wanted_margin) == (1.5, 0.15)
    assert wide.respondents_for_margin == narrow.respondents_for_margin


def test_the_respondents_for_a_margin_give_it() -> None:
    """So many respondents give the margin, and one less does not."""
    for questions in ((yes_no(), number()), (multiple(), scale())):
        wanted = check(*questions, margin=0.05)
        for index, block in enumerate(wanted.blocks):
            needed = block.estimates[0].respondents_for_margin
            goal = block.estimates[0].wanted_margin
            assert needed is not None
            assert goal is not None
            # One respondent is less than a report where a block is asked of some only.
            fewer = needed - math.ceil(1 / block.part)
            for respondents, is_enough in ((needed, True), (fewer, False)):
                got = check(*questions, respondents=respondents).blocks[index].estimates[0].margin
                assert got is not None
                assert (got <= goal) is is_enough


def test_what_all_reports_tell_is_more_than_one_tells() -> None:
    """A respondent who is asked 2 of 3 blocks spends both, and the beliefs of the whole say so."""
    result = check(*(yes_no(f"q{index}", required=True) for index in range(3)), ask=2, epsilon=2)
    whole, block = result.disclosure.told, result.blocks[0].disclosure.told
    assert float(result.disclosure.ratio) == pytest.approx(math.e**2)
    assert float(result.blocks[0].disclosure.ratio) == pytest.approx(math.e)
    assert whole.low < block.low < block.high < whole.high
    assert float(whole.high) == pytest.approx(0.4508530603792838)
    assert float(result.disclosure.tell_apart_error) == pytest.approx(0.11920292202211757)


@pytest.mark.parametrize(
    ("respondents", "epsilon", "words"),
    [
        (10_000, 0.0433, "all 10,000 reports of the closed survey together, in random order"),
        (1_000, 0.149, "at most epsilon 0.149 about one person, except in 1 of 1,000,000 cases."),
        (2, None, "may learn as much about one person as from their report alone (no gain)."),
    ],
)
def test_the_closed_file_has_a_figure_of_its_own(
    respondents: int, epsilon: float | None, words: str
) -> None:
    """It stands beside the epsilon, for all that one respondent reports; too few have no gain."""
    questions = [yes_no(f"q{index}") for index in range(3)]
    result = check(*questions, ask=2, epsilon=1, respondents=respondents)
    assert result.epsilon == "1"
    assert result.closed_file is not None
    assert result.closed_file.epsilon == epsilon
    assert words in result.closed_file.in_words
    assert check(*questions).closed_file is None


@pytest.mark.parametrize(
    ("share", "told"),
    [(0.5, "50%"), (0.0151, "1.5%"), (0.00028, "0.028%"), (0.9963, "99.63%"), (0.1, "10%")],
)
def test_percentages_keep_the_digits_that_matter(share: float, told: str) -> None:
    """Shares near 0 and near 1 are not rounded to them."""
    assert percent(share) == told


def test_a_score_says_how_exactly_the_share_above_a_cutoff_is_known() -> None:
    """With two bands at epsilon 1 within 6.7 points of 1,000 respondents; more bands cost more."""
    two = score(required=True, cutoffs={"below": 0, "above": 4})
    (block,) = check(two, respondents=1_000, epsilon=1).blocks
    kinds = [each.estimated for each in block.estimates]
    assert kinds == [Estimated.ABOVE, Estimated.OPTION]
    assert block.estimates[0].margin == pytest.approx(0.067, abs=0.0005)
    (three,) = check(score(required=True), respondents=1_000, epsilon=1).blocks
    margins = [each.margin for each in three.estimates if each.margin is not None]
    assert len(margins) == 2
    assert min(margins) > 0.067
