"""Every column and setting of XLSForm is taken over, listed, or known to change nothing."""

import json

import pytest
from pyxform.question_type_dictionary import QUESTION_TYPE_DICT

from deniable_web.builder.imports.xlsform import import_xlsform
from workbooks import Row, workbook
from xlsform_schema import columns, fate, has_words

# pyxform refuses these in a group, or they would make another kind of row of it.
NOT_OF_GROUPS = {"command", "save_to", "type"}
# pyxform refuses these as they are below: one needs a trigger, the other has no name.
REFUSED = {"audit", "background-geopoint"}
HARMLESS_COLUMNS = (
    "autoplay compact_tag flat instance::odk:tag list_name rows sms_allow_media sms_date_format"
    " sms_datetime_format sms_field sms_option sms_response sms_separator"
)
QUESTION = (
    "calculate calculation caption command hint label name read_only readonly relevance"
    " relevant required tag type value"
)
TAKEN = {
    "choice": f"{QUESTION} appearance parameters",
    "number": QUESTION,
    "group": "caption hint label read_only readonly relevance relevant",
    "choices": "caption label list_name name value",
    "settings": "default_language form_title set_form_title title",
}
HARMLESS = {
    "choice": HARMLESS_COLUMNS,
    "number": f"{HARMLESS_COLUMNS} appearance",
    "group": f"{HARMLESS_COLUMNS} appearance name tag value",
    "choices": "sms_option",
    "settings": "add_none_option allow_choice_duplicates attribute auto_delete auto_send"
    " clean_text_values client_editable delimiter entity_version flat form_id id_string"
    " instance_name instance_xmlns name namespaces omit_instanceID prefix public_key set_form_id"
    " sms_allow_media sms_date_format sms_datetime_format sms_field sms_keyword sms_response"
    " sms_separator style submission_url type version",
}


@pytest.mark.parametrize("part", TAKEN)
def test_every_column_has_the_expected_effect(part: str) -> None:
    """Each column that pyxform knows is listed with its words, unless it is taken or harmless."""
    known = columns()[part if part in ("choices", "settings") else "survey"]
    known -= NOT_OF_GROUPS if part == "group" else set()
    expected = dict.fromkeys(known, "listed")
    expected |= dict.fromkeys(TAKEN[part].split(), "taken")
    expected |= dict.fromkeys(HARMLESS[part].split(), "harmless")
    assert {column: fate(part, column) for column in known} == expected
    assert [
        column
        for column in known
        if expected[column] != "harmless" and not has_words(part, column)
    ] == []


def test_every_type_is_asked_or_listed() -> None:
    """Each type that pyxform knows becomes a question, a text or a line of the account."""
    kinds = sorted(QUESTION_TYPE_DICT.keys() - REFUSED)
    rows: list[Row] = [["type", "name", "label", "calculation"]]
    for place, kind in enumerate(kinds):
        listed = f"{kind} l" if "select" in kind or kind == "rank" else kind
        rows.append([listed, f"q{place}", f"Words of {kind}", "1" if "calc" in kind else None])
    choices: list[Row] = [["list_name", "name", "label"], ["l", "x", "X"], ["l", "y", "Y"]]
    found = json.dumps(
        import_xlsform(workbook({"survey": rows, "choices": choices})).to_document()
    )
    assert len(kinds) > 90
    assert [kind for kind in kinds if f"Words of {kind}" not in found] == []


def test_notes_of_authors_are_listed_once() -> None:
    """A column or a sheet that XLSForm does not have is named once, not for each question."""
    header: Row = ["type", "name", "label", "remarks", "todo::English"]
    rows: list[Row] = [
        header,
        ["integer", "a", "A?", "old", "ask Eve"],
        ["integer", "b", "B?", "new", "ask Ann"],
    ]
    found = import_xlsform(workbook({"survey": rows, "Sheet3": [["x"]]})).account
    listed = [note for note in found.changed if note.reason == "settings"]
    assert [(note.name, note.details) for note in listed] == [
        ("", ("Sheet3", "remarks", "todo::English"))
    ]


def test_a_list_that_no_question_uses_is_listed() -> None:
    """Its words are in the account."""
    rows: list[Row] = [["type", "name", "label"], ["integer", "a", "A?"]]
    choices: list[Row] = [["list_name", "name", "label"], ["spare", "x", "Xylophone"]]
    found = import_xlsform(workbook({"survey": rows, "choices": choices})).account
    listed = {note.name: note.details for note in found.changed if note.reason == "settings"}
    assert "Xylophone" in listed[""][0]


def test_rows_that_pyxform_drops_are_listed() -> None:
    """Those that are switched off, and those without a type or the name of a list."""
    rows: list[Row] = [
        ["type", "name", "label::English (en)", "disabled", "hint"],
        ["integer", "a", "A?"],
        ["integer", "b", "B?", "yes"],
        [None, None, None, None, "Ask slowly"],
    ]
    choices: list[Row] = [["list_name", "name", "label"], [None, "x", "Unlisted"]]
    found = import_xlsform(workbook({"survey": rows, "choices": choices}))
    settings = [note.details for note in found.account.changed if note.reason == "settings"]
    assert settings == [("Ask slowly", "x, Unlisted")]
    assert [question["id"] for question in found.definition["questions"]] == ["a"]
    assert [tuple(note) for note in found.account.left_out] == [("b", "hidden", ("B?",))]
