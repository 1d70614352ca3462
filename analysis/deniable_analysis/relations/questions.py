"""The questions and options that a relation is about, or why it cannot be."""

from collections.abc import Sequence

from deniable_analysis.errors import (
    DifferentQuestions,
    InvalidCounts,
    NotIdentified,
    QuestionNotFound,
)
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.questions import Question


def find_question(study: ReportedSurvey, question_id: str) -> Question:
    """The question of this id.

    Raises:
        QuestionNotFound: the survey does not have it.
    """
    for question in study.survey.questions:
        if question.id == question_id:
            return question
    raise QuestionNotFound(
        f"got the question {question_id!r}; survey {study.survey.slug!r} has: "
        f"{', '.join(question.id for question in study.survey.questions)}"
    )


def subset_blocks(study: ReportedSurvey, question: Question) -> tuple[Block, ...]:
    """The blocks that tell the shares of all of a question's options.

    Raises:
        NotIdentified: there is none.
    """
    blocks = tuple(block for block in study.survey.blocks if question in block.questions)
    found = tuple(block for block in blocks if isinstance(block.mechanism, Subset))
    if found:
        return found
    raise NotIdentified(
        f"question {question.id!r} ({question.type}) is randomized by "
        f"{blocks[0].mechanism.name!r}, which does not tell the shares of its options together; "
        "this takes a yes_no, choice or scale randomized by 'subset'"
    )


def find_option(question: Question, option: str) -> int:
    """The place of an option among a question's names.

    Raises:
        QuestionNotFound: the question does not have it.
    """
    if option in question.names:
        return question.names.index(option)
    raise QuestionNotFound(
        f"got the option {option!r}; question {question.id!r} has: {', '.join(question.names)}"
    )


def check_same_question(studies: Sequence[ReportedSurvey], question_id: str) -> Question:
    """The question that all of these studies asked in the same words.

    Raises:
        QuestionNotFound: a survey does not have it.
        DifferentQuestions: it is not the same in all of them.
        InvalidCounts: a study is given twice.
    """
    if len(set(map(id, studies))) < len(studies):
        raise InvalidCounts(
            f"got {label(studies[0])} or another study twice; what is compared or pooled are the "
            "answers of different people"
        )
    questions = [find_question(study, question_id) for study in studies]
    first = questions[0].to_document()
    for study, question in zip(studies[1:], questions[1:], strict=True):
        other = question.to_document()
        keys = [key for key in {**first, **other} if first.get(key) != other.get(key)]
        if keys:
            raise DifferentQuestions(
                f"question {question_id!r} of {label(study)} differs from that of "
                f"{label(studies[0])} in: {', '.join(keys)}; compare and pool only what was asked "
                "in the same words"
            )
    return questions[0]


def label(study: ReportedSurvey) -> str:
    """How results call a study: slug@edition."""
    return f"{study.survey.slug}@{study.edition}"
