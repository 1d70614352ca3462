"""Routing: which questions are asked because of what was answered before.

It is worked out on the device. A question that is not reached is answered
with "no answer", through the same mechanism as every other answer, so that a
report says nothing about the path a respondent took.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import quote
from deniable_sdk.records import Record
from deniable_sdk.survey.options import MAX_OPTIONS
from deniable_sdk.survey.reading import Section

if TYPE_CHECKING:
    from deniable_sdk.survey.block import Block
    from deniable_sdk.survey.published import PublishedSurvey
    from deniable_sdk.survey.questions import Question

# So that what a refusal says does not grow with the survey.
_NAMED_OPTIONS = 5
_QUESTION_RULE = "the id of an earlier question with options"


class ShowIf(Record):
    """Reach a question only if one of these options of another was chosen."""

    question: str
    options: tuple[str, ...]

    def to_document(self) -> dict[str, JSON]:
        """The rule as a published survey carries it."""
        return {"question": self.question, "is": list(self.options)}


def read_show_if(section: Section, earlier: Mapping[str, Question]) -> ShowIf | None:
    """The rule of a published question, None where it has none."""
    if "show_if" not in section:
        return None
    inner = Section(section.values["show_if"], section.at("show_if"), section.problems)
    inner.refuse_unknown(("question", "is"))
    known = read_router(inner, earlier)
    chosen = list(inner.members("is", 1, MAX_OPTIONS, "options"))
    if known:
        check_options(inner, chosen, known)
        index = {option: place for place, option in enumerate(known)}
        places = [index[name] for name in chosen if isinstance(name, str) and name in index]
        if any(left >= right for left, right in itertools.pairwise(places)):
            inner.refuse("the options are not in their order, or one stands twice", "is")
    router = inner.values.get("question")
    return ShowIf(str(router), tuple(str(member) for member in chosen))


def read_router(section: Section, earlier: Mapping[str, Question]) -> tuple[str, ...]:
    """The options of the question a rule names; none where it names no such question."""
    name = section.require("question", _QUESTION_RULE)
    question = earlier.get(name) if isinstance(name, str) else None
    options = question.option_ids if question else ()
    if not options and "question" in section:
        section.refuse(f"got {quote(name)}; allowed is {_QUESTION_RULE}", "question")
    return options


def check_options(section: Section, chosen: Sequence[object], known: tuple[str, ...]) -> None:
    """Note every option of a rule that its question does not have."""
    named = ", ".join(known[:_NAMED_OPTIONS]) + (", ..." if len(known) > _NAMED_OPTIONS else "")
    options = frozenset(known)
    for index, member in enumerate(chosen):
        if not (isinstance(member, str) and member in options):
            section.refuse(f"got {quote(member)}; allowed are: {named}", "is", index)


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
            if question.place(answer) == question.place(None):
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
    place = question.place(answer)
    places = (place,) if isinstance(place, int) else place
    return any(question.names[chosen] in options for chosen in places)


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
