"""Routing: earlier answers decide which questions are asked, and scores are computed from them.

Both happen on the device. A question that is not reached is answered
with "no answer", through the same mechanism as every other answer, so that a
report says nothing about the path a respondent took.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from deniable_sdk import canonical
from deniable_sdk.canonical import kind
from deniable_sdk.errors import InvalidAnswer
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.options import is_no_answer
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.questions.rules import items_of
from deniable_sdk.survey.reading import MAPPINGS


def reached_questions(survey: PublishedSurvey, answers: Mapping[str, object]) -> frozenset[str]:
    """The ids of the questions that these answers lead to.

    Args:
        survey: the published survey.
        answers: question id to answer; those given so far are enough.
    Raises:
        InvalidAnswer: the answer to a question that others depend on does not
            fit it.
    """
    return frozenset(_follow(survey.questions, answers))


def check_answers(survey: PublishedSurvey, answers: Mapping[str, object]) -> None:
    """Fail unless all of these are answers to questions that people answer.

    Raises:
        InvalidAnswer: they are no mapping, or the survey has no such question.
    """
    if not isinstance(answers, MAPPINGS):
        raise InvalidAnswer(
            f"got {kind(answers)}; allowed is a mapping from question id to answer"
        )
    if not answers.keys() <= survey.question_ids:
        raise InvalidAnswer(
            f"answers were given for {len(answers.keys() - survey.question_ids)} questions that "
            f"survey {survey.slug!r} does not have; it has: "
            f"{', '.join(question.id for question in survey.answered)}"
        )


def compute_scores(
    survey: PublishedSurvey, answers: Mapping[str, object]
) -> dict[str, str | None]:
    """The scores that these answers come to, for feedback on the device: never send them.

    Args:
        survey: the published survey.
        answers: question id to answer.
    Returns:
        Score id to band, or to number as a decimal text; None without enough
        answers.
    Raises:
        InvalidAnswer: an answer does not fit its question.
    """
    check_answers(survey, answers)
    found = _follow(survey.questions, answers)
    return {
        question.id: found[question.id]  # type: ignore[misc]  # computed ones are texts
        for question in survey.questions
        if question.items and question.id in found
    }


def follow_routing(
    survey: PublishedSurvey, asked: Sequence[Block], answers: Mapping[str, object]
) -> Mapping[str, object]:
    """The answers that count: those to reached questions, and the scores.

    Raises:
        InvalidAnswer: the answer to a question that others depend on does not
            fit it, or a required question of an asked block, or an item of its
            score, was reached and has none.
    """
    shown = needed_questions(survey, [block.id for block in asked])
    found = _follow(shown, answers)
    reported = list(itertools.chain.from_iterable(block.questions for block in asked))
    needed = items_of(reported) | {question.id for question in reported}
    for question in shown:
        is_needed = question.required and question.id in found and question.id in needed
        if is_needed and _is_missing(question, found[question.id]):
            raise question.refusal(None)
    return found


def _is_missing(question: Question, answer: object) -> bool:
    if question.offers_no_answer:
        return question.encode(answer) == question.encode(None)
    return is_no_answer(answer)


def _follow(questions: Sequence[Question], answers: Mapping[str, object]) -> dict[str, object]:
    """Question id to answer of those that are reached, the scores computed."""
    found: dict[str, object] = {}
    by_id = {question.id: question for question in questions}
    for question in questions:
        rule = question.show_if
        if rule is None or (
            rule.question in found
            and _is_chosen(by_id[rule.question], found[rule.question], rule.options)
        ):
            given = answers.get(question.id)
            found[question.id] = question.compute(found) if question.items else given
    return found


def _is_chosen(question: Question, answer: object, options: tuple[str, ...]) -> bool:
    if answer is None:
        return False
    index = question.encode(answer)
    indexes = (index,) if isinstance(index, int) else index
    return any(question.names[chosen] in options for chosen in indexes)


def questions_to_show(survey: PublishedSurvey, blocks: Sequence[str]) -> tuple[Question, ...]:
    """The questions a device shows for the blocks it drew, in the survey's order.

    Those of the blocks, the items of their scores, and those that decide whether
    these are reached: their answers stay on the device where no drawn block asks
    for them. Scores are not shown: the device computes them.
    """
    return tuple(each for each in needed_questions(survey, blocks) if not each.items)


def needed_questions(survey: PublishedSurvey, blocks: Sequence[str]) -> tuple[Question, ...]:
    """The questions to show and the scores among them, in the survey's order."""
    wanted = {
        question.id
        for block in survey.blocks
        if block.id in blocks
        for question in block.questions
    }
    for question in reversed(survey.questions):
        if question.id in wanted:
            wanted |= items_of([question])
            if question.show_if:
                wanted.add(question.show_if.question)
    return tuple(question for question in survey.questions if question.id in wanted)


def fixed_signatures(survey: PublishedSurvey) -> Mapping[str, str]:
    """For the id of each fixed block how many outputs it has, and a digest.

    The digest is of all that the block's value depends on, as it is published:
    the block, its questions, and those that decide whether these are reached.
    A later edition repeats the value where the signature is the same.
    """
    fixed = [(index, block) for index, block in enumerate(survey.blocks) if block.fixed]
    if not fixed:
        return {}
    document: Any = canonical.parse(survey.document)
    published = {question["id"]: question for question in document["questions"]}
    signatures = {}
    for index, block in fixed:
        shown = [published[question.id] for question in needed_questions(survey, [block.id])]
        signed = canonical.digest(canonical.encode([document["privacy"]["blocks"][index], *shown]))
        signatures[block.id] = f"{block.mechanism.outputs} {signed}"
    return signatures
