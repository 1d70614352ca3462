"""Makes a question of each kind of element of SurveyJS that can be randomized."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from deniable_web.builder.imports.bounds import Bounds, exact, read_limits
from deniable_web.builder.imports.imported import Changed, LeftOut
from deniable_web.builder.imports.nodes import leaves
from deniable_web.builder.imports.options import Option
from deniable_web.builder.imports.surveyjs_values import Element, name_of
from deniable_web.builder.imports.texts import Text, by_language, join

_TIMES: Final = ("date", "datetime", "datetime-local", "month", "time", "week", "year")
_LEFT_OUT: Final = {
    LeftOut.FREE_TEXT: "comment multipletext",
    LeftOut.FILE: "file signaturepad",
    LeftOut.ORDER: "ranking",
    LeftOut.REPEATED: "matrixdropdown matrixdynamic paneldynamic",
}
# Each option that a switch adds: its value, the switch, and the key of its text.
_ADDED: Final = (
    ("none", ("showNoneItem", "hasNone"), "noneText"),
    ("refused", ("showRefuseItem",), "refuseText"),
    ("dontknow", ("showDontKnowItem",), "dontKnowText"),
    ("other", ("showOtherItem", "hasOther"), "otherText"),
)
# Their texts without that key, by the language of the survey.
_USUAL: Final = {
    "en": ("None", "Prefer not to say", "Don't know", "Other"),
    "de": ("Nichts davon", "Keine Angabe", "Weiß nicht", "Anderes"),
    "es": ("Ninguna de estas", "Prefiero no responder", "No lo sé", "Otra"),
    "ar": ("لا شيء مما سبق", "أفضّل عدم الإجابة", "لا أعرف", "غير ذلك"),
    "zh": ("以上都不是", "不愿回答", "不知道", "其他"),
}
_MOST_GENERATED: Final = 1_000


def read_question(element: Element) -> None:
    """Add the question of an element, or note why it was left out."""
    made = element.questions.made
    before, reader = len(made), _READERS.get(element.kind)
    if element.place.is_hidden:
        element.leave_out(LeftOut.HIDDEN)
    elif element.kind == "html":
        is_always_shown = not element.place.conditions
        element.questions.show(element.name, element.html("html"), is_always_shown)
        element.list_unread()
    elif element.kind == "image":
        element.change(Changed.PICTURES)
        element.list_unread()
    elif element.place.is_read_only:
        element.leave_out(LeftOut.READ_ONLY)
    elif reader is None:
        element.leave_out(_reason(element.kind))
    else:
        reader(element)
    if len(made) > before:
        element.list_unread()


def _reason(kind: str) -> LeftOut:
    found = (reason for reason, kinds in _LEFT_OUT.items() if kind in kinds.split())
    return next(found, LeftOut.UNKNOWN)


def _options(element: Element) -> tuple[list[Option], bool]:
    """The choices, with those that switches add, and whether their order is random.

    There are none if they come from elsewhere.
    """
    if element.node.take("choicesByUrl", "choicesFromQuestion"):
        return [], False
    options = element.choices("choices")
    options += ((str(value), str(value)) for value in _generated(element))
    order = element.node.take("choicesOrder")
    if order in ("asc", "desc"):
        options.sort(
            key=lambda option: next(iter(by_language(option[1]).values())).casefold(),
            reverse=order == "desc",
        )
    return [*options, *_added(element)], order == "random"


def _added(element: Element) -> Iterator[Option]:
    """The options that switches add."""
    usual = _USUAL.get(element.texts.language.split("-")[0])
    for (value, switch, key), text in zip(_ADDED, usual or _USUAL["en"], strict=True):
        if element.node.take(*switch):
            own = element.text(key)
            if not own and not usual:
                element.questions.account.change("", Changed.TEXTS, element.texts.language)
            if value == "other":
                element.change(Changed.OTHER)
            yield value, own or text


def _generated(element: Element) -> range:
    """The numbers that a dropdown offers without a list."""
    low, high, step = (
        exact(element.node.take(key)) or Fraction(otherwise)
        for key, otherwise in (("choicesMin", 0), ("choicesMax", 0), ("choicesStep", 1))
    )
    if not all(value.denominator == 1 for value in (low, high, step)) or step < 1 or low >= high:
        return range(0)
    first, last, by = int(low), int(high), int(step)
    return range(first, min(last, first + _MOST_GENERATED * by) + 1, by)


def _read_choice(element: Element) -> None:
    options, is_shuffled = _options(element)
    element.questions.add_choice(element.asked(), options, is_shuffled=is_shuffled)


def _read_multiple(element: Element) -> None:
    options, is_shuffled = _options(element)
    for _, switch, _ in _ADDED[:3]:
        # Nothing else may be chosen beside these in the other program.
        if element.node.take(*switch):
            element.change(Changed.RULES, switch[0])
    most = int(exact(element.node.take("maxSelectedChoices")) or 0)
    element.questions.add_multiple(element.asked(), options, most, is_shuffled=is_shuffled)


def _read_pictures(element: Element) -> None:
    is_multiple = element.node.take("multiSelect") is True
    (_read_multiple if is_multiple else _read_choice)(element)


def _read_boolean(element: Element) -> None:
    labels: dict[str, Text] = {}
    called: dict[str, str] = {}
    for option, side in (("yes", "True"), ("no", "False")):
        if text := element.text(f"label{side}"):
            labels[option] = text
        value = element.node.take(f"value{side}")
        if value is not None:
            element.change(Changed.RENAMED)
        called[name_of(option == "yes" if value is None else value)] = option
    element.questions.add_yes_no(element.asked(), labels, called)


def _read_rating(element: Element) -> None:
    if options := element.choices("rateValues"):
        element.questions.add_choice(element.asked(), options)
        return
    low, high, step, count = (
        exact(element.node.take(key)) for key in ("rateMin", "rateMax", "rateStep", "rateCount")
    )
    low, step = Fraction(1) if low is None else low, abs(step or Fraction(1))
    limits = Bounds(low, count or Fraction(5) if high is None else high)
    least, most = limits.on_grid(step, low)
    if step == 1 and least is not None and most is not None and least.denominator == 1:
        labels = {
            str(int(least)): element.text("minRateDescription", "mininumRateDescription"),
            str(int(most)): element.text("maxRateDescription", "maximumRateDescription"),
        }
        element.questions.add_scale(element.asked(), int(least), int(most), labels)
    else:
        element.questions.add_number(element.asked(), least, most, step)


def _read_text(element: Element) -> None:
    kind = element.node.take("inputType")
    if kind == "number":
        limits, step = _limits(element), exact(element.node.take("step"))
        # Without a step, any number is allowed; steps begin at 0, whatever the smallest number is.
        step = abs(step or limits.step(0))
        element.questions.add_number(element.asked(), *limits.on_grid(step), step)
    elif kind == "range":
        _read_slider(element)
    else:
        element.leave_out(LeftOut.TIME if kind in _TIMES else LeftOut.FREE_TEXT)


def _read_slider(element: Element) -> None:
    if element.node.take("sliderType") == "range":
        element.leave_out(LeftOut.UNKNOWN)
        return
    limits, step = _limits(element, min=0, max=100), exact(element.node.take("step"))
    step = abs(step or Fraction(1))
    ends = limits.on_grid(step, limits.low or Fraction(0))
    element.questions.add_number(element.asked(), *ends, step)


def _limits(element: Element, **otherwise: int) -> Bounds:
    """The bounds of a number; notes its other rules, and what its validators say."""
    own = {key: element.node.take(key) for key in ("min", "max", "validators")}
    limits = read_limits(
        {**otherwise, **{key: end for key, end in own.items() if end is not None}}
    )
    for key in ("min", "max"):
        if own[key] not in (None, "") and exact(own[key]) is None:
            element.change(Changed.RULES, f"{key}: {own[key]}")
    what = Changed.SETTINGS if limits.are_all_rules else Changed.RULES
    for validator in own["validators"] or ():
        if not limits.are_all_rules or validator.get("text"):
            element.change(what, f"validators: {', '.join(leaves(validator))}")
    return limits


def _read_matrix(element: Element) -> None:
    """One question for each row, as respondents read them."""
    columns, rows = element.choices("columns"), element.choices("rows")
    if element.node.take("cellType") == "checkbox" or not rows:
        element.leave_out(LeftOut.REPEATED)
        return
    element.change(Changed.SPLIT)
    asked = element.asked()
    above = asked.text if "title" in element.node else ""
    must_answer_all = element.node.take("eachRowRequired", "isAllRowRequired") is True
    if "rowsVisibleIf" in element.node or _has_conditions(element.node.take("rows")):
        must_answer_all = False
    if asked.is_required and not must_answer_all and rows[1:]:
        # An answer in one of the rows is enough there.
        element.change(Changed.RULES, "isRequired")
        asked = replace(asked, is_required=False)
    for value, text in rows:
        row = replace(
            asked,
            name=f"{element.name}_{value}",
            text=join(above, text),
            is_required=asked.is_required or must_answer_all,
            # Expressions call a cell {matrix.row}; the name of its question here is matrix_row.
            alias=f"{element.name}.{value}",
        )
        element.questions.add_choice(row, columns)


def _has_conditions(rows: Sequence[object]) -> bool:
    return any(isinstance(row, Mapping) and "visibleIf" in row for row in rows)


_READERS: Final[Mapping[str, Callable[[Element], None]]] = {
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

# The types of elements that SurveyJS has.
KINDS: Final = frozenset(
    (*_READERS, *" ".join(_LEFT_OUT.values()).split(), "expression", "html", "image", "panel")
)
