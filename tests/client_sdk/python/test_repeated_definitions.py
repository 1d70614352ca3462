"""Facts and panels as authors declare them, and what is published of them."""

from fractions import Fraction

import pytest

from deniable_sdk import InvalidDefinition, compile_survey
from deniable_sdk.compiler import design_survey, publish
from deniable_sdk.survey.definition import Definition
from sample_definitions import Document, definition, scale, survey, yes_no

WAVES = "a whole number from 2 to 100"
PROBLEMS: list[tuple[Document, str]] = [
    (definition(waves=1), f"waves: got 1; allowed is {WAVES}"),
    (definition(waves="2"), f"waves: got '2'; allowed is {WAVES}"),
    (
        definition(waves=3, wave=4),
        "wave: got 4; allowed is a whole number from 1 to 3",
    ),
    (
        definition(wave=1),
        "wave: says which wave of how many; say how many under 'waves' too",
    ),
    (
        definition(waves=3, epsilon=0.02),
        (
            "epsilon: got 0.02 for 3 waves, which leaves each of them less than 0.01, the least; "
            "take a larger epsilon or fewer waves"
        ),
    ),
    (
        definition(yes_no(fixed="yes")),
        "questions[0].fixed: got 'yes'; allowed is true or false",
    ),
    (
        definition(yes_no("a", fixed=True), scale("b"), crosstabs=[["a", "b"]]),
        (
            "crosstabs[0].questions: some questions are fixed and some are not (a); take all or "
            "none of them as fixed, as their joint answer is reported as one"
        ),
    ),
    (
        definition(yes_no("a"), scale("b", fixed=True, show_if={"question": "a", "is": "yes"})),
        (
            "questions[1].fixed: is reached by way of 'a', which is not fixed, so that its answer "
            "may change; make both fixed or neither"
        ),
    ),
]


@pytest.mark.parametrize(("document", "message"), PROBLEMS, ids=range(len(PROBLEMS)))
def test_each_problem_is_named(document: Document, message: str) -> None:
    """One thing wrong gives one problem, with its place and what to do."""
    with pytest.raises(InvalidDefinition) as caught:
        compile_survey(document)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("epsilon", "waves", "each"),
    [(2, 4, "0.5"), ("1", 3, "0." + "3" * 30), (10, 100, "0.1"), (0.02, 2, "0.01")],
)
def test_epsilon_is_split_over_the_waves(epsilon: object, waves: int, each: str) -> None:
    """Each wave claims its part, rounded down, and all together never more than was written."""
    found = Definition.from_document(definition(epsilon=epsilon, waves=waves))
    assert (found.epsilon, found.waves, found.wave) == (Fraction(each), waves, 1)
    assert waves * found.epsilon <= Fraction(str(epsilon))
    published = publish(found, design_survey(found))
    assert (published.epsilon, published.waves, published.wave) == (Fraction(each), waves, 1)


def test_all_waves_are_randomized_alike() -> None:
    """The waves of a panel differ in their number alone."""
    first, second = (survey(scale(), waves=4, wave=number) for number in (1, 2))
    assert first.blocks == second.blocks
    assert (first.wave, second.wave) == (1, 2)
    assert first.document.replace(b'"wave":1', b'"wave":2') == second.document


def test_what_is_not_declared_is_not_published() -> None:
    """Without facts and waves a survey keeps the bytes it always had."""
    plain = survey(yes_no(fixed=False))
    assert (plain.waves, plain.wave, plain.blocks[0].fixed) == (1, 1, False)
    assert b"fixed" not in plain.document
    assert b"wave" not in plain.document
    declared = survey(yes_no(fixed=True))
    assert declared.document == plain.document.replace(
        b'"id":"asthma","opt', b'"fixed":true,"id":"asthma","opt'
    )
    assert declared.blocks[0].fixed
