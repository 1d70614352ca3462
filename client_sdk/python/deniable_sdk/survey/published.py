"""The published survey: compiled, immutable, addressed by its digest."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from fractions import Fraction

from deniable_sdk import canonical
from deniable_sdk.canonical import JSON
from deniable_sdk.errors import BudgetExceeded, DigestMismatch, InvalidSurvey, quote
from deniable_sdk.records import derived
from deniable_sdk.survey.block import (
    MOST_FIXED_OUTPUTS,
    PEOPLE_FOR_AN_OUTPUT,
    Block,
    count_for_readers,
    drawn_part,
    fixed_outputs,
    linkage,
    read_block,
)
from deniable_sdk.survey.questionnaire import SHOWN_KEYS, Questionnaire, read_texts, read_waves
from deniable_sdk.survey.questions import MAX_QUESTIONS, Question, read_question
from deniable_sdk.survey.questions.rules import items_of
from deniable_sdk.survey.reading import Problems, Section
from deniable_sdk.weights import MAX_EPSILON, Weights, format_epsilon, is_within, read_epsilon

FORMAT = "deniable-survey/1"

_KEYS = (
    *("format", "slug", *SHOWN_KEYS),
    *("operator", "window", "invited", "groups", "questions", "privacy"),
)


class PublishedSurvey(Questionnaire, hidden="document"):
    """The survey that devices answer: read from bytes, checked, never changed.

    `questions` contains all of them. People answer `answered`, with the ids
    `question_ids`: all but scores, which devices compute. Blocks ask `reported`: all
    but the items that only scores use.

    Each respondent's device draws `asked` of the blocks; `part` says how likely it draws
    one of them. `epsilon` is what one respondent spends on the whole survey at most. It is
    the wave `wave` of a panel of `waves`, each of which may be answered and spends
    epsilon; a survey that is none is the only wave of its own.
    """

    epsilon: Fraction
    asked: int
    blocks: tuple[Block, ...]
    document: bytes
    digest: str
    answered: tuple[Question, ...] = derived()
    reported: tuple[Question, ...] = derived()
    question_ids: frozenset[str] = derived()
    has_routing: bool = derived()
    has_scores: bool = derived()

    def __post_init__(self) -> None:
        """Work out what every report needs."""
        answered = tuple(question for question in self.questions if not question.items)
        asked = {question.id for block in self.blocks for question in block.questions}
        self.derive("answered", answered)
        self.derive("reported", tuple(each for each in self.questions if each.id in asked))
        self.derive("question_ids", frozenset(question.id for question in answered))
        self.derive("has_scores", len(self.question_ids) < len(self.questions))
        self.derive("has_routing", any(question.show_if for question in self.questions))

    @classmethod
    def from_bytes(
        cls, document: bytes, *, digest: str | None = None, epsilon_cap: Fraction | None = None
    ) -> PublishedSurvey:
        """The survey in canonical bytes, with all its claims verified.

        Args:
            document: the published bytes, exactly as they were published.
            digest: the digest they must have, where it is known in advance.
            epsilon_cap: the most the caller is ready to spend, of a panel on
                all waves together.
        Raises:
            DigestMismatch: these are not the bytes the digest names.
            BudgetExceeded: it spends more than it claims, or than the cap.
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
        taken = most_spent(survey)
        if not is_within(taken, survey.epsilon):
            spent = sum(weights.epsilon for weights in taken)
            raise BudgetExceeded(
                f"the survey claims epsilon {format_epsilon(survey.epsilon)} and takes more, "
                f"{spent:.15g}; do not answer it, and tell whoever published it"
            )
        check_cap(survey, epsilon_cap)
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
    def is_sealed(self) -> bool:
        """Whether nobody reads a result before the survey has ended."""
        return self.window is not None and self.window.results is not None

    @property
    def worst_blocks(self) -> tuple[Block, ...]:
        """The blocks that together spend most of all that a device may draw."""
        return _worst(self.blocks, self.asked)

    @property
    def linkage(self) -> Fraction:
        """m, where of n people two reports are rightly matched in at most m / n of cases.

        They are matched by the values of fixed blocks, on average over those who are asked
        as many of them as possible; 0 without any.
        """
        fixed = [block.mechanism.outputs for block in self.blocks if block.fixed]
        return linkage(fixed, self.asked, len(self.blocks))

    def part(self, block: Block) -> Fraction:
        """How likely a respondent is asked a block."""
        return drawn_part(block.draw, [each.draw for each in self.blocks], self.asked)

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
    problems = Problems(is_published=True)
    section = Section(value, (), problems)
    if section.values.get("format") != FORMAT:
        raise InvalidSurvey(
            f"got the format {quote(section.values.get('format'))}; this version reads {FORMAT}"
        )
    section.refuse_unknown(_KEYS)
    questions = _read_questions(section)
    by_id = {question.id: question for question in questions}
    privacy = section.inner(section.require("privacy", "an object"), "privacy")
    privacy.refuse_unknown(("epsilon", "asked", "blocks", "waves", "wave"))
    blocks = [
        read_block(each, by_id) for each in privacy.sections("blocks", 1, MAX_QUESTIONS, "blocks")
    ]
    known = tuple(block for block in blocks if block)
    asked = {
        question.id
        for block in known
        if block.mechanism.has_shares
        for question in block.questions
    }
    with_shares = [each.id for each in questions if each.options and each.id in asked]
    waves, wave = read_waves(privacy)
    survey = PublishedSurvey(
        **read_texts(section, with_shares),
        waves=waves,
        wave=wave,
        questions=questions,
        epsilon=_read_epsilon(privacy, waves),
        asked=privacy.integer("asked", 1, max(1, len(blocks))),
        blocks=known,
        document=document,
        digest=digest,
    )
    if not problems.found:
        _check_blocks(survey, privacy)
    if problems.found:
        raise InvalidSurvey("\n".join(str(problem) for problem in problems.found))
    return survey


def _read_questions(section: Section) -> tuple[Question, ...]:
    by_id: dict[str, Question] = {}
    count = 0
    for inner in section.sections("questions", 1, MAX_QUESTIONS, "questions"):
        question = read_question(inner, by_id)
        if question:
            by_id[question.id] = question
            count += 1
    if len(by_id) < count:
        section.refuse("an id is repeated", "questions")
    return tuple(by_id.values())


def _check_blocks(survey: PublishedSurvey, privacy: Section) -> None:
    if len({block.id for block in survey.blocks}) < len(survey.blocks):
        privacy.refuse("an id is repeated", "blocks")
    covered = {question.id for question in survey.reported} | items_of(survey.questions)
    for question in survey.questions:
        if question.id not in covered:
            privacy.refuse(f"no block asks the question {question.id!r}", "blocks")
    _check_draws(survey, privacy)
    _check_fixed(survey, privacy)


def _check_draws(survey: PublishedSurvey, privacy: Section) -> None:
    """Refuse draws where they say nothing, or more than the number of asked blocks allows."""
    draws = {block.draw for block in survey.blocks}
    is_alone = survey.asked == 1 and not any(block.fixed for block in survey.blocks)
    if draws != {None} and (None in draws or len(draws) == 1 or not is_alone):
        privacy.refuse(
            "have draws, not all the same, only if one is asked and none is fixed", "blocks"
        )


def _check_fixed(survey: PublishedSurvey, privacy: Section) -> None:
    """Refuse fixed blocks by whose values too many reports could be matched."""
    outputs, most = fixed_outputs(survey.blocks), MOST_FIXED_OUTPUTS
    if outputs > most:
        privacy.refuse(
            f"the fixed blocks have {count_for_readers(outputs)} outputs together; allowed are at "
            f"most {most}, as devices repeat them and reports could be matched by them; do not "
            "answer it, and tell whoever published it",
            "blocks",
        )
    needed, people = PEOPLE_FOR_AN_OUTPUT * survey.linkage, survey.smallest_group
    if outputs <= most and people is not None and people < needed:
        privacy.refuse(
            f"the smallest group has {people} people; allowed are at least "
            f"{math.ceil(needed):,} with these fixed blocks, as devices repeat them and reports "
            "carry the group, so that they could be matched; do not answer it, and tell whoever "
            "published it",
            "blocks",
        )


def check_cap(survey: PublishedSurvey, cap: Fraction | None) -> None:
    """Fail if the survey, in all its waves, spends more than the caller allows.

    Raises:
        BudgetExceeded: it does.
    """
    # A cap from the claim up allows it already; e to a huge cap would take minutes.
    if cap is None or cap >= survey.epsilon * survey.waves:
        return
    if is_within(most_spent(survey), cap / survey.waves):
        return
    each = f" in each of {survey.waves} waves" if survey.waves > 1 else ""
    raise BudgetExceeded(
        f"the survey takes epsilon {format_epsilon(survey.epsilon)}{each}; allowed here is "
        f"{float(cap):g}; raise the cap or do not answer it"
    )


def most_spent(survey: PublishedSurvey, kept: Container[str] = ()) -> list[Weights]:
    """What a report spends if the most expensive blocks are drawn."""
    fresh = [block for block in survey.blocks if block.id not in kept]
    worst = _worst(fresh, survey.asked)
    return [weights for block in worst for weights in block.mechanism.spends]


def _worst(blocks: Sequence[Block], asked: int) -> tuple[Block, ...]:
    return tuple(sorted(blocks, key=lambda block: block.ratio)[-asked:])


def _read_epsilon(section: Section, waves: int) -> Fraction:
    value = section.require("epsilon", "a decimal text")
    try:
        epsilon = read_epsilon(value)
        if epsilon * waves > MAX_EPSILON:
            section.refuse(f"got {waves} waves of it; all may take {MAX_EPSILON}", "epsilon")
        if isinstance(value, str) and format_epsilon(epsilon) == value:
            return epsilon
        section.refuse(f'got {quote(value)}; allowed is a decimal text like "2"', "epsilon")
    except ValueError as error:
        if "epsilon" in section:
            section.refuse(str(error), "epsilon")
    return Fraction(1)
