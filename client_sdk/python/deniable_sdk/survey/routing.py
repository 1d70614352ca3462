"""Routing: earlier answers decide which questions are asked.

It is worked out on the device. A question that is not reached is answered
with "no answer", through the same mechanism as every other answer, so that a
report says nothing about the path a respondent took.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question


def reached_questions(survey: PublishedSurvey, answers: Mapping[str, object]) -> frozenset[str]:
    """The ids of the questions that these answers lead to.

    Args:
        survey: the published survey.
        answers: question id to answer; those given so far are enough.
    Raises:
        InvalidAnswer: the answer to a question that others depend on does not
            fit it.
    """
    return _reached(survey.questions, answers)


def follow_routing(
    survey: PublishedSurvey, asked: Sequence[Block], answers: Mapping[str, object]
) -> Mapping[str, object]:
    """The answers that count: None for a question that was not reached.

    Raises:
        InvalidAnswer: the answer to a question that others depend on does not
            fit it, or a required question of an asked block was reached and
            has none.
    """
    shown = questions_to_show(survey, [block.id for block in asked])
    reached = _reached(shown, answers)
    for question in itertools.chain.from_iterable(block.questions for block in asked):
        if question.required and question.show_if and question.id in reached:
            answer = answers.get(question.id)
            if question.encode(answer) == question.encode(None):
                raise question.refusal(None)
    return {question.id: answers.get(question.id) for question in shown if question.id in reached}


def _reached(questions: Sequence[Question], answers: Mapping[str, object]) -> frozenset[str]:
    reached: dict[str, Question] = {}
    for question in questions:
        rule = question.show_if
        router = reached.get(rule.question) if rule else None
        if rule is None or (router and _is_chosen(router, answers.get(router.id), rule.options)):
            reached[question.id] = question
    return frozenset(reached)


def _is_chosen(question: Question, answer: object, options: tuple[str, ...]) -> bool:
    if answer is None:
        return False
    index = question.encode(answer)
    indexes = (index,) if isinstance(index, int) else index
    return any(question.names[chosen] in options for chosen in indexes)


def questions_to_show(survey: PublishedSurvey, blocks: Sequence[str]) -> tuple[Question, ...]:
    """The questions a device shows for the blocks it drew, in the survey's order.

    Those of the blocks, and those that decide whether these are reached: their
    answers stay on the device where no drawn block asks for them.
    """
    wanted = {
        question.id
        for block in survey.blocks
        if block.id in blocks
        for question in block.questions
    }
    for question in reversed(survey.questions):
        if question.id in wanted and question.show_if:
            wanted.add(question.show_if.question)
    return tuple(question for question in survey.questions if question.id in wanted)
