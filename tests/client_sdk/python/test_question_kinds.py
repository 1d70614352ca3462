"""Every kind of question: its domain, the names and places of its answers, its refusals."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from deniable_sdk import InvalidAnswer, InvalidSurvey, PublishedSurvey
from deniable_sdk.mechanisms import OneOf, SomeOf
from deniable_sdk.survey.decimals import format_units, parse_canonical, parse_number
from deniable_sdk.survey.questions import Question
from sample_definitions import Document, choice, multiple, number, scale, survey, yes_no
from vectors import kinds

HALVES = number() | {"min": -1, "max": 1.5, "step": 0.5}


def _question(document: Document) -> Question:
    return survey(document).questions[0]


def test_domains() -> None:
    """No answer is one more answer, or one more option, unless the question is required."""
    cases: list[tuple[Document, object]] = [
        (yes_no(), OneOf(2, True)),
        (choice(options=5, required=True), OneOf(5)),
        (scale(levels=7), OneOf(7, True)),
        (multiple(options=4), SomeOf(5, 4)),
        (multiple(options=4, required=True), SomeOf(4, 4)),
        (multiple(options=4, at_most=2), SomeOf(5, 2)),
        (number(highest=30), OneOf(31, True)),
        (HALVES | {"required": True}, OneOf(6)),
    ]
    for document, domain in cases:
        assert _question(document).domain == domain


def test_a_required_question_that_may_not_be_reached_has_no_answer() -> None:
    """Whether a question was reached is hidden like every other answer."""
    published = survey(
        yes_no("a"), yes_no("b", required=True, show_if={"question": "a", "is": "yes"})
    )
    assert published.questions[1].names == ("yes", "no", "no_answer")


def test_names_stand_at_the_places_of_the_domain() -> None:
    """Options by id, numbers as their shortest decimal text, no answer last."""
    assert _question(multiple(options=2)).names == ("o0", "o1", "no_answer")
    assert _question(HALVES).names == ("-1", "-0.5", "0", "0.5", "1", "1.5", "no_answer")
    assert _question(number(highest=2, required=True)).names == ("0", "1", "2")


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        *((value, 0) for value in (-1, -1.0, "-1", "-01.00")),
        *((value, 2) for value in (0, 0.0, -0.0, "-0", "0.000000000000000")),
        *((value, 5) for value in (1.5, "1.5", "000000000000001.5")),
        *((value, 6) for value in (None, "no_answer")),
    ],
)
def test_numbers_are_taken_exactly(answer: object, index: int) -> None:
    """A number or its text has the place of exactly that number."""
    assert _question(HALVES).encode(answer) == index


def test_every_float_of_a_grid_is_taken() -> None:
    """Whatever the step, a number that was written with few decimals is on its grid."""
    for step, decimals in ((1, 0), (0.1, 1), (0.25, 2), (0.001, 3), (0.0001, 4)):
        question = _question(number() | {"min": -2000 * step, "max": 2000 * step, "step": step})
        for index in range(0, 4001, 37):
            exact = (index - 2000) * Fraction(str(step))
            written = f"{float(exact):.{decimals}f}"
            assert question.encode(float(written)) == question.encode(written) == index


@pytest.mark.parametrize(
    "answer",
    [
        *(2, -1.5, 0.25, 1e300, float("nan"), float("inf"), 10**5000, True, Decimal(1)),
        *("", " 1", "1 ", "1e0", "+1", ".5", "1.", "0x1", "٣", "1_0", "0.5000000000000001"),
        *([], [1], {}, b"1", object()),
    ],
    ids=lambda answer: type(answer).__name__,
)
def test_what_is_no_number_of_the_grid_is_refused(answer: object) -> None:
    """The message names the grid and leaves the answer out."""
    with pytest.raises(InvalidAnswer) as caught:
        _question(HALVES).encode(answer)
    assert str(caught.value) == (
        "question 'visits' takes the numbers from -1 to 1.5 in steps of 0.5; the answer given is "
        "none of them and was not used"
    )


@pytest.mark.parametrize("container", [list, tuple, set, frozenset])
def test_chosen_options_are_taken_in_any_order(container: type) -> None:
    """A list, tuple or set of options has their places in ascending order."""
    question = _question(multiple(options=4, at_most=2))
    assert question.encode(container(["o3", "o1"])) == (1, 3)
    assert question.encode(container([])) == ()
    assert question.encode(container(["no_answer"])) == question.encode(None) == (4,)


@pytest.mark.parametrize(
    "answer",
    [
        *(["o0", "o0"], ["o0", "o1", "o2"], ["o4"], ["no_answer", "o1"], [None], [["o1"]], [1]),
        *("o1", 1, True, {"o1": True}, {}, iter(["o1"]), b"o1", object()),
    ],
)
def test_what_is_no_choice_is_refused(answer: object) -> None:
    """The message names the options and the limit, and leaves the answer out."""
    with pytest.raises(InvalidAnswer) as caught:
        _question(multiple(options=4, at_most=2)).encode(answer)
    assert str(caught.value) == (
        "question 'drugs' takes lists of at most 2 of its options, each once: o0, o1, o2, o3; the "
        "answer given is none of them and was not used"
    )


@pytest.mark.parametrize("document", [yes_no(), multiple(), number()], ids=lambda one: one["type"])
def test_a_required_question_says_so(document: Document) -> None:
    """No answer to a required question is refused as that."""
    question = _question(document | {"required": True})
    for answer in (None, "no_answer"):
        with pytest.raises(InvalidAnswer, match="takes"):
            question.encode(answer)
    with pytest.raises(InvalidAnswer, match=f"'{question.id}' is required, and takes"):
        question.encode(None)


@pytest.mark.parametrize(
    ("text", "units"),
    [("0", 0), ("-0.5", -5000), ("12.0001", 120001), ("999999999", 9999999990000)],
)
def test_decimal_texts_have_one_form(text: str, units: int) -> None:
    """A text is read as so many units of 10^-4, which are written as that text."""
    assert parse_canonical(text) == parse_number(text) == units
    assert format_units(units) == text


@pytest.mark.parametrize(
    "text", ["", "-", "-0", "01", "1.", ".5", "1.50", "0.00001", "1234567890", "1e3", " 1", "١", 1]
)
def test_other_texts_are_no_decimal_texts(text: object) -> None:
    """What could be written shorter, or is too long, is refused."""
    assert parse_canonical(text) is None


def test_a_text_that_is_two_numbers_of_the_grid_is_refused() -> None:
    """An app may pass on 2.000 from a person who meant two thousand."""
    wide = _question(number() | {"min": -4000, "max": 999, "step": 1})
    assert wide.encode("2.000") == wide.encode(2.0) == wide.encode("2.0") == 4002
    for text in ("-2.000", "-3.999"):
        with pytest.raises(InvalidAnswer, match="takes the numbers from -4000 to 999 in steps of"):
            wide.encode(text)


def test_every_kind_goes_through_its_document() -> None:
    """A published survey of every kind reads back as itself, with all its texts."""
    published = PublishedSurvey.from_document(kinds.SURVEY)
    assert [question.to_document() for question in published.questions] == kinds.QUESTIONS
    assert PublishedSurvey.from_bytes(published.document) == published
    assert published.languages == {"en"}
    assert published.blocks[0].domain == OneOf(9)


def _faulty(change: dict[str, Any], index: int) -> str:
    questions: list[Any] = [*kinds.QUESTIONS]
    questions[index] = {**questions[index], **change}
    with pytest.raises(InvalidSurvey) as caught:
        PublishedSurvey.from_document({**kinds.SURVEY, "questions": questions})
    return str(caught.value).split("\n")[0]


STEPS = "allowed are 1 to 4999 whole ones: take another step, min or max"
FAULTS: list[tuple[int, dict[str, Any], str]] = [
    (3, {"at_most": 4}, "questions[3].at_most: got 4; allowed is a whole number from 1 to 3"),
    (5, {"min": "01"}, "questions[5].min: got '01'; allowed is a decimal text like \"0.5\""),
    (5, {"step": "0"}, "questions[5].step: got '0'; allowed is a decimal text above 0"),
    (5, {"max": "-2"}, "questions[5].max: got -2; allowed is more than min, 0"),
    (5, {"max": "5000"}, f"questions[5].step: from min to max it is 5000 steps; {STEPS}"),
    (
        5,
        {"step": "2"},
        f"questions[5].step: from min to max it is no whole number of steps; {STEPS}",
    ),
    (
        0,
        {"unit": "x"},
        "questions[0].unit: unknown key; allowed are id, type, text, help, image, section",
    ),
]


@pytest.mark.parametrize(
    ("index", "change", "message"), FAULTS, ids=[fault[2] for fault in FAULTS]
)
def test_faults_of_a_published_question_are_named(
    index: int, change: dict[str, Any], message: str
) -> None:
    """Each key of a kind is refused with its place and what is allowed."""
    assert _faulty(change, index).startswith(message)
