"""How shares and means follow from the variables: for the scripts of other programs.

Every estimate is a mean over reports of numbers that the reports determine, and
these are unbiased for the answers. So its variance is that of a mean.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from deniable_analysis.codebook.records import Codebook, CodebookBlock, Layout
from deniable_analysis.estimate.cells import block_membership
from deniable_analysis.estimate.mechanisms.piecewise_sums import contributions
from deniable_analysis.results.answers import numeric_levels
from deniable_sdk.mechanisms import Piecewise
from deniable_sdk.survey.block import in_names
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question


@dataclass(frozen=True, slots=True)
class ShareFormula:
    """The share of those whose answer is one of some merged answers to a block.

    With m merged answers, a report that supports k of them contributes
    (k - m·flip) / (keep - flip) to the share; k is in how many of the variables
    the report has one of the codes. The variance of the share is the mean square
    of the contributions around it, divided by the number of reports.

    Args:
        question: the id of the question, or of the block for its combinations.
        option: the id of the option or of the combination.
        variables: their names. A report has none of them, or all.
        codes: what is counted in each.
        merged: m, the number of merged answers; 1 unless the block has several
            questions.
        keep: p, the probability that the report supports the true answer.
        flip: q, the probability that it supports a given other answer.
    """

    question: str
    option: str
    variables: tuple[str, ...]
    codes: tuple[int, ...]
    merged: int
    keep: Fraction
    flip: Fraction


@dataclass(frozen=True, slots=True)
class MeanTerm:
    """What a code of a variable adds to a report's two numbers."""

    variable: str
    code: int
    number: Fraction
    answered: Fraction


@dataclass(frozen=True, slots=True)
class MeanFormula:
    """The mean of a question among those who answered it: a ratio of two means over reports.

    Each report has two numbers: `number` and `answered`, and what its codes add
    to them. The variance of the ratio r is, by the delta method, the sum of the
    squares of (number - r·answered), divided by n (n - 1) times the square of the
    mean of `answered`, for n reports.

    Args:
        question: the id of the question.
        first: the name of a variable that is missing where all are.
        number: what every report begins with.
        answered: the same.
        terms: what the codes add.
    """

    question: str
    first: str
    number: Fraction
    answered: Fraction
    terms: tuple[MeanTerm, ...]


def share_formulas(described: CodebookBlock) -> Iterator[ShareFormula]:
    """The shares of a block's answers and of its questions' options."""
    block = described.published
    if isinstance(block.mechanism, Piecewise):
        yield from _no_answer(block.mechanism, described)
        return
    if len(block.questions) > 1:
        for index, cell in enumerate(block.cells):
            parts = zip(block.questions, cell, strict=True)
            names = ", ".join(in_names(own, question.names) for question, own in parts)
            yield _share(described, block.id, names, [index])
    for question in block.questions:
        membership = block_membership(block, question)
        for option, cells in zip(question.names, membership.T, strict=True):
            found = np.flatnonzero(cells).tolist()
            # Nobody can give an answer that is in no cell.
            if found:
                yield _share(described, question.id, option, found)


def mean_formulas(described: CodebookBlock) -> Iterator[MeanFormula]:
    """The mean of a block's question, if the block has one and its answers are numbers."""
    block = described.published
    question = block.questions[0]
    if len(block.questions) > 1 or numeric_levels(question) is None:
        return
    if isinstance(block.mechanism, Piecewise):
        yield from _mean_of_outputs(question, block.mechanism, described)
    elif described.layout is not Layout.BITS:
        yield _mean_of_shares(question, described)


def _share(
    described: CodebookBlock, question: str, option: str, indexes: list[int]
) -> ShareFormula:
    variables, codes = _places(described, indexes)
    assert described.keep is not None  # noqa: S101 - reports support single answers
    assert described.flip is not None  # noqa: S101 - as above
    merged = len(indexes)
    return ShareFormula(question, option, variables, codes, merged, described.keep, described.flip)


def _places(
    described: CodebookBlock, indexes: list[int]
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The variables and the codes in them that mean one of these answers."""
    if described.layout is Layout.NUMBER:
        (variable,) = described.variables
        return (variable.name,), tuple(variable.values[index].code for index in indexes)
    return tuple(described.variables[index].name for index in indexes), (1,)


def _no_answer(mechanism: Piecewise, described: CodebookBlock) -> Iterator[ShareFormula]:
    (variable,) = described.variables
    if mechanism.domain.offers_no_answer:
        codes = (variable.values[-1].code,)
        keep, flip = mechanism.no_answer_keep, mechanism.no_answer_flip
        question = described.published.questions[0].id
        yield ShareFormula(question, NO_ANSWER, (variable.name,), codes, 1, keep, flip)


def _mean_of_outputs(
    question: Question, mechanism: Piecewise, described: CodebookBlock
) -> Iterator[MeanFormula]:
    """The answers must be evenly spaced, as those of a number are."""
    numbers = numeric_levels(question) or ()
    if not np.allclose(np.diff(numbers, n=2), 0.0, rtol=0, atol=1e-9):
        return
    (variable,) = described.variables
    middle, length = Fraction(numbers[0] + numbers[-1]) / 2, Fraction(numbers[-1] - numbers[0])
    above, below = ([Fraction(each) for each in part] for part in contributions(mechanism))
    terms = tuple(
        MeanTerm(variable.name, value.code, length * number + middle * answered, answered)
        for value, number, answered in zip(variable.values, above, below, strict=True)
    )
    yield MeanFormula(question.id, variable.name, Fraction(0), Fraction(0), terms)


def _mean_of_shares(question: Question, described: CodebookBlock) -> MeanFormula:
    """Each option's number times its share, and the shares of all that are numbers."""
    keep, flip = described.keep or Fraction(0), described.flip or Fraction(0)
    numbers = [Fraction(name) for name in question.names if name != NO_ANSWER]
    spread = keep - flip
    terms = []
    for index, number in enumerate(numbers):
        (name,), (code,) = _places(described, [index])
        terms.append(MeanTerm(name, code, number / spread, 1 / spread))
    return MeanFormula(
        question.id,
        described.variables[0].name,
        -flip * sum(numbers) / spread,
        -flip * len(numbers) / spread,
        tuple(terms),
    )


def shares_of(codebook: Codebook) -> list[ShareFormula]:
    """The formula of every share that the reports of a survey identify."""
    return [formula for block in codebook.blocks for formula in share_formulas(block)]


def means_of(codebook: Codebook) -> list[MeanFormula]:
    """The formula of every mean that the reports of a survey identify."""
    return [formula for block in codebook.blocks for formula in mean_formulas(block)]


def single_answers(codebook: Codebook) -> list[CodebookBlock]:
    """The blocks whose reports are one answer each, any other one with the same probability."""
    return [
        block
        for block in codebook.blocks
        if block.layout is Layout.NUMBER
        and block.keep is not None
        and block.flip is not None
        and block.keep + (len(block.variables[0].values) - 1) * block.flip == 1
    ]
