"""The kind of a file is told by its contents, and a refusal names the kinds that can be read."""

import json

import pytest

from deniable_web.builder.imports.imported import UnreadableImport
from deniable_web.builder.imports.text import import_text
from deniable_web.builder.imports.xlsform import import_xlsform
from workbooks import workbook

READABLE = "a survey of SurveyJS in JSON, and an XLSForm in a workbook"
QUALTRICS = {"SurveyEntry": {"SurveyID": "SV_1"}, "SurveyElements": [{"Element": "BL"}]}
FORMBRICKS = {
    "name": "Wellbeing",
    "questions": [
        {"id": "a", "type": "multipleChoiceSingle", "headline": {"default": "Are you well?"}}
    ],
}
REDCAP = 'Variable / Field Name,Form Name,Field Type\n"age","survey","text"\n'
XFORM = '<?xml version="1.0"?>\n<h:html xmlns="http://www.w3.org/2002/xforms">\n</h:html>'
LIMESURVEY = "<?xml version='1.0'?>\n<document><LimeSurveyDocType>Survey</LimeSurveyDocType>"
ALIASES = b"a: &x [1,1,1,1,1,1,1,1,1,1]\n" + b"".join(
    f"{chr(98 + n)}: &{'y' * (n + 1)} [{', '.join([f'*{prior}'] * 10)}]\n".encode()
    for n, prior in enumerate(["x", "y", "yy", "yyy", "yyyy"])
)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\xff\xfe", "not text in UTF-8"),
        (b"{", "line 1: not JSON"),
        (b"a: [", "line 1: not YAML"),
        (b"- 1", "no survey definition"),
        (b"", "no survey definition"),
        (b"{}", "not a definition that can be shown"),
        (b'{"title": "T", "pages": []}', "not a definition that can be shown"),
        (b'{"title": "T", "questions": []}', "not a definition that can be shown"),
        (
            b'{"pages": [{"elements": [{"type": "mystery"}]}]}',
            "not a definition that can be shown",
        ),
        (ALIASES, "no survey definition"),
        (json.dumps(QUALTRICS).encode(), "a survey of Qualtrics"),
        (json.dumps(FORMBRICKS).encode(), "a survey of Formbricks"),
        (REDCAP.encode(), "a data dictionary of REDCap"),
        (XFORM.encode(), "an XForm of ODK"),
        (LIMESURVEY.encode(), "a survey of LimeSurvey"),
        (b"type,name,label\ninteger,a,A?\n", "an XLSForm in another format"),
    ],
)
def test_a_refused_text_names_what_can_be_read(body: bytes, reason: str) -> None:
    """The reason has no name of a file, because the author's file has another one."""
    with pytest.raises(UnreadableImport, match=reason) as refused:
        import_text(body)
    assert READABLE in str(refused.value)
    assert "file." not in str(refused.value)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"not a workbook", "not a workbook in the format"),
        (workbook({"survey": [["question", "answer"], ["a", "b"]]}), "not an XLSForm"),
        (workbook({"Sheet1": [["a"]], "Sheet2": [["b"]]}), "must have a sheet named 'survey'"),
    ],
)
def test_a_refused_workbook_names_what_can_be_read(body: bytes, reason: str) -> None:
    """So does a workbook with other contents."""
    with pytest.raises(UnreadableImport, match=reason) as refused:
        import_xlsform(body)
    assert READABLE in str(refused.value)


@pytest.mark.parametrize("holder", ["elements", "questions"])
def test_surveyjs_may_have_questions_at_the_top(holder: str) -> None:
    """The name of the list does not make a definition of it."""
    elements = [
        {"type": "radiogroup", "name": "kids", "title": "Children?", "choices": ["yes", "no"]},
        {"type": "dropdown", "name": "n", "visibleIf": "{kids} = 'yes'", "choices": [1, 2]},
    ]
    found = import_text(json.dumps({"title": "T", holder: elements}).encode()).definition
    assert [question["id"] for question in found["questions"]] == ["kids", "n"]
    assert found["questions"][1]["show_if"] == {"question": "kids", "is": ["yes"]}


@pytest.mark.parametrize(
    "document",
    [
        {"title": "T", "slug": "", "epsilon": 1, "questions": []},
        {"questions": [{"id": "a", "type": "yes_no"}, {"type": "choise"}]},
    ],
)
def test_an_unfinished_definition_is_a_definition(document: dict[str, object]) -> None:
    """The builder lists its mistakes."""
    found = import_text(json.dumps(document).encode())
    assert found.definition == document
    assert (found.account.left_out, found.account.changed) == ([], [])


def test_line_breaks_of_windows_become_those_of_unix() -> None:
    """Nobody can see the sign for a carriage return in a text field, or take it out there."""
    question = {"id": "a", "type": "yes_no", "text": {"en": "one\r\ntwo\rthree"}}
    found = import_text(json.dumps({"questions": [question]}).encode()).definition
    assert found["questions"][0]["text"] == {"en": "one\ntwo\nthree"}
