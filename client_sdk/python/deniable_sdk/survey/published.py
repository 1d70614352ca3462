"""The published survey: compiled, immutable, addressed by its digest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from deniable_sdk import canonical
from deniable_sdk.canonical import JSON
from deniable_sdk.errors import BudgetExceeded, DigestMismatch, InvalidSurvey, quote
from deniable_sdk.exact import fraction
from deniable_sdk.mechanisms import InvalidParameters, Mechanism, OneOf, mechanism_from_document
from deniable_sdk.records import Record, derived
from deniable_sdk.survey.question_types import QUESTION_TYPES
from deniable_sdk.survey.questions import MAX_QUESTIONS, Question, read_question
from deniable_sdk.survey.reading import (
    ID_PATTERN,
    ID_RULE,
    SLUG_PATTERN,
    SLUG_RULE,
    Problems,
    Section,
)
from deniable_sdk.survey.text import Text, languages, read_optional_text, read_text
from deniable_sdk.weights import format_epsilon, is_within, read_epsilon

if TYPE_CHECKING:
    from fractions import Fraction

FORMAT = "deniable-survey/1"

_KEYS = ("format", "slug", "title", "introduction", "thanks", "questions", "privacy")


class Block(Record):
    """Questions that are randomized together, and how."""

    id: str
    questions: tuple[Question, ...]
    mechanism: Mechanism

    @property
    def domain(self) -> OneOf:
        """All combinations of the questions' answers."""
        return OneOf(math.prod(len(question.domain) for question in self.questions))

    @property
    def ratio(self) -> Fraction:
        """The worst likelihood ratio between two answers to this block."""
        return math.prod((weights.ratio for weights in self.mechanism.spends), start=fraction(1))

    @property
    def epsilon(self) -> float:
        """What one report through this block spends, for people to read."""
        return sum(weights.epsilon for weights in self.mechanism.spends)

    def index(self, answers: Mapping[str, object]) -> int:
        """The place of the answers in the block's domain.

        With several questions the last one varies fastest.

        Raises:
            InvalidAnswer: an answer does not fit its question.
        """
        place = 0
        for question in self.questions:
            place = place * len(question.domain) + question.index(answers.get(question.id))
        return place


class PublishedSurvey(Record, hidden="document"):
    """What devices answer: read from bytes, checked, never changed.

    `asked` of the blocks are drawn by each respondent's device; `epsilon` is
    what one respondent spends on the whole survey at most.
    """

    slug: str
    title: Text
    introduction: Text | None
    thanks: Text | None
    questions: tuple[Question, ...]
    epsilon: Fraction
    asked: int
    blocks: tuple[Block, ...]
    document: bytes
    digest: str
    question_ids: frozenset[str] = derived()

    def __post_init__(self) -> None:
        """Work out what every report needs."""
        self.derive("question_ids", frozenset(question.id for question in self.questions))

    @classmethod
    def from_bytes(
        cls, document: bytes, *, digest: str | None = None, epsilon_cap: Fraction | None = None
    ) -> PublishedSurvey:
        """The survey in canonical bytes, with all it claims recomputed.

        Args:
            document: the published bytes, exactly as they were published.
            digest: the digest they must have, where it is known beforehand.
            epsilon_cap: the most the caller is ready to spend.
        Raises:
            DigestMismatch: these are not the bytes the digest names.
            BudgetExceeded: it takes more than it claims, or than the cap.
            InvalidSurvey: it is not a legal published survey.
        """
        actual = canonical.digest(document)
        if digest is not None and digest != actual:
            raise DigestMismatch(
                f"the survey's bytes have the digest {actual}, asked for was {digest}; "
                "fetch it again, and do not answer it if this stays so"
            )
        try:
            value = canonical.decode(document)
        except canonical.NotCanonical as error:
            raise InvalidSurvey(f"not a published survey: {error}") from None
        survey = _read(value, document, actual)
        _check_budget(survey, epsilon_cap)
        return survey

    @classmethod
    def from_document(cls, document: JSON) -> PublishedSurvey:
        """The survey that a JSON value describes, checked in the same way.

        Raises:
            InvalidSurvey: it is not a legal published survey.
        """
        try:
            return cls.from_bytes(canonical.encode(document))
        except canonical.NotCanonical as error:
            raise InvalidSurvey(f"not a published survey: {error}") from None

    @property
    def languages(self) -> frozenset[str]:
        """The languages its texts are given in; none where each text is one string."""
        texts = [self.title, self.introduction, self.thanks]
        for question in self.questions:
            texts += [question.text, *(option.text for option in question.options)]
        return frozenset[str]().union(*(languages(text) for text in texts))

    @property
    def worst_blocks(self) -> tuple[Block, ...]:
        """The blocks that together spend most of all that a device may draw."""
        return tuple(sorted(self.blocks, key=lambda block: block.ratio)[-self.asked :])

    def block(self, block_id: str) -> Block:
        """The block of this id.

        Raises:
            KeyError: there is none.
        """
        for block in self.blocks:
            if block.id == block_id:
                return block
        raise KeyError(block_id)


def _read(value: JSON, document: bytes, digest: str) -> PublishedSurvey:
    problems = Problems()
    section = Section(value, (), problems)
    if section.values.get("format") != FORMAT:
        raise InvalidSurvey(
            f"got the format {quote(section.values.get('format'))}; this version reads {FORMAT}"
        )
    section.refuse_unknown(_KEYS)
    questions = tuple(
        read_question(Section(member, section.at("questions", index), problems), QUESTION_TYPES)
        for index, member in enumerate(section.members("questions", 1, MAX_QUESTIONS, "questions"))
    )
    by_id = {question.id: question for question in questions}
    if len(by_id) < len(questions):
        section.refuse("an id stands twice", "questions")
    privacy = Section(section.require("privacy", "an object"), ("privacy",), problems)
    privacy.refuse_unknown(("epsilon", "asked", "blocks"))
    blocks = tuple(
        _read_block(Section(member, privacy.at("blocks", index), problems), by_id)
        for index, member in enumerate(privacy.members("blocks", 1, MAX_QUESTIONS, "blocks"))
    )
    survey = PublishedSurvey(
        slug=section.identifier("slug", SLUG_PATTERN, SLUG_RULE),
        title=read_text(section, "title"),
        introduction=read_optional_text(section, "introduction"),
        thanks=read_optional_text(section, "thanks"),
        questions=questions,
        epsilon=_read_epsilon(privacy),
        asked=privacy.integer("asked", 1, max(1, len(blocks))),
        blocks=tuple(block for block in blocks if block),
        document=document,
        digest=digest,
    )
    if not problems.found:
        _check_blocks(survey, privacy)
    if problems.found:
        raise InvalidSurvey("\n".join(str(problem) for problem in problems.found))
    return survey


def _read_block(section: Section, questions: Mapping[str, Question]) -> Block | None:
    section.refuse_unknown(("id", "questions", "mechanism"))
    block_id = section.identifier("id", ID_PATTERN, ID_RULE)
    members = [
        questions.get(member) if isinstance(member, str) else None
        for member in section.members("questions", 1, 1, "question ids")
    ]
    asked = tuple(question for question in members if question)
    if len(asked) < len(members):
        section.refuse("names a question that the survey does not have", "questions")
    try:
        described: JSON = section.values.get("mechanism")  # type: ignore[assignment]
        mechanism = mechanism_from_document(described)
    except InvalidParameters as error:
        section.refuse(str(error), "mechanism")
        return None
    return Block(block_id, asked, mechanism) if asked else None


def _check_blocks(survey: PublishedSurvey, privacy: Section) -> None:
    if len({block.id for block in survey.blocks}) < len(survey.blocks):
        privacy.refuse("an id stands twice", "blocks")
    for index, block in enumerate(survey.blocks):
        if not block.mechanism.fits(block.domain):
            privacy.refuse(
                f"does not fit its questions, which have {block.domain.size} different answers",
                "blocks",
                index,
                "mechanism",
            )
    covered = {question.id for block in survey.blocks for question in block.questions}
    for question in survey.questions:
        if question.id not in covered:
            privacy.refuse(f"no block asks the question {question.id!r}", "blocks")


def _check_budget(survey: PublishedSurvey, cap: Fraction | None) -> None:
    taken = [weights for block in survey.worst_blocks for weights in block.mechanism.spends]
    if not is_within(taken, survey.epsilon):
        spent = sum(weights.epsilon for weights in taken)
        raise BudgetExceeded(
            f"the survey claims epsilon {format_epsilon(survey.epsilon)} and takes more, "
            f"{spent:.15g}; do not answer it, and tell whoever published it"
        )
    # A cap from the claim up allows it already; e to a huge cap would take minutes.
    if cap is not None and cap < survey.epsilon and not is_within(taken, cap):
        raise BudgetExceeded(
            f"the survey takes epsilon {format_epsilon(survey.epsilon)}; allowed here is "
            f"{float(cap):g}; raise the cap or do not answer it"
        )


def _read_epsilon(section: Section) -> Fraction:
    value = section.require("epsilon", "a decimal text")
    try:
        epsilon = read_epsilon(value)
        if isinstance(value, str) and format_epsilon(epsilon) == value:
            return epsilon
        section.refuse(f'got {quote(value)}; allowed is a decimal text like "2"', "epsilon")
    except ValueError as error:
        if "epsilon" in section:
            section.refuse(str(error), "epsilon")
    return fraction(1)
