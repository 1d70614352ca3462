"""What a codebook says about the variables of a survey."""

import pytest

from analysis.work_survey import COLLEAGUE, HARASSED, work_survey
from deniable_analysis.codebook.records import Codebook, CodebookBlock, Layout
from deniable_analysis.codebook.variables import codebook_of, variable_count
from deniable_analysis.errors import UnsupportedMechanism
from deniable_sdk.mechanisms import ValueForm
from sample_definitions import choice, number, scale, survey, yes_no


@pytest.fixture(scope="module")
def codebook() -> Codebook:
    """That of the survey with every kind of block, in English."""
    return codebook_of(work_survey(), "en")


def block(codebook: Codebook, block_id: str) -> CodebookBlock:
    """One of its blocks."""
    return next(each for each in codebook.blocks if each.published.id == block_id)


def test_every_block_is_there_with_its_own_layout(codebook: Codebook) -> None:
    """A block of one answer is a variable; one of several answers has one for each option."""
    layouts = {each.published.id: (each.layout, len(each.variables)) for each in codebook.blocks}
    assert layouts == {
        "harassed": (Layout.NUMBER, 1),
        "stress": (Layout.NUMBER, 1),
        "told": (Layout.BITS, 4),
        "seen": (Layout.SET, 7),
        "sick_days": (Layout.NUMBER, 1),
        "if": (Layout.NUMBER, 1),
        "region": (Layout.SET, 13),
        "insured_x_area": (Layout.NUMBER, 1),
    }
    assert len(codebook.variables) == variable_count(work_survey()) == 29
    assert (codebook.language, codebook.title) == ("en", "Work")


def test_answers_count_from_1_and_numbers_as_themselves(codebook: Codebook) -> None:
    """No answer is the next number; a place that several answers are near is counted."""
    values = {
        each.published.id: [(value.code, value.option) for value in each.variables[0].values]
        for each in codebook.blocks
        if each.layout is Layout.NUMBER
    }
    assert values["harassed"] == [(1, "yes"), (2, "no")]
    assert values["stress"] == [*((level, str(level)) for level in range(1, 6)), (6, "no_answer")]
    assert values["if"] == [(each, str(each)) for each in range(4)]
    assert values["insured_x_area"] == [
        *((1, "yes, o0"), (2, "yes, o1"), (3, "no, o0"), (4, "no, o1"))
    ]
    places = values["sick_days"]
    assert [code for code, _ in places] == list(range(1, 81))
    assert (places[0], places[18], places[-1]) == ((1, "0"), (19, "0 to 18"), (80, "no_answer"))


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        (scale("x", 11, lowest=-5), [*range(-5, 6), 6]),
        (number("x", 2, step=0.5, mechanism="subset"), [1, 2, 3, 4, 5, 6]),
        ({**choice("x"), "options": ["10", "20", "30"]}, [1, 2, 3, 4]),
    ],
)
def test_only_whole_numbers_of_an_order_are_codes(
    question: dict[str, object], codes: list[int]
) -> None:
    """Levels and numbers that are whole are their own codes; other answers are counted."""
    (found,) = codebook_of(survey(question, epsilon=10)).blocks
    assert [value.code for value in found.variables[0].values] == codes


def test_labels_are_in_the_language_with_ids_beside(codebook: Codebook) -> None:
    """Questions and options are named in the language, and every label says "Randomized"."""
    assert block(codebook, "harassed").text == HARASSED["en"]
    told = block(codebook, "told").variables
    assert told[0].label == "Randomized: A colleague (Which?)"
    assert [(each.name, each.option, each.option_text) for each in told] == [
        ("told_1", COLLEAGUE["id"], "A colleague"),
        ("told_2", "o1", "o1"),
        ("told_3", "o2", "o2"),
        ("told_4", "no_answer", "no answer"),
    ]
    german = codebook_of(work_survey())
    assert german.language == "de"
    assert german.variables[0].label == f"Randomized: {HARASSED['de']}"
    assert german.variables[2].option_text == "Eine Kollegin"
    assert block(codebook, "sick_days").text == "How often? (days)"
    assert block(codebook, "insured_x_area").text == "Do you have asthma? × Where?"
    assert all(each.label.startswith("Randomized: ") for each in codebook.variables)


def test_no_answer_includes_those_who_were_not_led_to_a_question() -> None:
    """The label says so where the survey has a condition for the question."""
    asked = [yes_no("a", required=True), yes_no("b", show_if={"question": "a", "is": "yes"})]
    _, block = codebook_of(survey(*asked, ask="all")).blocks
    last = block.variables[0].values[-1]
    assert (last.option, last.text) == ("no_answer", "not asked or no answer")


def test_the_design_is_the_published_one(codebook: Codebook) -> None:
    """Mechanism, epsilon and probabilities are those of the survey's own block, exactly."""
    for published, described in zip(work_survey().blocks, codebook.blocks, strict=True):
        assert described.published.mechanism == published.mechanism
        assert described.published.epsilon == published.epsilon
        keep = getattr(published.mechanism, "keep", None)
        assert (described.keep, described.flip) == (
            keep,
            getattr(published.mechanism, "flip", None),
        )
    assert block(codebook, "sick_days").keep is None
    assert block(codebook, "harassed").keep is not None


class LaterMechanism:
    """What a later version may publish."""

    name = "later"
    spends = ()
    form = ValueForm(3, ())


def test_a_mechanism_that_nobody_can_analyse_is_not_described() -> None:
    """Without its analysis, nobody could say how to read its values."""
    published = survey(yes_no())
    later = published.blocks[0].replace(mechanism=LaterMechanism())
    with pytest.raises(UnsupportedMechanism, match="block 'asthma' is randomized by 'later'"):
        codebook_of(published.replace(blocks=(later,)))
