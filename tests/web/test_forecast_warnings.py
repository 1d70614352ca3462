"""The warnings of a forecast, and the respondents and epsilon that end them."""

from typing import Any

import pytest

from deniable_analysis.planning import Estimated, Share, margin_of_reports, unit_variance
from deniable_sdk.mechanisms import Subset
from deniable_web.forecast.advice import Caution
from deniable_web.forecast.survey import SurveyForecast
from forecast_checks import Document, check, multiple, number
from sample_definitions import choice, scale, survey, yes_no
from score_samples import score


def cautions(result: SurveyForecast) -> list[Caution]:
    """What it is warned of."""
    return [advice.caution for advice in result.warnings]


def message(result: SurveyForecast, caution: Caution) -> str:
    """The one warning of this kind."""
    (found,) = [advice.message for advice in result.warnings if advice.caution is caution]
    return found


def test_a_good_survey_is_not_warned_of() -> None:
    """Enough respondents, a moderate epsilon and one closed question: nothing to say."""
    assert check(yes_no(), respondents=5000).warnings == ()
    assert check(yes_no(), multiple(), number(target="mean"), respondents=9000).warnings == ()


@pytest.mark.parametrize(
    ("questions", "respondents", "caution", "told"),
    [
        ([yes_no()], 12, Caution.BLIND, "so an option that fewer than 5"),
        ([yes_no()], 3, Caution.BLIND, "so nothing can be detected"),
        ([number(target="mean")], 10, Caution.BLIND, "of its range, so it could lie anywhere"),
        ([yes_no()], 300, Caution.FEW_RESPONDENTS, "so a result of 40% may truly be 2"),
        ([number(target="mean")], 150, Caution.FEW_RESPONDENTS, "the mean has a margin of ±0.1"),
        ([choice(options=50)], 900, Caution.TOO_MANY_OPTIONS, "as common as the others, 1 in 51"),
        (
            [multiple()],
            900,
            Caution.FEW_RESPONDENTS,
            "900 respondents a share has a margin of ±0.1",
        ),
        (
            [yes_no(), multiple()],
            600,
            Caution.FEW_RESPONDENTS,
            "asthma and ills: with 600 respondents",
        ),
    ],
)
def test_accuracy_is_warned_of_with_what_would_do(
    questions: list[Document], respondents: int, caution: Caution, told: str
) -> None:
    """The respondents and the epsilon that a warning names are enough to end it."""
    result = check(*questions, respondents=respondents, epsilon=1.5)
    said = message(result, caution)
    assert told in said
    needed = int(said.split("ask ")[1].split(" respondents")[0].replace(",", ""))
    assert caution not in cautions(check(*questions, respondents=needed, epsilon=1.5))
    if "set epsilon to " in said:
        epsilon = said.split("set epsilon to ")[1]
        assert caution not in cautions(check(*questions, respondents=respondents, epsilon=epsilon))


@pytest.mark.parametrize(
    ("questions", "keys", "names"),
    [
        ([yes_no()], {"respondents": 300, "epsilon": 1.5}, {"respondents", "epsilon"}),
        ([yes_no()], {"respondents": 80, "epsilon": 1}, {"respondents"}),
        ([multiple(options=90)], {"respondents": 1_000}, {"respondents", "options"}),
        ([choice(options=50)], {"respondents": 900}, {"respondents", "epsilon"}),
    ],
)
def test_what_would_do_is_told_in_numbers_too(
    questions: list[Document], keys: dict[str, Any], names: set[str]
) -> None:
    """For pages in other languages: those of the message, and null for what would not do."""
    found = check(*questions, **keys).to_document()["warnings"][0]
    numbers = found["numbers"]
    assert set(numbers) == {"respondents", "epsilon", "options"}
    assert {name for name, value in numbers.items() if value is not None} >= names
    assert f"ask {numbers['respondents']:,} respondents" in found["message"]
    assert ("set epsilon to" in found["message"]) is (numbers["epsilon"] is not None)
    if numbers["epsilon"]:
        assert f"set epsilon to {numbers['epsilon']:g}" in found["message"]
    assert ("offer fewer options" in found["message"]) is (numbers["options"] is not None)
    cautioned = Caution(found["warning"])
    enough = {**keys, "respondents": numbers["respondents"]}
    assert cautioned not in cautions(check(*questions, **enough))


def test_the_epsilon_named_for_a_panel_is_that_of_all_its_waves() -> None:
    """What is to be written, is enough for each of them; beyond 4, none is named."""
    few = {"respondents": 1_000, "waves": 3}
    said = message(check(yes_no(), epsilon=1, **few), Caution.FEW_RESPONDENTS)
    epsilon = said.split("set epsilon to ")[1]
    assert float(epsilon) > 1
    found = check(yes_no(), epsilon=epsilon, **few)
    assert Caution.FEW_RESPONDENTS not in cautions(found)
    many = check(yes_no(), epsilon=1, respondents=1_000, waves=40)
    assert many.warnings
    assert all("set epsilon" not in advice.message for advice in many.warnings)


def test_an_epsilon_that_would_do_is_named_only_if_it_protects() -> None:
    """With too few respondents for any epsilon up to 4, or one above 4 already, none is named."""
    assert "set epsilon to" in message(check(yes_no(), respondents=200), Caution.FEW_RESPONDENTS)
    for keys in ({"respondents": 80, "epsilon": 1}, {"respondents": 50, "epsilon": 6}):
        result = check(yes_no(), **keys)
        assert all("set epsilon" not in advice.message for advice in result.warnings)
        assert cautions(result)[0] in {Caution.BLIND, Caution.FEW_RESPONDENTS}


def test_sets_of_many_options_are_told_to_be_smaller() -> None:
    """Where many may be left out that is said first, and it helps as much as it says."""
    large, small = multiple(options=900), multiple(options=3)
    said = message(check(large, respondents=1000), Caution.BLIND)
    assert "so nothing can be detected; offer fewer options, or ask 149,182 respond" in said
    fewer = message(check(multiple(options=90), respondents=1000), Caution.FEW_RESPONDENTS)
    assert "offer fewer options, or ask 15," in fewer
    assert "fewer options" not in message(check(small, respondents=90), Caution.FEW_RESPONDENTS)


def test_cells_can_be_too_many() -> None:
    """A crosstab of too many cells is told to be cut, at twice the share of an average one."""
    questions = choice("a", 6), choice("b", 6)
    crossed = [["a", "b"]]
    result = check(*questions, respondents=1500, crosstabs=crossed)
    said = message(result, Caution.TOO_MANY_OPTIONS)
    assert said.startswith("a_x_b: with 1,500 respondents a cell as common as the others, 1 in 49")
    assert "put options together or cross fewer questions, or ask " in said
    mechanism = survey(*questions, crosstabs=crossed).blocks[0].mechanism
    assert isinstance(mechanism, Subset)
    margin = margin_of_reports(unit_variance(mechanism, Share.EQUAL), 1500)
    assert f"a margin of ±{margin:.2f}" in said
    assert margin > 2 / 49


def test_a_crosstab_is_warned_of_where_only_its_questions_are_hard() -> None:
    """Cells told to 0.1 are no comfort if the shares of their questions are not."""
    questions = [yes_no(name, required=True) for name in "abcd"]
    crosstabs = [["a", "b", "c", "d"]]
    result = check(*questions, epsilon=1, crosstabs=crosstabs, respondents=3000)
    estimates = [estimate for block in result.blocks for estimate in block.estimates]
    cells = [each.margin for each in estimates if each.estimated is Estimated.CELL]
    others = [each.margin for each in estimates if each.estimated is Estimated.MARGINAL]
    assert max(filter(None, cells)) < 0.1 < max(filter(None, others))
    assert f"±{max(filter(None, others)):.2f}" in message(result, Caution.FEW_RESPONDENTS)


def test_many_blocks_are_named_in_one_sentence() -> None:
    """Twelve questions short of respondents are one warning, which names three."""
    result = check(*(yes_no(f"q{index}") for index in range(12)), respondents=2000)
    assert cautions(result) == [Caution.FEW_RESPONDENTS, Caution.NO_CROSSTAB]
    assert result.warnings[0].message.startswith("q0, q1, q2 and 9 more: with 2,000 respondents")
    assert len(result.warnings[0].blocks) == 12


def test_pairs_are_warned_of_once_and_only_without_a_crosstab() -> None:
    """Two closed questions without a crosstab are one sentence; one, or a crosstab, is none."""
    two = yes_no("a"), yes_no("b")
    assert message(check(*two), Caution.NO_CROSSTAB).endswith("like crosstabs: [[a, b]]")
    assert cautions(check(*two, crosstabs=[["a", "b"]])) == []
    assert cautions(check(yes_no("a"), multiple())) == []


def test_numbers_give_no_single_values() -> None:
    """A number reported as a place near the true one is told so, unless only a mean is wanted."""
    said = message(check(number()), Caution.SHAPE_ONLY)
    assert said.startswith(
        "visits: shares of single values cannot be estimated, only the mean and"
    )
    assert cautions(check(number(target="mean"))) == []
    assert cautions(check(number(max=3, step=1), epsilon=4)) == [], "each value is told apart"


def test_asking_far_from_best_is_warned_of() -> None:
    """Asking 3 of 10 at epsilon 1 takes so many times the respondents; the default is silent."""
    questions = [yes_no(f"q{index}", required=True) for index in range(10)]
    result = check(*questions, epsilon=1, ask=3)
    said = message(result, Caution.COSTLY_ASKING)
    assert said.startswith("asking 3 of 10 blocks requires 2.")
    assert said.endswith(" times the respondents of the best design; write ask: auto")
    assert result.to_document()["error_factor"] == result.asking.factor
    assert Caution.COSTLY_ASKING not in cautions(check(*questions, epsilon=1))


def test_a_large_epsilon_is_warned_of() -> None:
    """Above 4 the warning says what it comes to; at 4 there is none."""
    said = message(check(yes_no(), epsilon=6), Caution.LARGE_EPSILON)
    assert said.startswith(
        "an epsilon of 6 protects little: somebody who thought an answer 10% likely may be 98% "
    )
    assert "apps refuse more than 4 for one survey" in said
    assert "a device allows 8 in 365 days for all surveys together" in said
    assert cautions(check(yes_no(), epsilon="4.01")) == [Caution.LARGE_EPSILON]
    assert cautions(check(yes_no(), epsilon=4)) == []


def test_a_panel_is_warned_of_by_what_all_its_waves_take() -> None:
    """Four waves of 1.5 are an epsilon of 6, and what all reports tell together is said."""
    said = message(check(yes_no(), epsilon=6, waves=4), Caution.LARGE_EPSILON)
    assert said.startswith("an epsilon of 6 over 4 waves protects little")
    assert "may be 98% sure of it after all reports" in said
    assert cautions(check(yes_no(), epsilon=4, waves=4)) == []


def test_warnings_stand_in_order() -> None:
    """Warnings come in the order of what they are of."""
    questions = [yes_no("a"), yes_no("b"), number()]
    found = cautions(check(*questions, epsilon=6, ask=2, respondents=20))
    order = list(Caution)
    assert len(found) >= 4
    assert found == sorted(found, key=order.index)


def test_it_says_how_far_reports_of_one_person_can_be_matched() -> None:
    """By the values of all facts together, among the reports that carry them."""
    facts = [yes_no("a", fixed=True, required=True), yes_no("b", fixed=True), yes_no("c")]
    result = check(*facts, respondents=1_000, ask="all")
    assert (result.fixed_outputs, result.matched_among) == (6, 166)
    assert message(result, Caution.LINKABLE).startswith(
        "a and b: reports of one person can be matched up to 1 in 166, on average, because "
        "devices repeat the values they report for facts, and all facts together have 6 different "
        "values; "
    )
    (told,) = [each for each in result.warnings if each.caution is Caution.LINKABLE]
    assert told.to_document()["numbers"] == {"outputs": 6, "among": 166}
    assert check(*facts, respondents=1_000, ask=1).matched_among == 55
    # A third of the people are asked both.
    assert check(*facts, respondents=1_000, ask=2).matched_among == 55
    assert check(*facts, respondents=5, ask="all").matched_among == 1
    alone = check(*facts)
    assert (alone.fixed_outputs, alone.matched_among) == (6, None)
    assert "up to 1 in N, where N is 1/6 of the reports" in message(alone, Caution.LINKABLE)
    free = check(yes_no(), respondents=1_000)
    assert (free.fixed_outputs, free.matched_among) == (1, None)
    assert Caution.LINKABLE not in cautions(free)


def test_reports_are_matched_within_the_smallest_group() -> None:
    """A report carries its group; all groups are taken to respond alike."""
    groups = {"staff": {"invited": 960}, "board": {"invited": 120}}
    fact = yes_no("a", fixed=True, required=True)
    invited = {"issuer": "https://a.b", "groups": groups}
    forecasts = {
        count: check(fact, yes_no("b"), respondents=count, ask="all", invited=invited)
        for count in (None, 5_000, 1_080, 540, 1)
    }
    numbers = [forecast.matched_among for forecast in forecasts.values()]
    assert numbers == [60, 60, 60, 30, 1]
    said = message(forecasts[None], Caution.LINKABLE)
    assert "can be matched up to 1 in 60 in the smallest group, on average" in said
    files = [forecast.closed_file for forecast in forecasts.values()]
    assert [each and each.reports for each in files] == [120, 120, 120, 60, None]
    assert files[0] is not None
    assert "(120 in its smallest group) together, in random order" in files[0].in_words


def test_equal_scales_in_a_row_may_be_a_score() -> None:
    """Three or more, and not where they are a score already."""
    battery = [scale(f"q{place}") for place in range(3)]
    crossed: dict[str, Any] = {"crosstabs": [["a", "b"]]}
    result = check(*battery, yes_no("a"), yes_no("b"), **crossed)
    said = message(result, Caution.SEPARATE_ITEMS)
    assert said.startswith("q0, q1 and q2: these 3 scales have the same levels; from separate")
    assert cautions(check(*battery[:2], yes_no("a"), yes_no("b"), **crossed)) == []
    others = [scale("q0"), yes_no("a"), scale("q1"), yes_no("b"), scale("q2", levels=4)]
    assert cautions(check(*others, **crossed)) == []
    assert cautions(check(score())) == []


def test_windows_that_overlap_are_warned_of() -> None:
    """Without an end of collecting before the survey opens, times could match people."""
    groups = {"nurses": {"invited": 30}}
    invited = {"issuer": "https://a.b", "groups": groups}
    until = {**invited, "collect_until": "2026-12-05T18:00+01:00"}
    for keys in (
        {"invited": invited},
        {"invited": until},
        {"invited": until, "opens": "2026-12-05T17:59+01:00"},
        {"invited": invited, "opens": "2026-12-05T18:00+01:00"},
    ):
        found = check(yes_no(), **keys)
        assert cautions(found) == [Caution.OVERLAPPING]
        assert "set collect_until before opens" in message(found, Caution.OVERLAPPING)
    apart = check(yes_no(), invited=until, opens="2026-12-05T18:00+01:00")
    assert cautions(apart) == []


def test_small_groups_are_warned_of() -> None:
    """The warning says among how few people a report is hidden."""
    invited = {
        "issuer": "https://a.b",
        "collect_until": "2026-12-05T18:00+01:00",
        "small_groups": True,
        "groups": {"nurses": {"invited": 30}, "doctors": {"invited": 4}},
    }
    found = check(yes_no(), invited=invited, opens="2026-12-06T06:00+01:00")
    assert cautions(found) == [Caution.SMALL_GROUPS]
    assert "the smallest group has 4 people" in message(found, Caution.SMALL_GROUPS)
