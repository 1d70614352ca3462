"""The block: questions that are randomized together, and how.

The value of a fixed block is drawn once and repeated in later reports, so
somebody who has two reports can match those that agree. If the fixed blocks
have m outputs together, a match is right with a probability of at most m / n, on
average over n respondents, whatever they answer: each output is shared by some
of them. Only those count whose reports have the same blocks and the same group.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import InvalidAnswer
from deniable_sdk.mechanisms import (
    Answer,
    Domain,
    InvalidParameters,
    Mechanism,
    OneOf,
    mechanism_from_document,
)
from deniable_sdk.mechanisms.parameters import MAX_DOMAIN_SIZE
from deniable_sdk.records import Record, derived
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.reading import BLOCK_ID_PATTERN, BLOCK_ID_RULE, Section

# Nine questions of two options each are the most that a block holds without routing.
MAX_BLOCK_QUESTIONS = 9
# The largest draw of a block.
MOST_DRAWS = 1_000_000
# How many outputs all fixed blocks may have together.
MOST_FIXED_OUTPUTS = 16
# How many invited people of a group there must be for each of them.
PEOPLE_FOR_AN_OUTPUT = 20


class Block(Record):
    """One question, or several closed ones whose answers are one joint answer.

    `cells` are what a report of several questions, or of a multiple choice as one of all sets, is
    drawn from: the joint answers that routing lets occur. Other single questions have none.
    The results show the cells of a crosstab, and not those of other joint blocks.
    `draw` is how often the block is drawn, beside those of the other blocks; None where all
    are drawn equally often. `epsilon` is what one report through the block spends, for people to
    read.
    """

    id: str
    questions: tuple[Question, ...]
    mechanism: Mechanism
    is_crosstab: bool = False
    draw: int | None = None
    cells: tuple[Cell, ...] = derived()
    domain: Domain = derived()
    epsilon: float = derived()
    _indexes: Mapping[Cell, int] = derived()

    def __post_init__(self) -> None:
        first, *others = self.questions
        is_listed = others or (first.accepts_several and self.mechanism.name == "subset")
        cells = cells_of(self.questions) if is_listed else ()
        self.derive("cells", cells)
        self.derive("domain", OneOf(len(cells)) if cells else first.domain)
        self.derive("epsilon", sum(weights.epsilon for weights in self.mechanism.spends))
        self.derive("_indexes", {cell: index for index, cell in enumerate(cells)})

    @property
    def fixed(self) -> bool:
        """Whether its questions, all or none, ask for facts that do not change."""
        return self.questions[0].fixed

    @property
    def ratio(self) -> Fraction:
        """The worst likelihood ratio between two answers to this block."""
        return math.prod((weights.ratio for weights in self.mechanism.spends), start=Fraction(1))

    def to_document(self) -> dict[str, JSON]:
        """The block as a published survey contains it."""
        document: dict[str, JSON] = {
            "id": self.id,
            "questions": [question.id for question in self.questions],
            "mechanism": self.mechanism.to_document(),
        }
        if self.is_crosstab:
            document["crosstab"] = True
        if self.draw is not None:
            document["draw"] = self.draw
        return document

    def encode(self, answers: Mapping[str, object]) -> Answer:
        """These answers, encoded in the block's domain.

        Args:
            answers: question id to answer, of the questions that were reached.
        Raises:
            InvalidAnswer: an answer does not fit its question.
        """
        if not self.cells:
            only = self.questions[0]
            return only.encode(answers.get(only.id))
        encoded = tuple([each.encode(answers.get(each.id)) for each in self.questions])
        index = self._indexes.get(encoded)
        if index is None:
            raise InvalidAnswer(
                f"block {self.id!r}: an answer was given to a question that others do not lead "
                "to; the answers were not used"
            )
        return index

    def separated(self, index: int) -> Cell:
        """The answer to each question, from one of the block's domain."""
        return self.cells[index] if self.cells else (index,)


# The answer to each question of a block, as its own domain has it.
Cell = tuple[Answer, ...]


def cells_of(questions: Sequence[Question]) -> tuple[Cell, ...]:
    """The combinations of answers to some questions that can occur together.

    A question whose router stands before it is not reached by some of them: then "no answer"
    is its only answer, and else it is none if the question is required. The last question
    varies fastest.

    Returns:
        No more than one beyond MAX_DOMAIN_SIZE.
    """
    found: list[Cell] = [()]
    for place, question in enumerate(questions):
        following = (
            (*cell, answer)
            for cell in found
            for answer in _possible(question, questions[:place], cell)
        )
        # More questions make no fewer cells.
        found = list(itertools.islice(following, MAX_DOMAIN_SIZE + 1))
    return tuple(found)


def _possible(question: Question, earlier: Sequence[Question], cell: Cell) -> Iterable[Answer]:
    """The answers to a question that can follow those to earlier ones of its block."""
    rule = question.show_if
    for router, answer in zip(earlier, cell, strict=True):
        if rule and router.id == rule.question:
            assert isinstance(answer, int)  # noqa: S101 - only closed questions are joined
            every = range(len(question.names))
            if router.names[answer] not in rule.options:
                return every[-1:]
            return every[:-1] if question.required else every
    return question.answers


def in_names(answer: Answer, names: Sequence[str]) -> str:
    """An answer to a question in these names of its options; those of a set are joined."""
    if isinstance(answer, int):
        return names[answer]
    return " + ".join(names[option] for option in answer) or "none"


def read_block(section: Section, questions: Mapping[str, Question]) -> Block | None:
    """A block of a published survey, None where it cannot be read."""
    section.refuse_unknown(("id", "questions", "mechanism", "crosstab", "draw"))
    block_id = section.identifier("id", BLOCK_ID_PATTERN, BLOCK_ID_RULE)
    asked = _read_questions(section, questions)
    try:
        described: JSON = section.values.get("mechanism")  # type: ignore[assignment]
        mechanism = mechanism_from_document(described)
    except InvalidParameters as error:
        section.refuse(str(error), "mechanism")
        return None
    is_crosstab = "crosstab" in section
    if is_crosstab and (section.values["crosstab"] is not True or len(asked) == 1):
        section.refuse("is true for several questions, or left out", "crosstab")
    draw = section.integer("draw", 1, MOST_DRAWS) if "draw" in section else None
    if not asked:
        return None
    block = Block(block_id, asked, mechanism, is_crosstab, draw)
    if len(asked) > 1 and mechanism.name != "subset":
        # A joint answer has no order, and a mean of it no meaning.
        section.refuse(
            f"got {mechanism.name}; a block of several questions takes only subset", "mechanism"
        )
    elif not mechanism.fits(block.domain):
        section.refuse(
            f"does not fit its questions, which take {block.domain.describe()}",
            "mechanism",
        )
    return block


def _read_questions(section: Section, questions: Mapping[str, Question]) -> tuple[Question, ...]:
    members = list(section.members("questions", 1, MAX_BLOCK_QUESTIONS, "question ids"))
    known = [questions.get(member) if isinstance(member, str) else None for member in members]
    asked = tuple(question for question in known if question)
    if len(asked) < len(members):
        section.refuse("names a question that the survey does not have", "questions")
    if len({question.id for question in asked}) < len(asked):
        section.refuse("a question is repeated", "questions")
    if len(asked) > 1 and not all(question.is_closed for question in asked):
        section.refuse(
            "a block of several questions takes only yes_no, choice and scale", "questions"
        )
        return asked[:1]
    if len({question.fixed for question in asked}) > 1:
        section.refuse("some questions are fixed and some are not", "questions")
    return asked


def drawn_part(draw: int | None, draws: Sequence[int | None], asked: int) -> Fraction:
    """How likely a device draws a block.

    Args:
        draw: of this block; None if all are drawn equally often.
        draws: those of all blocks.
        asked: how many blocks each respondent is asked.
    """
    if draw is None:
        return Fraction(asked, len(draws))
    return Fraction(draw, sum(each or 0 for each in draws))


def fixed_outputs(blocks: Iterable[Block]) -> int:
    """How many outputs the fixed ones of these blocks have together; 1 without any."""
    return math.prod(block.mechanism.outputs for block in blocks if block.fixed)


def linkage(outputs: Sequence[int], asked: int, blocks: int) -> Fraction:
    """m, where of n people a match is right with a probability of at most m / n, on average.

    That is the average over those who are asked as many fixed blocks as possible; 0
    without any.

    Args:
        outputs: how many each fixed block has.
        asked: how many blocks a person is asked.
        blocks: how many there are.
    """
    drawn = (Fraction(blocks - index, asked - index) for index in range(min(asked, len(outputs))))
    return math.prod(drawn, start=Fraction(math.prod(outputs))) if outputs else Fraction(0)


def count_for_readers(count: int) -> str:
    """A number of outputs as a message says it: not the digits of 2^80."""
    bits = count.bit_length() - 1
    return f"{count:,}" if bits < 20 else f"more than 2^{bits}"
