"""Routing: which questions are reached, and that a report does not tell."""

from typing import Any

import pytest

from deniable_sdk import (
    InvalidAnswer,
    InvalidDefinition,
    InvalidSurvey,
    PublishedSurvey,
    draw_blocks,
    questions_to_show,
    randomize,
    reached_questions,
)
from sample_definitions import choice, definition, multiple, number, scale, survey, yes_no
from tape import Tape
from vectors import kinds
from vectors.spelling import Recorder

SURVEY = survey(
    yes_no("asthma"),
    scale("attacks", 4, show_if={"question": "asthma", "is": "yes"}, required=True),
    multiple("drugs", 3, show_if={"question": "attacks", "is": [2, 3, 4]}),
    number("doses", 9, show_if={"question": "drugs", "is": ["o0", "o2"]}),
    choice("region"),
    ask="all",
    epsilon=4,
)
FULL: dict[str, Any] = {"asthma": True, "attacks": 3, "drugs": ["o1", "o2"], "doses": 7}


@pytest.mark.parametrize(
    ("answers", "reached"),
    [
        ({}, "asthma region"),
        ({"asthma": None}, "asthma region"),
        ({"asthma": "no_answer"}, "asthma region"),
        ({"asthma": "no", "attacks": 4, "drugs": ["o0"]}, "asthma region"),
        ({"asthma": "yes"}, "asthma attacks region"),
        ({"asthma": True, "attacks": 1, "drugs": ["o0"]}, "asthma attacks region"),
        ({"asthma": True, "attacks": "2"}, "asthma attacks drugs region"),
        ({"asthma": True, "attacks": 2, "drugs": []}, "asthma attacks drugs region"),
        ({"asthma": True, "attacks": 2, "drugs": ["o1"]}, "asthma attacks drugs region"),
        (FULL, "asthma attacks drugs doses region"),
    ],
)
def test_questions_are_reached_through_all_before_them(
    answers: dict[str, Any], reached: str
) -> None:
    """A question is reached if the one it names is, and one of the options was chosen."""
    assert reached_questions(SURVEY, answers) == set(reached.split())


def test_those_that_decide_are_shown_too() -> None:
    """A device shows the questions of its blocks and all that lead to them, in order."""

    def shown(*blocks: str) -> list[str]:
        return [question.id for question in questions_to_show(SURVEY, blocks)]

    assert shown("region") == ["region"]
    assert shown("drugs") == ["asthma", "attacks", "drugs"]
    assert shown("doses", "region") == ["asthma", "attacks", "drugs", "doses", "region"]
    assert shown(*draw_blocks(SURVEY)) == ["asthma", "attacks", "drugs", "doses", "region"]


def _report(survey_: PublishedSurvey, answers: dict[str, Any], seed: str = "") -> bytes:
    return randomize(survey_, answers, read_bytes=Recorder(seed)).to_bytes()


def test_what_was_not_reached_is_no_answer() -> None:
    """The report is the same whether nothing, or anything, was given on a path not taken."""
    for seed in map(str, range(20)):
        left_out = _report(SURVEY, {"asthma": False}, seed)
        for given in (
            FULL | {"asthma": False},
            {"asthma": "no", "drugs": "nonsense", "doses": -3},
        ):
            assert _report(SURVEY, given, seed) == left_out


def test_a_path_has_no_length() -> None:
    """Short and long paths draw as many bytes and report the same blocks in the same form."""
    drawn = set()
    for answers in ({}, {"asthma": False}, {"asthma": True, "attacks": 1}, FULL):
        recorder = Recorder("one")
        report = randomize(SURVEY, answers, read_bytes=recorder)
        forms = tuple((key, type(value)) for key, value in report.values.items())
        drawn.add((len(recorder.data), forms))
    assert len(drawn) == 1


def test_a_routing_answer_that_is_not_asked_stays_on_the_device() -> None:
    """Its block is not reported, but it decides whether the drawn one was reached."""
    two = survey(
        yes_no("a"), yes_no("b", show_if={"question": "a", "is": "yes"}), ask=1, epsilon=1
    )
    for seed in map(str, range(50)):
        reports = [
            randomize(two, answers, ["b"], Recorder(seed)).values
            for answers in ({"a": True, "b": True}, {"a": False, "b": True}, {"a": False})
        ]
        assert all(report.keys() == {"b"} for report in reports)
        assert reports[1] == reports[2]
    with pytest.raises(InvalidAnswer, match="question 'a' takes one of its options: yes, no"):
        randomize(two, {"a": "canary"}, ["b"], Tape(b""))
    assert randomize(two, {"a": None, "b": None}, ["a"]).values.keys() == {"a"}


def test_a_required_question_must_be_answered_where_it_is_reached() -> None:
    """Left out on the path that leads to it, it is refused before anything is drawn."""
    with pytest.raises(InvalidAnswer, match="question 'attacks' is required, and takes one of"):
        randomize(SURVEY, {"asthma": True}, read_bytes=Tape(b""))
    with pytest.raises(InvalidAnswer, match="question 'attacks' is required, and takes one of"):
        randomize(SURVEY, {"asthma": True, "attacks": "no_answer"}, read_bytes=Tape(b""))
    some = survey(
        yes_no("a"),
        multiple("b", required=True, show_if={"question": "a", "is": "yes"}),
        ask="all",
    )
    for given in (None, "no_answer", ["no_answer"], {"no_answer"}):
        with pytest.raises(InvalidAnswer, match="question 'b' is required, and takes lists of"):
            randomize(some, {"a": True, "b": given}, read_bytes=Tape(b""))


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ({"question": "b", "is": "yes"}, ".question: got 'b'; allowed is the id of an earlier"),
        ({"question": "c", "is": "o0"}, ".question: got 'c'; allowed is the id of an earlier"),
        ({"question": "n", "is": "1"}, ".question: got 'n'; allowed is the id of an earlier"),
        ({"question": "a", "is": ["yes", "x"]}, ".is[1]: got 'x'; allowed are: yes, no"),
        ({"question": "a", "is": []}, ".is: got no option; allowed is an option of that question"),
        ({"question": "a"}, ": the key 'is' is missing; it takes an option of that question"),
        ({"is": "yes"}, ": the key 'question' is missing; it takes the id of an earlier question"),
        ({"question": "a", "is": "yes", "or": 1}, ".or: unknown key; allowed are question, is"),
        ("a", ": got 'a'; allowed is an object with keys and values"),
    ],
)
def test_rules_that_cannot_be_are_named(rule: object, problem: str) -> None:
    """Each fault of a rule has its place and says what is allowed."""
    questions = [yes_no("a"), number("n"), yes_no("b", show_if=rule), choice("c")]
    with pytest.raises(InvalidDefinition) as caught:
        survey(*questions)
    assert str(caught.value).startswith(f"questions[2].show_if{problem}")


def test_options_of_a_rule_are_published_in_their_order() -> None:
    """An author may name them in any order, as truths or numbers; a published survey may not."""
    published = survey(
        scale("a", 4), yes_no("b"),
        yes_no("c", show_if={"question": "a", "is": [3, "1"]}),
        yes_no("d", show_if={"question": "b", "is": [False, True]}),
    )  # fmt: skip
    rules = [question.show_if for question in published.questions if question.show_if]
    assert [rule.options for rule in rules] == [("1", "3"), ("yes", "no")]
    questions: list[Any] = [*kinds.QUESTIONS]
    questions[2] = {**questions[2], "show_if": {"question": "asthma", "is": ["no", "yes"]}}
    with pytest.raises(InvalidSurvey, match=r"show_if.is: the options are not in their order, or"):
        PublishedSurvey.from_document({**kinds.SURVEY, "questions": questions})


def test_routing_from_a_crosstab_leads_on() -> None:
    """A question of a crosstab can lead to others, and be led to."""
    published = survey(
        yes_no("a"),
        yes_no("b", show_if={"question": "a", "is": "yes"}),
        number("c", show_if={"question": "b", "is": "no"}),
        crosstabs=[["b", "a"]],
        ask=1,
    )
    assert [block.id for block in published.blocks] == ["b_x_a", "c"]
    assert [question.id for question in questions_to_show(published, ["c"])] == ["a", "b", "c"]
    assert definition()["slug"] == published.slug
    tape = [Recorder("t") for _ in range(2)]
    answers: list[dict[str, Any]] = [{"a": False, "b": "no", "c": 3}, {"a": False}]
    first, second = (
        randomize(published, given, ["c"], one) for given, one in zip(answers, tape, strict=True)
    )
    assert first == second
