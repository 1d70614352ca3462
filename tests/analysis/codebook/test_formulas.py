"""The formulas of scripts are unbiased, by enumeration of every channel."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction

import pytest

from deniable_analysis.codebook.formulas import (
    MeanFormula,
    ShareFormula,
    mean_formulas,
    share_formulas,
)
from deniable_analysis.codebook.variables import codebook_of
from deniable_analysis.sources.exports.tables import table_columns
from deniable_sdk import PublishedSurvey, theory
from deniable_sdk.mechanisms import Answer
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.options import NO_ANSWER
from sample_definitions import choice, multiple, number, scale, survey, yes_no

Row = Mapping[str, int | None]
# A row of an output, and the probability of the output under each answer.
Outcome = tuple[Row, tuple[Fraction, ...]]

SURVEYS = {
    "two answers": survey(yes_no(required=True)),
    "one of several": survey(choice(options=4), epsilon=4),
    "a set": survey(scale(levels=5), epsilon=1),
    "a scale": survey(scale(levels=5), epsilon=5),
    "bits": survey(multiple(options=4, mechanism="sampled_bits"), epsilon=4),
    "a set of several": survey(multiple(options=4, at_most=2, mechanism="privset"), epsilon=1),
    "places": survey(number(highest=7), epsilon=2),
    "rounded places": survey(number(highest=30, target="mean"), epsilon=2),
    "every number": survey(number(highest=3, required=True), epsilon=6),
    "a set of a crosstab": survey(
        yes_no("a"), choice("b", 3), crosstabs=[["a", "b"]], epsilon="0.5"
    ),
    "a crosstab": survey(
        yes_no("a", required=True), choice("b", 3), crosstabs=[["a", "b"]], epsilon=5
    ),
}


def outcomes(published: PublishedSurvey) -> Iterator[Outcome]:
    """Every output of the survey's only block, as a row of a table."""
    (block,), codebook = published.blocks, codebook_of(published)
    for output, likelihoods in theory.channel(block.mechanism).items():
        cell: object = output if block.mechanism.form.shape else int(output)
        (columns,) = table_columns(codebook, [[[cell]]])
        row = {
            variable.name: None if column.is_missing[0] else int(column.numbers[0])
            for variable, column in zip(codebook.variables, columns, strict=True)
        }
        yield row, likelihoods


def corrected(formula: ShareFormula, row: Row) -> Fraction | None:
    """What a report contributes to a share, as the docstring of the formula says."""
    if row[formula.variables[0]] is None:
        return None
    marks = sum(row[variable] in formula.codes for variable in formula.variables)
    return (marks - formula.merged * formula.flip) / (formula.keep - formula.flip)


def options_of(block: Block, answer: Answer) -> dict[str, set[str]]:
    """For each question of a block, and the block itself, the options that an answer has."""
    if isinstance(answer, tuple):
        question = block.questions[0]
        return {question.id: {question.names[index] for index in answer}}
    found: dict[str, set[str]] = {}
    names = []
    for question in reversed(block.questions):
        answer, index = divmod(answer, len(question.names))
        found[question.id] = {question.names[index]}
        names.append(question.names[index])
    return {block.id: {", ".join(reversed(names))}, **found}


@pytest.mark.sweep
@pytest.mark.parametrize("name", SURVEYS)
def test_each_share_is_unbiased_under_every_answer(name: str) -> None:
    """The expected contribution is 1 if the answer is the option, else 0, exactly."""
    published = SURVEYS[name]
    (block,), (described,) = published.blocks, codebook_of(published).blocks
    every = list(outcomes(published))
    formulas = list(share_formulas(described))
    answers: list[Answer] = [*block.domain.answers()]
    for index, answer in enumerate(answers):
        options = options_of(block, answer)
        for formula in formulas:
            total = known = Fraction(0)
            for row, likelihoods in every:
                found = corrected(formula, row)
                if found is not None:
                    known += likelihoods[index]
                    total += likelihoods[index] * found
            assert total / known == (formula.option in options[formula.question])


def test_every_option_and_combination_has_a_share() -> None:
    """All options of closed questions are there, the margins and the cells of crosstabs too."""
    counted = {}
    for name, published in SURVEYS.items():
        (described,) = codebook_of(published).blocks
        found = [(each.question, each.option) for each in share_formulas(described)]
        assert len(set(found)) == len(found)
        counted[name] = len(found)
    assert counted == {
        "two answers": 2,
        "one of several": 5,
        "a set": 6,
        "a scale": 6,
        "bits": 5,
        "a set of several": 5,
        "places": 1,
        "rounded places": 1,
        "every number": 0,
        "a crosstab": 8 + 2 + 4,
        "a set of a crosstab": 12 + 3 + 4,
    }


def numbers(formula: MeanFormula, row: Row) -> tuple[Fraction, Fraction]:
    """The two numbers of a report, as the docstring of the formula says."""
    number, answered = formula.number, formula.answered
    for term in formula.terms:
        if row[term.variable] == term.code:
            number, answered = number + term.number, answered + term.answered
    return number, answered


@pytest.mark.parametrize("name", ["a set", "a scale", "places", "rounded places", "every number"])
def test_each_mean_is_a_ratio_of_two_unbiased_numbers(name: str) -> None:
    """Their expectations are the answer and 1, or 0 and 0 without an answer."""
    published = SURVEYS[name]
    (block,), (described,) = published.blocks, codebook_of(published).blocks
    (formula,) = mean_formulas(described)
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for row, likelihoods in outcomes(published):
        assert row[formula.first] is not None
        number, answered = numbers(formula, row)
        for index, likelihood in enumerate(likelihoods):
            sums[index][0] += float(likelihood * number)
            sums[index][1] += float(likelihood * answered)
    for index, option in enumerate(block.questions[0].names):
        expected = [0.0, 0.0] if option == NO_ANSWER else [float(option), 1.0]
        assert sums[index] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["two answers", "one of several", "bits", "a crosstab"])
def test_answers_without_numbers_have_no_mean(name: str) -> None:
    """A choice, several answers and a combination have no mean."""
    (described,) = codebook_of(SURVEYS[name]).blocks
    assert list(mean_formulas(described)) == []
