"""Reads surveys in XLSForm workbooks, which ODK and KoboToolbox use, with pyxform."""

import re
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from pyxform.errors import PyXFormError
from pyxform.xls2json import workbook_to_json
from pyxform.xls2json_backends import get_xlsform

from deniable_web.build.imports.computed import Calculations
from deniable_web.build.imports.conditions import read_condition
from deniable_web.build.imports.finishing import finish
from deniable_web.build.imports.imported import (
    Account,
    Changed,
    Imported,
    LeftOut,
    UnreadableImport,
)
from deniable_web.build.imports.questions import ImportedQuestion, Option, Questions, Text
from deniable_web.build.imports.surveyjs_values import both, number

Node = Mapping[str, Any]

# A workbook is a compressed archive: a small one may expand to gigabytes.
_MOST_UNPACKED: Final = 32 << 20
_CODE: Final = re.compile(r"\(([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})?)\)\s*$")
_BOUND: Final = re.compile(r"\.\s*(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)")
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
    questions = Questions(account)
    calculations = Calculations(questions)
    for node, condition in _nodes(form, ""):
        if node.get("type") == "calculate":
            expression = str(node.get("bind", {}).get("calculate") or "")
            calculations.add(_asked(node, condition), expression)
        else:
            _read(node, condition, questions)
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


def _nodes(node: Node, condition: str) -> Iterator[tuple[Node, str]]:
    """All questions in order with their conditions, including questions in groups."""
    for inner in node.get("children") or ():
        relevant = str(inner.get("bind", {}).get("relevant") or "")
        own = both(condition, relevant)
        if inner.get("type") != "group":
            yield inner, own
        elif inner.get("name") != _ADDED:
            yield from _nodes(inner, own)


def _read(node: Node, condition: str, questions: Questions) -> None:
    kind, name = str(node.get("type", "")), str(node.get("name", ""))
    reader = _READERS.get(kind)
    if reader is not None:
        reader(node, _asked(node, condition), questions)
    elif kind == "note":
        questions.account.change(name, Changed.NOTE)
    else:
        questions.account.leave_out_kind(name, kind, _LEFT_OUT)


def _asked(node: Node, condition: str) -> ImportedQuestion:
    name = str(node.get("name", ""))
    bind = node.get("bind", {})
    return ImportedQuestion(
        name=name,
        text=_text(node.get("label")) or name,
        is_required=str(bind.get("required", "")).lower() in ("yes", "true", "true()"),
        condition=read_condition(condition) if condition else None,
        is_routed=bool(condition),
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
    questions.add_yes_no(asked, {})


def _read_number(node: Node, asked: ImportedQuestion, questions: Questions) -> None:
    constraint = str(node.get("bind", {}).get("constraint") or "")
    step = 1 if node.get("type") == "integer" else 0.1
    low = high = None
    for sign, text in _BOUND.findall(constraint):
        bound = number(text, None)
        if sign.startswith(">"):
            low = bound if sign == ">=" else bound + step
        else:
            high = bound if sign == "<=" else bound - step
    if re.sub(r"[\s()]|\band\b", "", _BOUND.sub("", constraint)):
        questions.account.change(asked.name, Changed.RULES)
    questions.add_number(asked, low, high, step)


def _read_range(node: Node, asked: ImportedQuestion, questions: Questions) -> None:
    parameters = node.get("parameters") or {}
    low, high = number(parameters.get("start"), 1), number(parameters.get("end"), 10)
    step = number(parameters.get("step"), 1) or 1
    if all(type(value) is int for value in (low, high)) and step == 1 and high - low <= 20:
        questions.add_scale(asked, low, high, ())
    else:
        questions.add_number(asked, low, high, step)


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
