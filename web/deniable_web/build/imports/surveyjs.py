"""Surveys in the JSON of SurveyJS.

Source: the documentation of the form library's classes Question, and its JSON schema. A
survey is read as data: whatever is unknown here is left out and noted.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from deniable_web.build.imports.bounds import Bounds, exact, read_limits
from deniable_web.build.imports.computed import Calculations
from deniable_web.build.imports.finishing import finish
from deniable_web.build.imports.imported import Account, Changed, Imported, LeftOut
from deniable_web.build.imports.questions import ImportedQuestion, Option, Questions, Text
from deniable_web.build.imports.surveyjs_evaluator import SURVEYJS
from deniable_web.build.imports.surveyjs_values import (
    Element,
    choices,
    expand,
    name_of,
    read_text,
    value_text,
)

_LEFT_OUT: Final = {
    LeftOut.FREE_TEXT: "comment multipletext",
    LeftOut.FILE: "file signaturepad",
    LeftOut.ORDER: "ranking",
    LeftOut.REPEATED: "matrixdropdown matrixdynamic paneldynamic",
}
_TIMES: Final = ("date", "datetime", "datetime-local", "month", "time", "week", "year")
# With one of these, a question may have an answer before it is asked.
_PRESETS: Final = ("defaultValue", "defaultValueExpression", "setValueExpression")
_SHOWN_ONLY: Final = ("html", "image")


def import_surveyjs(document: Mapping[str, Any]) -> Imported:
    """The survey, with the questions of all pages and panels, and an account of changes."""
    account = Account()
    locale = str(document.get("locale") or "en")
    questions = Questions(account, SURVEYJS)
    calculations = Calculations(questions)
    for page in _pages(document):
        first = len(questions.made)
        for element in expand(page):
            if element.kind == "expression":
                expression = str(element.own.get("expression") or "")
                calculations.add(_asked(element, locale), expression)
            else:
                _read(element, locale, questions)
        if 0 < first < len(questions.made):
            questions.made[first]["new_page"] = True
    for value in document.get("calculatedValues") or ():
        if isinstance(value, dict):
            name = str(value.get("name") or "")
            calculations.add(ImportedQuestion(name, name), str(value.get("expression") or ""))
    calculations.finish()
    definition = finish(
        read_text(document.get("title"), locale),
        questions.made,
        account,
        introduction=read_text(document.get("description"), locale),
    )
    return Imported(definition, account)


def _pages(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The pages; a document without pages is itself one page."""
    pages = document.get("pages") or [document]
    return [page for page in pages if isinstance(page, dict)] if isinstance(pages, list) else []


def _read(element: Element, locale: str, questions: Questions) -> None:
    kind, name = element.kind, element.name
    reader = _READERS.get(kind)
    if reader is not None:
        reader(element, locale, questions)
    elif kind in _SHOWN_ONLY:
        questions.account.change(name, Changed.NOTE)
    else:
        questions.account.leave_out_kind(name, kind, _LEFT_OUT)


def _asked(element: Element, locale: str, **other: Any) -> ImportedQuestion:
    own = element.own
    return ImportedQuestion(
        name=element.name,
        text=read_text(own.get("title"), locale) or element.name,
        is_required=own.get("isRequired") is True,
        conditions=element.conditions,
        is_preset=any(key in own for key in _PRESETS),
        **other,
    )


def _options(element: Element, locale: str, questions: Questions) -> list[Option]:
    """The choices, including "other", but without its text field."""
    own, account = element.own, questions.account
    if own.get("choicesByUrl") or own.get("choicesFromQuestion"):
        return []
    if any(key in own for key in ("choicesVisibleIf", "choicesEnableIf", "validators")):
        account.change(element.name, Changed.RULES)
    if any(isinstance(each, dict) and "imageLink" in each for each in own.get("choices") or ()):
        account.change(element.name, Changed.PICTURES)
    found = choices(own.get("choices"), locale)
    if own.get("hasOther") or own.get("showOtherItem"):
        account.change(element.name, Changed.OTHER)
        found.append(("other", read_text(own.get("otherText"), locale) or "Other"))
    return found


def _read_choice(element: Element, locale: str, questions: Questions) -> None:
    options = _options(element, locale, questions)
    if element.own.get("hasNone") or element.own.get("showNoneItem"):
        options.append(("none", read_text(element.own.get("noneText"), locale) or "None"))
    questions.add_choice(_asked(element, locale), options)


def _read_multiple(element: Element, locale: str, questions: Questions) -> None:
    own = element.own
    if own.get("minSelectedChoices"):
        questions.account.change(element.name, Changed.RULES)
    options = _options(element, locale, questions)
    questions.add_multiple(_asked(element, locale), options, own.get("maxSelectedChoices"))


def _read_pictures(element: Element, locale: str, questions: Questions) -> None:
    is_multiple = element.own.get("multiSelect") is True
    (_read_multiple if is_multiple else _read_choice)(element, locale, questions)


def _read_boolean(element: Element, locale: str, questions: Questions) -> None:
    own = element.own
    labels, called = {}, {}
    for option, side in (("yes", "True"), ("no", "False")):
        if text := read_text(own.get(f"label{side}"), locale):
            labels[option] = text
        value = own.get(f"value{side}")
        if value is not None:
            questions.account.change(element.name, Changed.RENAMED)
        called[name_of(option == "yes" if value is None else value)] = option
    questions.add_yes_no(_asked(element, locale), labels, called)


def _read_rating(element: Element, locale: str, questions: Questions) -> None:
    own, asked = element.own, _asked(element, locale)
    values = own.get("rateValues")
    if isinstance(values, list) and values:
        questions.add_choice(asked, choices(values, locale))
        return
    low, step = exact(own.get("rateMin", 1)), abs(exact(own.get("rateStep")) or Fraction(1))
    limits = Bounds(low, exact(own.get("rateMax", own.get("rateCount") or 5)))
    least, most = limits.on_grid(step, low or Fraction(0))
    ends: list[Text] = [
        read_text(own.get(f"{end}RateDescription"), locale) for end in ("min", "max")
    ]
    if step == 1 and least is not None and most is not None and least.denominator == 1:
        questions.add_scale(asked, int(least), int(most), ends)
    else:
        questions.add_number(asked, least, most, step)


def _read_text(element: Element, locale: str, questions: Questions) -> None:
    own = element.own
    kind = own.get("inputType")
    if kind == "number":
        limits, step = _limits(element, own, questions), exact(own.get("step"))
        # Without a step, any number is allowed; steps begin at 0, whatever the smallest number is.
        step = abs(step or limits.step(0))
        questions.add_number(_asked(element, locale), *limits.on_grid(step), step)
    elif kind == "range":
        _read_slider(element, locale, questions)
    else:
        reason = LeftOut.TIME if kind in _TIMES else LeftOut.FREE_TEXT
        questions.account.leave_out(element.name, reason)


def _read_slider(element: Element, locale: str, questions: Questions) -> None:
    own = element.own
    if own.get("sliderType") == "range":
        questions.account.leave_out(element.name, LeftOut.UNKNOWN)
        return
    limits = _limits(element, {"min": 0, "max": 100, **own}, questions)
    step = abs(exact(own.get("step")) or Fraction(1))
    ends = limits.on_grid(step, limits.low or Fraction(0))
    questions.add_number(_asked(element, locale), *ends, step)


def _limits(element: Element, own: Mapping[str, Any], questions: Questions) -> Bounds:
    """The bounds of a number; notes whether it has other rules."""
    limits = read_limits(own)
    if not limits.are_all_rules:
        questions.account.change(element.name, Changed.RULES)
    return limits


def _read_matrix(element: Element, locale: str, questions: Questions) -> None:
    """One question for each row, as respondents read them."""
    columns = choices(element.own.get("columns"), locale)
    rows = choices(element.own.get("rows"), locale)
    if element.own.get("cellType") == "checkbox" or not rows:
        questions.account.leave_out(element.name, LeftOut.REPEATED)
        return
    questions.account.change(element.name, Changed.SPLIT)
    for value, text in rows:
        row = element.row(value, value_text(element.own.get("title"), text, locale))
        # Expressions call a cell {matrix.row}; the name of its question here is matrix_row.
        alias = f"{element.name}.{value}"
        questions.add_choice(_asked(row, locale, alias=alias), columns)


_READERS: Final[Mapping[str, Callable[[Element, str, Questions], None]]] = {
    "boolean": _read_boolean,
    "buttongroup": _read_choice,
    "checkbox": _read_multiple,
    "dropdown": _read_choice,
    "imagepicker": _read_pictures,
    "matrix": _read_matrix,
    "radiogroup": _read_choice,
    "rating": _read_rating,
    "slider": _read_slider,
    "tagbox": _read_multiple,
    "text": _read_text,
}
