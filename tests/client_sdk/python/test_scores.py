"""Scores: computed on the device from items that are in no report."""

import itertools
from typing import Any

import pytest

from channel_checks import walk
from deniable_sdk import (
    InvalidAnswer,
    PublishedSurvey,
    canonical,
    compile_survey,
    compute_scores,
    questions_to_show,
    randomize,
)
from deniable_sdk.survey.routing import follow_routing
from deniable_sdk.testing import Tape
from sample_definitions import Document, definition, number, scale, survey, yes_no
from score_samples import FREQUENCY, score

LEVELS = (*FREQUENCY, "no_answer")


def computed(question: Document, *others: Document, **answers: object) -> str | None:
    """The one score of these answers."""
    return compute_scores(survey(*others, question), answers)[question["id"]]


def of_items(keys: Document, *answers: int | None) -> str | None:
    """The score of items that were answered with these levels, by their points."""
    names = {points: level for level, points in FREQUENCY.items()}
    given = {
        f"mood_{place}": names[points]
        for place, points in enumerate(answers, 1)
        if points is not None
    }
    items = [f"item {place}" for place in range(len(answers))]
    question = {
        key: value for key, value in score(items=items, **keys).items() if value is not None
    }
    return computed(question, **given)


NUMBER: Document = {"cutoffs": None}


@pytest.mark.parametrize(
    ("keys", "answers", "expected"),
    [
        ({}, (0, 0, 2), "minimal"),
        ({}, (0, 1, 2), "mild"),
        ({}, (3, 3, 3), "marked"),
        ({}, (3, 3, None), None),
        ({"at_least": 2}, (3, 3, None), "marked"),
        ({"at_least": 2}, (None, None, 3), None),
        (NUMBER, (1, 2, 3), "6"),
        # 3 points of two items are 4.5 of three: half up.
        ({"at_least": 2, **NUMBER}, (1, 2, None), "5"),
        ({"at_least": 2, "step": 0.5, **NUMBER}, (1, 2, None), "4.5"),
        ({"at_least": 2, "step": 2, **NUMBER}, (1, 2, None), "4"),
        ({"combine": "mean", **NUMBER}, (1, 1, 3), "1.67"),
        ({"combine": "mean", "at_least": 1, "step": 1, **NUMBER}, (None, 1, 2), "2"),
        ({"combine": "largest", **NUMBER}, (1, 3, 2), "3"),
        ({"combine": "count", "reached": 2, **NUMBER}, (1, 3, 2), "2"),
        ({"combine": "any", "reached": 3, "cutoffs": {"no": 0, "yes": 1}}, (1, 2, 2), "no"),
        ({"combine": "any", "reached": 3, "cutoffs": {"no": 0, "yes": 1}}, (1, 3, 2), "yes"),
        ({"combine": "all", "reached": 2, "cutoffs": {"no": 0, "yes": 1}}, (1, 3, 2), "no"),
        ({"combine": "all", "reached": 2, "cutoffs": {"no": 0, "yes": 1}}, (2, 3, 2), "yes"),
        ({"combine": "all", "reached": 2, **NUMBER}, (2, 3, 2), "1"),
        ({"combine": "all", "reached": 2, "at_least": 2, **NUMBER}, (1, 3, None), "0"),
        ({"table": [30, 41, 48.5, *[60] * 7], "step": 0.5, **NUMBER}, (1, 0, 1), "48.5"),
        ({"table": [30, 41, 48.5, *[60] * 7], "step": 0.5, **NUMBER}, (3, 3, 3), "60"),
        # A map has no order of its own.
        ({"cutoffs": {"marked": 6, "minimal": 0, "mild": 3}}, (0, 1, 2), "mild"),
        ({"plus": -4, **NUMBER}, (1, 0, 1), "-2"),
        ({"min": 2, "max": 5, **NUMBER}, (0, 0, 0), "2"),
        ({"min": 2, "max": 5, **NUMBER}, (3, 3, 3), "5"),
    ],
)
def test_each_operation(
    keys: Document, answers: tuple[int | None, ...], expected: str | None
) -> None:
    """Sums, means, counts and tables come out as a person would compute them."""
    assert of_items(keys, *answers) == expected


def test_items_that_are_skipped_have_points() -> None:
    """Who drinks nothing is not asked how often; without the key there is no score."""
    drinks = yes_no("drinks", reported=False, required=True)
    shown = {"question": "drinks", "is": "yes"}
    often = yes_no("often", reported=False, required=True, show_if=shown)
    items = [{"question": "drinks"}, {"question": "often"}]
    keys: Document = {"items": items, "cutoffs": {"low": 0, "some": 1, "high": 2}}
    audit = score(skipped=0, required=True, **keys)
    assert computed(audit, drinks, often, drinks=False) == "low"
    assert computed(audit, drinks, often, drinks=True, often=False) == "some"
    assert computed(audit, drinks, often, drinks=True, often=True) == "high"
    assert computed(score(**keys), drinks, often, drinks=False) is None
    # What an item is worth that is not reached counts among the possible scores.
    number = {**score(skipped=-3, items=items)}
    number.pop("cutoffs")
    published: Any = survey(drinks, often, number).questions[-1]
    assert (published.lowest, published.highest) == (-30_000, 20_000)


def test_points_of_skipped_items_count_like_all_others() -> None:
    """They are among the sums that the step divides, and counted as 1 or 0."""
    drinks = yes_no("drinks", reported=False)
    often = yes_no("often", reported=False, show_if={"question": "drinks", "is": "yes"})
    doubled = [
        {"question": each, "points": {"yes": 4, "no": 0}, "weight": 0.5}
        for each in ("drinks", "often")
    ]
    two = score(items=doubled, cutoffs={"low": 0, "high": 2}, skipped=1)
    assert computed(two, drinks, often, drinks=False) == "low"
    for combine, reached, expected in (("any", 2, "1"), ("count", 2, "1"), ("all", 1, "0")):
        items = [{key: each[key] for key in ("question", "points")} for each in doubled]
        counted = score(combine=combine, reached=reached, items=items, skipped=3)
        counted.pop("cutoffs")
        assert computed(counted, drinks, often, drinks=False) == expected


def test_a_score_may_be_prorated_beyond_the_sum_of_all_points() -> None:
    """The item with the most points may be the only one that is answered."""
    wide, narrow = {"a": 0, "b": 3}, {"a": 0, "b": 1}
    items = [{"text": "x", "levels": wide}, {"text": "y", "levels": narrow}]
    question = score(items=items, at_least=1, cutoffs={"low": 0, "high": 5})
    assert computed(question, mood_1="b") == "high"
    question.pop("cutoffs")
    assert computed(question, mood_1="b") == "6"


def test_halves_are_rounded_up_below_zero_too() -> None:
    """-0.5 becomes 0 and -1.5 becomes -1, as 0.5 becomes 1."""
    levels = {"a": -3, "b": -1, "c": 1, "d": 3}
    found = {}
    for level, points in levels.items():
        question = score(
            levels=levels, items=["x", "y"], combine="mean", at_least=1, step=1, cutoffs=None
        )
        question.pop("cutoffs")
        # With weights of one half the mean of one item is half its points.
        question["items"] = [{"text": "x", "weight": 0.5}, "y"]
        found[points] = computed(question, mood_1=level)
    assert found == {-3: "-1", -1: "0", 1: "1", 3: "2"}


def test_points_of_own_answers_weights_and_reversed_items() -> None:
    """An item may have its own levels, be reversed, and weigh more."""
    question = score(
        items=[
            {"text": "a", "reversed": True},
            {"id": "own", "text": "b", "levels": {"no": 0, "yes": 5}, "weight": 2},
        ],
        cutoffs=None,
    )
    question.pop("cutoffs")
    assert computed(question, mood_1="some days", own="yes") == "12"
    assert computed(question, mood_1="every day", own=False) == "0"


def test_a_body_mass_index_and_an_age() -> None:
    """A quotient of three numbers, and bands of a difference."""
    height, weight = number("height", 220), number("weight", 250)
    height |= {"min": 100, "reported": False}
    weight |= {"min": 30, "reported": False}
    bmi: Document = {
        "id": "bmi",
        "type": "score",
        "text": "Height and weight",
        "combine": "quotient",
        "items": [
            {"question": "weight", "weight": 10000},
            {"question": "height"},
            {"question": "height"},
        ],
        "cutoffs": {"under": 0, "normal": 18.5, "over": 25},
    }
    both = (height, weight, bmi)
    found = compile_survey(definition(*both))
    assert compute_scores(found, {"height": 180, "weight": 81}) == {"bmi": "over"}
    assert compute_scores(found, {"height": 180, "weight": 80}) == {"bmi": "normal"}
    born = number("born", 2010) | {"min": 1920, "reported": False}
    age: Document = {
        "id": "age",
        "type": "score",
        "text": "Age",
        "items": [{"question": "born", "weight": -1}],
        "plus": 2026,
        "cutoffs": {"young": 0, "old": 65},
    }
    assert computed(age, born, born=1961) == "old"
    assert computed(age, born, born=1962) == "young"


def test_reported_questions_may_be_items_too() -> None:
    """A scale counts its level and yes counts 1; both are reported as ever."""
    risk: Document = {
        "id": "risk",
        "type": "score",
        "text": "Risk",
        "items": [{"question": "stress"}, {"question": "asthma"}],
    }
    asked = survey(scale("stress"), yes_no(), risk)
    assert [block.id for block in asked.blocks] == ["stress", "asthma", "risk"]
    assert compute_scores(asked, {"stress": 4, "asthma": True}) == {"risk": "5"}


def test_items_are_in_no_block_and_no_report() -> None:
    """The score is the only block; its items are shown, and a report has no trace of them."""
    asked = survey(score(), yes_no())
    assert [block.id for block in asked.blocks] == ["mood", "asthma"]
    assert [question.id for question in asked.reported] == ["mood", "asthma"]
    shown = [question.id for question in questions_to_show(asked, ["mood"])]
    assert shown == ["mood_1", "mood_2", "mood_3"]
    assert [each.id for each in questions_to_show(asked, ["asthma"])] == ["asthma"]
    report = randomize(asked, {"mood_1": "never"}, ["mood"])
    assert report.values.keys() == {"mood"}


def test_the_law_of_a_report_is_the_channels_row_of_the_score() -> None:
    """For all 125 ways to answer, enumerated; equal scores give equal bytes from equal draws."""
    published: Any = canonical.decode(survey(score(at_least=2), epsilon=2).document)
    # Weights of which all draws can be enumerated.
    published["privacy"]["blocks"][0]["mechanism"]["weights"] = [5, 1]
    asked = PublishedSurvey.from_document(published)
    (block,) = asked.blocks
    rows = {index: walk(block.mechanism, index)[0] for index in range(4)}
    by_score: dict[Any, set[bytes]] = {}
    for answers in itertools.product(LEVELS, repeat=3):
        given: dict[str, object] = {
            f"mood_{place}": answer for place, answer in enumerate(answers, 1)
        }
        encoded = block.encode(follow_routing(asked, asked.blocks, given))
        assert isinstance(encoded, int)
        found = compute_scores(asked, given)["mood"]
        assert asked.questions[-1].names[encoded] == (found or "no_answer")
        assert walk(block.mechanism, encoded)[0] == rows[encoded]
        report = randomize(asked, given, None, Tape(bytes(range(100)) * 40))
        by_score.setdefault(encoded, set()).add(report.to_bytes())
    assert by_score.keys() == {0, 1, 2, 3}
    assert all(len(reports) == 1 for reports in by_score.values())


def test_a_score_decides_what_is_asked() -> None:
    """On the device, where it is computed from the answers so far."""
    asked = survey(score(), yes_no("help", show_if={"question": "mood", "is": ["marked"]}))
    every = {f"mood_{place}": "every day" for place in (1, 2, 3)}
    found = follow_routing(asked, asked.blocks, {**every, "help": "yes"})
    assert (found["mood"], found["help"]) == ("marked", "yes")
    found = follow_routing(asked, asked.blocks, {**every, "mood_1": "no_answer", "help": "yes"})
    assert found["mood"] is None
    assert "help" not in found


def test_what_is_required_is_refused_if_it_is_left_out() -> None:
    """Items of a required score are required, and so is the score with fewer than enough."""
    asked = survey(score(required=True))
    with pytest.raises(InvalidAnswer, match=r"^question 'mood_3' is required, and takes"):
        randomize(asked, {"mood_1": "never", "mood_2": "never"})


def test_a_score_below_a_cutoff_is_never_in_its_band() -> None:
    """Also where cut-offs are between the scores, below 0, or not multiples of the step."""
    for cutoffs, points, expected in (
        ({"low": -2, "high": 1.5}, 1, "low"),
        ({"low": -2, "high": 3}, 2, "low"),
        ({"low": -3, "high": -0.5}, 0, "high"),
    ):
        levels = {f"level {each}": each for each in range(-2, 4)}
        question = score(levels=levels, items=["x"], cutoffs=cutoffs)
        assert computed(question, mood_1=f"level {points}") == expected


def test_the_default_step_is_that_of_the_results() -> None:
    """A number that is added, and a table, count with the points."""
    assert of_items({"plus": 0.5, **NUMBER}, 0, 0, 0) == "0.5"
    assert of_items({"table": [32.4, 40.1, 55.7, *[60] * 7], **NUMBER}, 1, 0, 1) == "55.7"


def test_nobody_answers_a_score() -> None:
    """An app that computes its own is refused, without its answer in the message."""
    with pytest.raises(InvalidAnswer, match=r"1 questions that survey .* it has: mood_1, mood_2"):
        randomize(survey(score()), {"mood": "marked"})
