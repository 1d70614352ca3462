"""The form's content for each question, in one language.

A type of question whose answer is one of its options needs nothing here. Any other type
registers its view with `_of_type`.
"""

from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Final

from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.decimals import UNIT, format_units
from deniable_sdk.survey.options import NO_ANSWER, Option
from deniable_sdk.survey.questions import MultipleQuestion, NumberQuestion, Question
from deniable_web.pages.form.languages import PageLanguage, Words

# The id of an option is never empty.
NONE_OF_THESE: Final = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to answer a question on the page.

    An exclusive choice replaces all other choices.
    """

    value: str
    words: Words
    stands_alone: bool = False


@dataclass(frozen=True, slots=True)
class NumberField:
    """The input for a number.

    Args:
        keyboard: the smallest keyboard with all its signs.
        unit: what is counted or measured.
        unclear: the message for a text that can mean two numbers.
    """

    keyboard: str
    unit: Words | None
    unclear: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The image of a question, whose bytes the script reads from the survey.

    Args:
        question: the question's id.
        words: what the image shows.
    """

    question: str
    words: Words


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """A question as the page shows it.

    Args:
        id: the question's id.
        type: its type.
        words: the question's text.
        missing: the message if an answer is required and missing.
        choices: the ways to answer, "prefer not to say" last.
        hint: how to answer; empty if the choices show it.
        unfit: the message for an answer that is not allowed.
        number: the input, if the answer is a number.
        is_single: whether a choice replaces the previous one.
        kept: the sentence on an answer that is not reported.
        help: the author's text that helps to answer it.
        picture: the image below it, if it has one.
    """

    id: str
    type: str
    words: Words
    missing: str
    choices: tuple[Choice, ...] = ()
    hint: str = ""
    unfit: str = ""
    number: NumberField | None = None
    is_single: bool = True
    kept: str = ""
    help: Words | None = None
    picture: Picture | None = None


def view_question(question: Question, language: PageLanguage) -> FormQuestion:
    """A question in a language."""
    own = language.texts["question"]
    bare = FormQuestion(
        question.id,
        question.type,
        language.said(question.text),
        own["missing_choice"],
        tuple(Choice(each.id, _label(question, each, language)) for each in question.options),
        kept=own["kept"],
        help=language.said(question.help) if question.help else None,
        # The fields of a score are never shown: its image is above its items.
        picture=None if question.items else view_picture(question, language),
    )
    view = _of_type(question, bare, language)
    if question.required:
        return view
    no_answer = Choice(NO_ANSWER, language.spoken(own["no_answer"]), stands_alone=True)
    return replace(view, choices=(*view.choices, no_answer))


def view_picture(question: Question, language: PageLanguage) -> Picture | None:
    """The image of a question in a language, None without one."""
    if question.image is None:
        return None
    return Picture(question.id, language.said(question.image.text))


@singledispatch
def _of_type(question: Question, view: FormQuestion, language: PageLanguage) -> FormQuestion:
    """The view with the additions of the question's type."""
    del question, language  # one of the options is chosen
    return view


@_of_type.register
def _(question: MultipleQuestion, view: FormQuestion, language: PageLanguage) -> FormQuestion:
    own = language.texts["question"]
    is_limited = question.at_most < len(question.options)
    hint = own["at_most"] if is_limited else own["any_of_these"]
    none = Choice(NONE_OF_THESE, language.spoken(own["none_of_these"]), stands_alone=True)
    return replace(
        view,
        choices=(*view.choices, none),
        missing=own["missing_multiple"],
        hint=hint.format(most=question.at_most),
        unfit=own["too_many"].format(most=question.at_most),
        is_single=False,
    )


@_of_type.register
def _(question: NumberQuestion, view: FormQuestion, language: PageLanguage) -> FormQuestion:
    own = language.texts["question"]
    grid = (question.lowest, question.highest, question.step)
    low, high, step = (language.number(format_units(units)) for units in grid)
    rule = "whole" if question.step == UNIT and question.lowest % UNIT == 0 else "stepped"
    return replace(
        view,
        missing=own["missing_number"],
        hint=own[rule].format(low=low, high=high, step=step),
        unfit=own[f"unfit_{rule}"].format(low=low, high=high, step=step),
        number=NumberField(
            keyboard=_keyboard(question),
            unit=language.said(question.unit) if question.unit else None,
            unclear=own[f"unclear_{rule}"],
        ),
        is_single=False,
    )


def _keyboard(question: NumberQuestion) -> str:
    """The smallest keyboard of a phone with all keys for the numbers."""
    if question.lowest < 0:
        return "text"
    has_decimals = question.step % UNIT or question.lowest % UNIT
    return "decimal" if has_decimals else "numeric"


def _label(question: Question, option: Option, language: PageLanguage) -> Words:
    if option.text is None:
        own = language.texts["options"] if question.has_common_options else {}
        known = own.get(option.id)
        return language.spoken(known) if known else language.said(option.id)
    words = language.said(option.text)
    if question.scale is Scale.ORDINAL:
        return replace(words, text=f"{option.id} – {words.text}")
    return words
