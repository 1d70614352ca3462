"""The codebook of a published survey: its variables, their values, and what explains them."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis.codebook.records import (
    Codebook,
    CodebookBlock,
    CodebookValue,
    CodebookVariable,
    Layout,
)
from deniable_analysis.codebook.texts import language_of, one_line
from deniable_analysis.estimate.mechanisms import analysis_of
from deniable_analysis.results.answers import numeric_levels
from deniable_sdk.survey.block import Block, Cell, in_names
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.text import in_language

# Stata allows 32 characters. pyreadstat names the value labels of a variable after it, with a
# number of up to 5 digits behind the name.
MOST_CHARACTERS = 27
# Words of the languages of SPSS, Stata and R. Block ids are in lower case.
_SPSS = "all and by eq ge gt le lt ne not or to with"
_STATA = "byte double float if in int long strl using with"
_R = "break else for function if in next repeat while"
_RESERVED = frozenset(f"{_SPSS} {_STATA} {_R}".split())
_STATA_TEXT = re.compile(r"str[0-9]+")


def variable_names(blocks: Iterable[tuple[str, int]]) -> Iterator[tuple[str, ...]]:
    """The names of each block's variables, all different.

    A variable is named after its block. The variables of the options of a block end
    in the number of the option: reported_1, reported_2. A name that is too long is
    cut, and one that is taken gets a number.

    Args:
        blocks: the id of each block, and its number of options if it has a
            variable for each of them, otherwise 0.
    """
    taken: set[str] = set()
    for block_id, options in blocks:
        attempts = (_named(block_id, options, attempt) for attempt in itertools.count(1))
        names = next(each for each in attempts if _are_free(each, taken))
        taken.update(names)
        yield names


def _named(block_id: str, options: int, attempt: int) -> tuple[str, ...]:
    ends = [f"_{number}" for number in range(1, options + 1)] or [""]
    mark = "" if attempt == 1 else f"_{attempt}"
    room = MOST_CHARACTERS - len(mark) - len(ends[-1])
    return tuple(f"{block_id[:room].rstrip('_')}{mark}{end}" for end in ends)


def _are_free(names: tuple[str, ...], taken: set[str]) -> bool:
    return not any(
        name in taken or name in _RESERVED or _STATA_TEXT.fullmatch(name) for name in names
    )


_RANDOMIZED = "Randomized"
_SET = (
    CodebookValue(0, "", "not in the randomized set"),
    CodebookValue(1, "", "in the randomized set"),
)
_BITS = (CodebookValue(0, "", "randomized bit 0"), CodebookValue(1, "", "randomized bit 1"))
# By the dimensions of a value.
_LAYOUTS = (Layout.NUMBER, Layout.SET, Layout.BITS)


@dataclass(frozen=True, slots=True)
class _Answer:
    """A possible answer to a block: its id, its text, and its number if that is whole."""

    id: str
    text: str
    number: int | None = None


def _option_count(block: Block) -> int:
    """For how many options a block has variables of their own; 0 if it has one variable."""
    if not block.mechanism.form.shape:
        return 0
    return len(block.cells) or len(block.questions[0].names)


def _describe_block(block: Block, names: tuple[str, ...], language: str) -> CodebookBlock:
    """A block in the codebook, with these names of its variables."""
    mechanism, keep, flip = block.mechanism, None, None
    if analysis_of(block).informative_part:
        # Every mechanism whose reports support single options has the two.
        keep, flip = Fraction(mechanism.keep), Fraction(mechanism.flip)  # type: ignore[attr-defined]
    text = " × ".join(_question_text(question, language) for question in block.questions)
    layout, answers = _LAYOUTS[len(mechanism.form.shape)], _answers(block, language)
    variables = _variables(block, layout, names, text, answers)
    return CodebookBlock(block, text, layout, variables, keep, flip)


def _variables(
    block: Block, layout: Layout, names: tuple[str, ...], text: str, answers: list[_Answer]
) -> tuple[CodebookVariable, ...]:
    if layout is Layout.NUMBER:
        return (CodebookVariable(names[0], f"{_RANDOMIZED}: {text}", _values(block, answers)),)
    values = _SET if layout is Layout.SET else _BITS
    return tuple(
        CodebookVariable(
            name, f"{_RANDOMIZED}: {answer.text} ({text})", values, answer.id, answer.text
        )
        for name, answer in zip(names, answers, strict=True)
    )


def _values(block: Block, answers: list[_Answer]) -> tuple[CodebookValue, ...]:
    """The value of each output: of one answer, or of a range of answers that it supports."""
    outputs = range(block.mechanism.form.members)
    supported = [block.mechanism.support(output).answers for output in outputs]
    ends = [(answers[each[0]], answers[each[-1]]) for each in supported]
    numbers = [first.number for first, last in ends if first is last and first.id != NO_ANSWER]
    whole = [number for number in numbers if number is not None]
    offers_no_answer = any(first.id == NO_ANSWER for first, _ in ends)
    # Numbers count as themselves; whatever is no number is counted from 1.
    codes = list(range(1, len(ends) + 1))
    if len(whole) == len(ends) - offers_no_answer:
        codes = [*whole, *[max(whole) + 1] * offers_no_answer]
    return tuple(
        CodebookValue(code, _between(first.id, last.id), _between(first.text, last.text))
        for code, (first, last) in zip(codes, ends, strict=True)
    )


def _between(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def _answers(block: Block, language: str) -> list[_Answer]:
    """All answers to a block, in the order of its domain."""
    each = [_question_answers(question, language) for question in block.questions]
    if not block.cells:
        return each[0]
    ids = [[answer.id for answer in own] for own in each]
    texts = [[answer.text for answer in own] for own in each]
    return [_Answer(_cell(cell, ids), _cell(cell, texts)) for cell in block.cells]


def _cell(cell: Cell, names: Sequence[Sequence[str]]) -> str:
    return ", ".join(in_names(answer, own) for answer, own in zip(cell, names, strict=True))


def _question_answers(question: Question, language: str) -> list[_Answer]:
    texts = {
        option.id: in_language(option.text, language) for option in question.options if option.text
    }
    # Whoever is not led to a question reports the same as somebody who gives no answer.
    no_answer = "not asked or no answer" if question.show_if else "no answer"
    known = numeric_levels(question)
    are_whole = known is not None and all(number.is_integer() for number in known)
    return [
        _Answer(NO_ANSWER, no_answer)
        if name == NO_ANSWER
        else _Answer(
            one_line(name), one_line(texts.get(name, name)), int(name) if are_whole else None
        )
        for name in question.names
    ]


def _question_text(question: Question, language: str) -> str:
    text = one_line(in_language(question.text, language))
    return f"{text} ({one_line(in_language(question.unit, language))})" if question.unit else text


def codebook_of(survey: PublishedSurvey, language: str | None = None) -> Codebook:
    """The codebook of a survey, with the variables of all of its blocks.

    Args:
        survey: a published survey.
        language: of the labels, as for language_of.
    Raises:
        LanguageNotFound: the survey has no text in the language.
        UnsupportedMechanism: this version does not know how a block was randomized.
    """
    chosen = language_of(survey, language)
    names = variable_names((block.id, _option_count(block)) for block in survey.blocks)
    introduction = ""
    if survey.introduction:
        introduction = one_line(in_language(survey.introduction, chosen))
    return Codebook(
        survey=survey,
        title=one_line(in_language(survey.title, chosen)),
        introduction=introduction,
        language=chosen,
        blocks=tuple(
            _describe_block(block, each, chosen)
            for block, each in zip(survey.blocks, names, strict=True)
        ),
    )


def variable_count(survey: PublishedSurvey) -> int:
    """How many variables the codebook of a survey has."""
    return sum(_option_count(block) or 1 for block in survey.blocks)
