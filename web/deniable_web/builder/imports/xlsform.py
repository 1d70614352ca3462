"""Reads surveys in XLSForm workbooks, which ODK and KoboToolbox use, with pyxform."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from pyxform.aliases import yes_no
from pyxform.errors import PyXFormError
from pyxform.parsing.sheet_headers import to_snake_case
from pyxform.xls2json import workbook_to_json
from pyxform.xls2json_backends import DefinitionData, get_xlsform

from deniable_web.builder.imports.computed import Calculations
from deniable_web.builder.imports.finishing import finish
from deniable_web.builder.imports.imported import (
    Account,
    Changed,
    Imported,
    LeftOut,
    UnreadableImport,
)
from deniable_web.builder.imports.kobo import standard_rows
from deniable_web.builder.imports.nodes import FileNode
from deniable_web.builder.imports.places import Place
from deniable_web.builder.imports.questions import Questions
from deniable_web.builder.imports.texts import Texts
from deniable_web.builder.imports.xlsform_evaluator import XLSFORM
from deniable_web.builder.imports.xlsform_keys import (
    UNREAD,
    UNREAD_SETTINGS,
    is_known,
    meaning,
)
from deniable_web.builder.imports.xlsform_questions import (
    Form,
    FormRow,
    is_read_only,
    read_row,
)

# A workbook is a compressed archive: a small one may expand to gigabytes.
_MOST_UNPACKED: Final = 32 << 20
_WHOLE_SURVEY: Final = ""
_REFERENCE: Final = r"\$\{[^{}\n]*\}"
# pyxform adds this group to every form, with these members.
_META: Final = "meta"
_ADDED: Final = ("instanceID", "instanceName", "entity")
# A table-list is a group, to which pyxform adds a note with its label, and a row of headings.
_TABLE_LABEL: Final = "generated_table_list_label_"
# The keys of a row that has other rows in it.
_PARTS: Final = ("children", "columns")
_TITLES: Final = ("form_title", "set_form_title", "title")
_SHEETS: Final = ("survey", "choices", "settings")


def import_xlsform(body: bytes) -> Imported:
    """The survey in a workbook, with the questions of all groups, and an account of changes.

    Raises:
        UnreadableImport: it is not such a workbook, or pyxform refuses it.
    """
    workbook, document = _read_workbook(body)
    account = Account()
    ignored = _list_ignored(workbook, account)
    settings, texts = FileNode(document), Texts(account, _REFERENCE)
    questions = Questions(account, XLSFORM)
    lists = FileNode(settings.take("choices"))
    unread = {**UNREAD, **dict.fromkeys(ignored)}
    form = Form(questions, Calculations(questions), texts, lists, unread)
    for row in _rows(settings.take("children"), Place(), form):
        read_row(row)
    form.calculations.finish()
    title = texts.read(settings.take("title"), _WHOLE_SURVEY)
    default = settings.take("default_language")
    definition = finish(
        questions,
        title if _is_titled(workbook, document) else "",
        None if default == "default" else texts.find_tag(str(default)),
        introduction=questions.introduction(),
    )
    lists.list_unread(_WHOLE_SURVEY, unread, account)
    settings.list_unread(_WHOLE_SURVEY, UNREAD_SETTINGS, account)
    return Imported(definition, account)


def _read_workbook(body: bytes) -> tuple[DefinitionData, dict[str, Any]]:
    _refuse_bombs(body)
    try:
        workbook = get_xlsform(body, file_type=".xlsx")
        if workbook.survey:
            workbook.survey = list(standard_rows(workbook.survey))
        for sheet in ("survey", "choices"):
            _name_defaults(workbook, sheet)
        document = workbook_to_json(workbook, form_name="data")
    except PyXFormError as error:
        reason = str(error).rstrip(" .")
        raise UnreadableImport.of_kind(f"the workbook is not an XLSForm: {reason}") from None
    except Exception as error:  # noqa: BLE001 - many kinds, for workbooks of other shapes
        raise UnreadableImport.of_kind(
            f"the workbook cannot be read as an XLSForm ({type(error).__name__}); an XLSForm has "
            "a sheet survey with the columns type, name and label"
        ) from None
    return workbook, document


def _name_defaults(workbook: DefinitionData, sheet: str) -> None:
    """Give columns without a language one beside others; pyxform would drop some of both."""
    rows, headers = getattr(workbook, sheet), getattr(workbook, f"{sheet}_header")
    if not headers:
        return
    settings = (workbook.settings or [{}])[0]
    language = settings.get("default_language", "default")
    names = list(headers[0])
    beside = {name.split("::")[0].strip() for name in names if "::" in name}
    renamed = {name: name for name in names}
    for name in beside & {*names}:
        own = f"{name}::{language}"
        renamed[name] = own if own not in names else f"{name}::default"
    setattr(workbook, f"{sheet}_header", [dict.fromkeys(renamed.values())])
    setattr(workbook, sheet, [{renamed[key]: row[key] for key in row} for row in rows or ()])


def _refuse_bombs(body: bytes) -> None:
    try:
        with ZipFile(BytesIO(body)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
    except BadZipFile:
        raise UnreadableImport.of_kind(
            "the file is not a workbook in the format .xlsx; save it as one"
        ) from None
    if unpacked > _MOST_UNPACKED:
        raise UnreadableImport("the unpacked workbook is larger than a form needs; remove sheets")


def _is_titled(workbook: DefinitionData, document: Mapping[str, Any]) -> bool:
    """Whether the form has a title; pyxform puts the id of the form in place of a missing one."""
    headers = [to_snake_case(header) for header in (workbook.settings_header or [{}])[0]]
    return document["title"] != document["id_string"] or any(name in headers for name in _TITLES)


def _rows(children: list[dict[str, Any]], place: Place, form: Form) -> Iterator[FormRow]:
    """All questions in order with their places, including questions in groups."""
    table = place
    for own in children:
        row = FormRow(own, place, form)
        if row.type == "group":
            yield from _group(own, row, form)
        elif row.type in ("repeat", "loop"):
            row.leave_out(LeftOut.REPEATED)
        elif "label" in row.appearance and row.type.startswith("select"):
            # It only shows the headings of a table, for the rows below it.
            title, note = row.text("label"), row.text("hint")
            table = form.questions.sections.within(place, row.name, title, note)
            row.node.take("required")
            row.list_unread()
        elif "list-nolabel" in row.appearance:
            yield FormRow(own, table, form)
        else:
            yield row


def _group(own: Mapping[str, Any], row: FormRow, form: Form) -> Iterator[FormRow]:
    """The questions of a group; the label of a table-list is in its first row."""
    children = [each for each in own["children"] if each.get("name") not in _ADDED]
    title, note = row.text("label"), row.text("hint")
    if children and str(children[0].get("name")).startswith(_TABLE_LABEL):
        label = FormRow(children.pop(0), row.place, form)
        title, note = label.text("label"), label.text("hint")
    is_one_question = len(children) == 1 and not children[0].keys() & {"label", "hint", *_PARTS}
    place = form.questions.sections.within(
        replace(row.place, is_read_only=is_read_only(row)),
        row.name,
        title,
        note,
        is_one_question=is_one_question,
    )
    yield from _rows(children, place, form)
    if row.name != _META:
        row.list_unread()


def _list_ignored(workbook: DefinitionData, account: Account) -> list[str]:
    """Note sheets, columns and rows that pyxform does not read.

    The columns are returned as pyxform names them.
    """
    for sheet in workbook.sheet_names or ():
        if sheet.lower() not in _SHEETS:
            account.change(_WHOLE_SURVEY, Changed.SETTINGS, sheet)
    headers = {**(workbook.survey_header or [{}])[0], **(workbook.choices_header or [{}])[0]}
    ignored = [header for header in headers if not is_known(header)]
    for header in ignored:
        account.change(_WHOLE_SURVEY, Changed.SETTINGS, header)
    for rows, needed in ((workbook.survey, "type"), (workbook.choices, "list name")):
        for row in filter(None, rows or ()):
            cells = {meaning(header): value for header, value in row.items()}
            if needed not in cells:
                account.change(_WHOLE_SURVEY, Changed.SETTINGS, ", ".join(row.values()))
            elif yes_no.get(cells.get("disabled", "")):
                words = (text for key, text in cells.items() if key.startswith(("label", "hint")))
                account.leave_out(str(cells.get("name", "")), LeftOut.HIDDEN, *words)
    return [name for header in ignored for name in (header, re.split("::?", header)[0].strip())]
