"""What the form shows of each question, in one language."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.decimals import UNIT, format_units
from deniable_sdk.survey.options import NO_ANSWER, Option
from deniable_sdk.survey.questions import (
    ClosedQuestion,
    MultipleQuestion,
    NumberQuestion,
    Question,
)
from deniable_sdk.survey.text import in_language
from deniable_web.pages.languages import Catalog, catalog

# No option's id is empty.
NONE_OF_THESE = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to answer a question on the page.

    One that stands alone takes the place of all others.
    """

    value: str
    text: str
    stands_alone: bool = False


@dataclass(frozen=True, slots=True)
class NumberField:
    """Where a number is written: the keyboard it takes, and its unit."""

    keyboard: str
    unit: str


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question as the page shows it.

    Args:
        id: the question's.
        type: its type.
        text: what is asked.
        missing: what is said if a required one has no answer.
        choices: the ways to answer, "prefer not to say" last.
        hint: what it takes; empty where the choices say it all.
        unfit: what is said of an answer that it does not take.
        number: where it takes a number.
    """

    id: str
    type: str
    text: str
    missing: str
    choices: tuple[Choice, ...] = ()
    hint: str = ""
    unfit: str = ""
    number: NumberField | None = None


def view_questions(survey: PublishedSurvey, language: str) -> list[QuestionView]:
    """All questions of a survey, in its order."""
    texts = catalog("form", language)
    return [
        _with_no_answer(question, _view(question, language, texts), texts)
        for question in survey.questions
    ]


def _with_no_answer(question: Question, view: QuestionView, texts: Catalog) -> QuestionView:
    if question.required:
        return view
    no_answer = Choice(NO_ANSWER, texts["question"]["no_answer"], stands_alone=True)
    return replace(view, choices=(*view.choices, no_answer))


def _view(question: Question, language: str, texts: Catalog) -> QuestionView:
    missing = {"multiple": "missing_multiple", "number": "missing_number"}
    view = QuestionView(
        question.id,
        question.type,
        in_language(question.text, language),
        texts["question"][missing.get(question.type, "missing_choice")],
    )
    if isinstance(question, NumberQuestion):
        return _view_number(question, view, language, texts["question"])
    if isinstance(question, MultipleQuestion):
        return _view_multiple(question, view, language, texts)
    assert isinstance(question, ClosedQuestion)  # noqa: S101 - there are no other kinds
    return replace(view, choices=_choices(question, language, texts))


def _view_multiple(
    question: MultipleQuestion, view: QuestionView, language: str, texts: Catalog
) -> QuestionView:
    own = texts["question"]
    is_limited = question.at_most < len(question.options)
    hint = own["at_most"] if is_limited else own["any_of_these"]
    none = Choice(NONE_OF_THESE, own["none_of_these"], stands_alone=True)
    return replace(
        view,
        choices=(*_choices(question, language, texts), none),
        hint=hint.format(most=question.at_most),
        unfit=own["too_many"].format(most=question.at_most),
    )


def _view_number(
    question: NumberQuestion, view: QuestionView, language: str, own: Mapping[str, str]
) -> QuestionView:
    low, high, step = map(format_units, (question.lowest, question.highest, question.step))
    rule = "whole" if question.step == UNIT and question.lowest % UNIT == 0 else "stepped"
    return replace(
        view,
        hint=own[rule].format(low=low, high=high, step=step),
        unfit=own[f"unfit_{rule}"].format(low=low, high=high, step=step),
        number=NumberField(
            keyboard=_keyboard(question),
            unit=in_language(question.unit, language) if question.unit else "",
        ),
    )


def _keyboard(question: NumberQuestion) -> str:
    """The smallest keyboard of a phone that has every key the numbers need."""
    if question.lowest < 0:
        return "text"
    has_decimals = question.step % UNIT or question.lowest % UNIT
    return "decimal" if has_decimals else "numeric"


def _choices(
    question: ClosedQuestion | MultipleQuestion, language: str, texts: Catalog
) -> tuple[Choice, ...]:
    return tuple(
        Choice(option.id, _label(question, option, language, texts)) for option in question.options
    )


def _label(question: Question, option: Option, language: str, texts: Catalog) -> str:
    if option.text is None:
        own = texts["options"] if question.type == "yes_no" else {}
        return own.get(option.id, option.id)
    text = in_language(option.text, language)
    return f"{option.id} – {text}" if question.type == "scale" else text
