"""Crosstabs: closed questions that are randomized as one joint question."""

import itertools
from typing import Any

import pytest

from deniable_sdk import InvalidAnswer, InvalidDefinition, PublishedSurvey
from deniable_sdk.mechanisms import OneOf, Subset
from sample_definitions import (
    Document,
    choice,
    definition,
    multiple,
    number,
    scale,
    survey,
    yes_no,
)

HEALTH = choice("health", 4)
CROSSED = [yes_no("limitation"), HEALTH, number("visits"), scale("stress", 3, required=True)]


def test_a_crosstab_is_one_block_in_its_authors_order() -> None:
    """It takes the place of its first question, and its questions stand in no other block."""
    published = survey(*CROSSED, crosstabs=[["stress", "health"]])
    blocks = [
        (block.id, [question.id for question in block.questions]) for block in published.blocks
    ]
    assert blocks == [
        ("limitation", ["limitation"]),
        ("stress_x_health", ["stress", "health"]),
        ("visits", ["visits"]),
    ]
    assert published.blocks[1].domain == OneOf(3 * 5)
    assert isinstance(published.blocks[1].mechanism, Subset)


def test_joint_answers_are_counted_with_the_last_question_fastest() -> None:
    """Every combination of answers has its own place, in order."""
    block = survey(*CROSSED, crosstabs=[["stress", "limitation", "health"]]).blocks[0]
    answers = itertools.product(
        ("1", "2", "3"), (True, "no", None), ("o0", "o1", "o2", "o3", None)
    )
    places = [
        block.encode({"stress": stress, "limitation": limitation, "health": health})
        for stress, limitation, health in answers
    ]
    assert places == list(range(45))
    assert block.encode({"stress": 3}) == 44
    with pytest.raises(InvalidAnswer, match="question 'stress' is required"):
        block.encode({"health": "o1"})


def test_a_question_may_be_crossed_twice() -> None:
    """Each crosstab is a block of its own, and a respondent may be asked both."""
    published = survey(*CROSSED, crosstabs=[["limitation", "health"], ["health", "stress"]])
    assert [block.id for block in published.blocks] == [
        "limitation_x_health",
        "health_x_stress",
        "visits",
    ]
    assert PublishedSurvey.from_bytes(published.document) == published


def test_nine_questions_fill_a_joint_domain() -> None:
    """Nine required questions of two options have 512 cells; a tenth question is refused."""
    questions = [yes_no(f"q{index}", required=True) for index in range(10)]
    ids = [question["id"] for question in questions]
    assert survey(*questions, crosstabs=[ids[:9]]).blocks[0].domain == OneOf(512)
    with pytest.raises(
        InvalidDefinition, match=r"got 10 question ids; allowed is a list of 2 to 9"
    ):
        survey(*questions, crosstabs=[ids])


def test_as_many_blocks_are_asked_as_there_are() -> None:
    """The number counts blocks, of which a crosstab is one."""
    assert survey(*CROSSED, crosstabs=[["limitation", "health"]], ask="all").asked == 3
    with pytest.raises(
        InvalidDefinition, match="a whole number from 1 to 3, the number of blocks"
    ):
        survey(*CROSSED, crosstabs=[["limitation", "health"]], ask=4)


LONG = "in_the_past_12_months_have_you_been_upset", "in_the_past_12_months_were_you_bullied_at"
NAMES: list[tuple[list[str], list[list[str]], list[str]]] = [
    (["a", "b"], [["a", "b"]], ["a_x_b"]),
    (
        [name[:40] for name in LONG],
        [[name[:40] for name in LONG]],
        ["in_the_past_12_months_have_you_x_in_the_past_12_months_were_you"],
    ),
    (
        [f"{letter * 39}{place}" for place in range(2) for letter in "ab"],
        [[f"{letter * 39}{place}" for letter in "ab"] for place in range(2)],
        [f"{'a' * 30}_x_{'b' * 30}", f"{'a' * 30}_x_{'b' * 28}_2"],
    ),
    (["a", "b", "a_x_b"], [["a", "b"]], ["a_x_b_2", "a_x_b"]),
    (
        ["a", "b_x_c", "a_x_b", "c"],
        [["a", "b_x_c"], ["a_x_b", "c"]],
        ["a_x_b_x_c", "a_x_b_x_c_2"],
    ),
]


@pytest.mark.parametrize(("ids", "crosstabs", "expected"), NAMES, ids=lambda one: str(one)[:20])
def test_the_name_of_a_crosstab_fits_and_is_its_own(
    ids: list[str], crosstabs: list[list[str]], expected: list[str]
) -> None:
    """The ids are joined and shortened; a number follows a name that is taken."""
    published = survey(*map(yes_no, ids), crosstabs=crosstabs)
    assert [block.id for block in published.blocks] == expected
    assert PublishedSurvey.from_bytes(published.document) == published


def test_nine_questions_with_the_longest_ids_have_a_name() -> None:
    """Each id has a part in it."""
    questions = [yes_no(f"{letter * 40}", required=True) for letter in "abcdefghi"]
    (block,) = survey(*questions, crosstabs=[[each["id"] for each in questions]]).blocks
    assert block.id == "_x_".join(letter * 4 for letter in "abcdefghi")


REFUSED: list[tuple[list[Document], Any, str]] = [
    (CROSSED, "health", "crosstabs: got 'health'; allowed is a list of 0 to 200 lists"),
    (CROSSED, [3], "crosstabs[0]: got 3; allowed is a list of question ids, or an object with"),
    (CROSSED, [["health"]], "crosstabs[0].questions: got 1 question id; allowed is a list of 2"),
    (
        CROSSED,
        [["health", "visits"]],
        (
            "crosstabs[0].questions[1]: got 'visits'; allowed are the survey's yes_no, choice and "
            "scale questions, and scores with cut-offs: limitation, health, stress"
        ),
    ),
    (
        [multiple("a"), number("b")],
        [["a", "b"]],
        (
            "crosstabs[0].questions[0]: got 'a'; allowed are the survey's yes_no, choice and "
            "scale questions, and scores with cut-offs: there is none"
        ),
    ),
    (CROSSED, [["health", "health"]], "crosstabs[0].questions: a question is repeated"),
    (
        CROSSED,
        [["health", "stress"], ["stress", "health"]],
        "crosstabs[1]: the same questions are repeated",
    ),
    (
        [yes_no("a"), choice("b", 400)],
        [["a", "b"]],
        (
            'crosstabs[0]: has more than 1000 cells (3 × 401, "no answer" counted); allowed are '
            "at most 1000; take fewer questions, or options that are put together"
        ),
    ),
    (
        CROSSED,
        [{"questions": ["health", "stress"], "target": "mean"}],
        "crosstabs[0].target: unknown key; allowed are questions, weight, epsilon",
    ),
    (
        CROSSED,
        [{"questions": ["health", "stress"], "weight": 0}],
        "crosstabs[0].weight: got 0; allowed is a number above 0",
    ),
    (
        [yes_no("a"), scale("b", target="mean")],
        [["a", "b"]],
        (
            "questions[1]: a question that is joined with others is randomized with them and "
            "takes no target, mechanism, weight or epsilon of its own"
        ),
    ),
]


@pytest.mark.parametrize(
    ("questions", "crosstabs", "message"), REFUSED, ids=lambda one: str(one)[:30]
)
def test_faults_of_a_crosstab_are_named(
    questions: list[Document], crosstabs: object, message: str
) -> None:
    """Each has its place, what was got and what is allowed."""
    given = [[*one] if isinstance(one, tuple) else one for one in crosstabs] \
        if isinstance(crosstabs, list) else crosstabs  # fmt: skip
    with pytest.raises(InvalidDefinition) as caught:
        survey(*questions, crosstabs=given)
    assert str(caught.value).startswith(message)


def test_the_message_of_a_joint_answer_leaves_it_out() -> None:
    """A wrong answer within a crosstab is refused by its own question."""
    block = survey(*CROSSED, crosstabs=[["limitation", "health"]]).blocks[0]
    with pytest.raises(
        InvalidAnswer, match="question 'health' takes one of its options"
    ) as caught:
        block.encode({"limitation": "yes", "health": "canary"})
    assert "canary" not in str(caught.value)
    assert definition()["slug"] == "health"
