"""Reads surveys in XLSForm workbooks, which ODK and KoboToolbox use, with pyxform."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from io import BytesIO
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from pyxform.errors import PyXFormError
from pyxform.xls2json import workbook_to_json
from pyxform.xls2json_backends import get_xlsform

from deniable_web.build.imports.bounds import Bounds, exact, read_constraint
from deniable_web.build.imports.computed import Calculations
from deniable_web.build.imports.finishing import finish
from deniable_web.build.imports.imported import (
    Account,
    Changed,
    Imported,
    LeftOut,
    UnreadableImport,
)
from deniable_web.build.imports.questions import ImportedQuestion, Option, Questions, Text
from deniable_web.build.imports.xlsform_evaluator import XLSFORM

Node = Mapping[str, Any]

# A workbook is a compressed archive: a small one may expand to gigabytes.
_MOST_UNPACKED: Final = 32 << 20
_CODE: Final = re.compile(r"\(([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})?)\)\s*$")
_LEFT_OUT: Final = {
    LeftOut.FREE_TEXT: "text string barcode",
    LeftOut.FILE: "audio background-audio file image photo video",
    LeftOut.PLACE: "geopoint geoshape geotrace start-geopoint",
    LeftOut.TIME: "date dateTime datetime time start end today audit",
    LeftOut.COMPUTED: "hidden xml-external csv-external",
    LeftOut.ORDER: "rank",
    LeftOut.REPEATED: "repeat",
}
# pyxform adds this group to every form.
_ADDED: Final = "meta"


def import_xlsform(body: bytes) -> Imported:
    """The survey in a workbook, with the questions of all groups, and an account of changes.

    Raises:
        UnreadableImport: it is not such a workbook, or pyxform refuses it.
    """
    form = _read_workbook(body)
    account = Account()
    questions = Questions(account, XLSFORM)
    calculations = Calculations(questions)
    for node, conditions in _nodes(form, ()):
        if node.get("type") == "calculate":
            expression = str(node.get("bind", {}).get("calculate") or "")
            calculations.add(_asked(node, conditions), expression)
        else:
            _read(node, conditions, questions)
    calculations.finish()
    definition = finish(_text(form.get("title")), questions.made, account)
    return Imported(definition, account)


def _read_workbook(body: bytes) -> Node:
    _refuse_bombs(body)
    try:
        form: Node = workbook_to_json(get_xlsform(body, file_type=".xlsx"), form_name="data")
    except PyXFormError as error:
        raise UnreadableImport(f"the workbook is not an XLSForm: {error}") from None
    except Exception as error:  # noqa: BLE001 - many kinds, for workbooks of other shapes
        raise UnreadableImport(
            f"the workbook cannot be read as an XLSForm ({type(error).__name__}); it needs a "
            "sheet survey with the columns type, name and label"
        ) from None
    return form


def _refuse_bombs(body: bytes) -> None:
    try:
        with ZipFile(BytesIO(body)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
    except BadZipFile:
        raise UnreadableImport(
            "the file is not a workbook in the format .xlsx; save it as one"
        ) from None
    if unpacked > _MOST_UNPACKED:
        raise UnreadableImport("the unpacked workbook is larger than a form needs; remove sheets")


def _nodes(node: Node, conditions: tuple[str, ...]) -> Iterator[tuple[Node, tuple[str, ...]]]:
    """All questions in order with their conditions, including questions in groups."""
    for inner in node.get("children") or ():
        relevant = str(inner.get("bind", {}).get("relevant") or "")
        own = (*conditions, relevant) if relevant else conditions
        if inner.get("type") != "group":
            yield inner, own
        elif inner.get("name") != _ADDED:
            yield from _nodes(inner, own)


def _read(node: Node, conditions: tuple[str, ...], questions: Questions) -> None:
    kind, name = str(node.get("type", "")), str(node.get("name", ""))
    reader = _READERS.get(kind)
    if reader is not None:
        reader(node, _asked(node, conditions), questions)
    elif kind == "note":
        questions.account.change(name, Changed.NOTE)
    else:
        questions.account.leave_out_kind(name, kind, _LEFT_OUT)


def _asked(node: Node, conditions: tuple[str, ...]) -> ImportedQuestion:
    name = str(node.get("name", ""))
    bind = node.get("bind", {})
    return ImportedQuestion(
        name=name,
        text=_text(node.get("label")) or name,
        is_required=str(bind.get("required", "")).lower() in ("yes", "true", "true()"),
        conditions=conditions,
    )


def _options(node: Node, questions: Questions) -> list[Option]:
    if node.get("choice_filter"):
        questions.account.change(str(node["name"]), Changed.RULES)
    found = []
    for choice in node.get("choices") or ():
        name = str(choice.get("name", ""))
        if name == "other":
            questions.account.change(str(node["name"]), Changed.OTHER)
        if choice.get("media"):
            questions.account.change(str(node["name"]), Changed.PICTURES)
        found.append((name, _text(choice.get("label")) or name))
    return found


def _read_one(node: Node, asked: ImportedQuestion, questions: Questions) -> None:
    questions.add_choice(asked, _options(node, questions))


def _read_several(node: Node, asked: ImportedQuestion, questions: Questions) -> None:
    if node.get("bind", {}).get("constraint"):
        questions.account.change(asked.name, Changed.RULES)
    questions.add_multiple(asked, _options(node, questions))


def _read_acknowledge(_: Node, asked: ImportedQuestion, questions: Questions) -> None:
    # Its only answer is OK; whoever does not give it has no answer there.
    questions.add_yes_no(asked, {}, {"OK": "yes", "": "no"})


def _read_number(node: Node, asked: ImportedQuestion, questions: Questions) -> None:
    bounds, step = read_constraint(str(node.get("bind", {}).get("constraint") or "")), Fraction(1)
    if node.get("type") == "decimal":
        # A decimal may have any number of decimals.
        step = bounds.step(1)
        questions.account.change(asked.name, Changed.ROUNDED)
    if not bounds.are_all_rules:
        questions.account.change(asked.name, Changed.RULES)
    questions.add_number(asked, *bounds.on_grid(step), step)


def _read_range(node: Node, asked: ImportedQuestion, questions: Questions) -> None:
    if node.get("bind", {}).get("constraint"):
        questions.account.change(asked.name, Changed.RULES)
    parameters = {"start": 1, "end": 10, "step": 1, **(node.get("parameters") or {})}
    start, end, step = (exact(parameters[key]) or Fraction(0) for key in ("start", "end", "step"))
    step = abs(step) or Fraction(1)
    low, high = Bounds(min(start, end), max(start, end)).on_grid(step, start)
    if low is not None and high is not None and _is_scale(low, high, step):
        questions.add_scale(asked, int(low), int(high), ())
    else:
        questions.add_number(asked, low, high, step)


def _is_scale(low: Fraction, high: Fraction, step: Fraction) -> bool:
    """Whether a range has whole numbers, and few enough to be shown side by side."""
    return step == low.denominator == 1 and high - low <= 20


def _text(label: object) -> Text:
    """A label; the codes in brackets identify its languages, as usual in XLSForms."""
    if not isinstance(label, dict):
        return str(label or "").strip()
    texts = {_code(str(language)): str(text).strip() for language, text in label.items() if text}
    return texts if "" not in texts else next(iter(texts.values()), "")


def _code(language: str) -> str:
    """The code of a language; "" if its name contains none."""
    found = _CODE.search(language) or re.fullmatch(r"([A-Za-z]{2,3})", language)
    return found[1].lower() if found else ""


_READERS: Final[Mapping[str, Callable[[Node, ImportedQuestion, Questions], None]]] = {
    "acknowledge": _read_acknowledge,
    "trigger": _read_acknowledge,
    "decimal": _read_number,
    "integer": _read_number,
    "int": _read_number,
    "range": _read_range,
    "select all that apply": _read_several,
    "select multiple": _read_several,
    "select one": _read_one,
}
