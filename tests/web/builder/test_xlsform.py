"""XLSForm workbooks become definitions, with a list of everything that was lost."""

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from deniable_sdk import compile_survey
from deniable_web.builder.imports.imported import UnreadableImport
from deniable_web.builder.imports.xlsform import import_xlsform
from workbooks import Row, workbook

HEADER: Row = [
    "type", "name", "label::English (en)", "label::Deutsch (de)", "required", "relevant",
    "constraint", "parameters", "calculation",
]  # fmt: skip
QUESTIONS: list[Row] = [
    ["start", "start"],
    ["note", "intro", "Welcome", "Willkommen"],
    ["select_one yes_no", "smokes", "Do you smoke?", "Rauchen Sie?", "yes"],
    ["integer", "cigarettes", "How many a day?", "Wie viele am Tag?", None,
     "${smokes} = 'yes'", ". >= 1 and . <= 80"],
    ["begin group", "illness", "Health", "Gesundheit", None, "${smokes} = 'yes'"],
    ["select_multiple ills", "ills", "Which do you have?", "Welche haben Sie?"],
    ["range", "pain", "How much pain?", "Wie starke Schmerzen?", None,
     "selected(${ills}, 'asthma')", None, "start=0 end=10 step=1"],
    ["end group"],
    ["text", "why", "Why?", "Warum?"],
    ["geopoint", "home", "Where do you live?", "Wo wohnen Sie?"],
    ["image", "picture", "A picture", "Ein Bild"],
    ["date", "born", "Born", "Geboren"],
    ["decimal", "weight", "Weight", "Gewicht", None, None, ". > 0 and . < ${cigarettes}"],
    ["rank ills", "order", "Order", "Reihenfolge"],
    ["begin repeat", "children", "Children", "Kinder"],
    ["integer", "age", "Age", "Alter"],
    ["end repeat"],
    ["calculate", "sum", None, None, None, None, None, None, "1 + 1"],
    ["acknowledge", "agree", "Do you agree?", "Sind Sie einverstanden?"],
]  # fmt: skip
CHOICES: list[Row] = [
    ["list_name", "name", "label::English (en)", "label::Deutsch (de)"],
    ["yes_no", "yes", "Yes", "Ja"],
    ["yes_no", "no", "No", "Nein"],
    ["ills", "asthma", "Asthma", "Asthma"],
    ["ills", "back", "Back pain", "Rückenschmerzen"],
]


def form(*questions: Row, choices: list[Row] = CHOICES, title: str = "Smoking") -> bytes:
    """The bytes of a workbook with these questions."""
    settings: list[Row] = [
        ["form_title", "form_id", "default_language"],
        [title, "f", "English (en)"],
    ]
    return workbook({"survey": [HEADER, *questions], "choices": choices, "settings": settings})


def test_a_whole_form_compiles_after_the_import() -> None:
    """What is imported is a legal definition in both languages."""
    survey = compile_survey(import_xlsform(form(*QUESTIONS)).definition)
    assert survey.slug == "smoking"
    assert sorted(survey.languages) == ["de", "en"]
    assert [(question.id, question.type) for question in survey.questions] == [
        ("smokes", "yes_no"), ("cigarettes", "number"), ("ills", "multiple"), ("pain", "scale"),
        ("weight", "number"), ("agree", "yes_no"),
    ]  # fmt: skip


def test_what_is_left_out_is_told_with_its_reason() -> None:
    """Nothing that cannot be protected disappears silently."""
    account = import_xlsform(form(*QUESTIONS)).account
    assert {note.name: note.reason for note in account.left_out} == {
        "start": "time",
        "why": "free_text",
        "home": "place",
        "picture": "file",
        "born": "time",
        "order": "order",
        "children": "repeated",
        "sum": "computed",
    }


def test_what_is_changed_is_told() -> None:
    """Rules that were dropped, and what was put in."""
    account = import_xlsform(form(*QUESTIONS)).account
    assert {(note.name, note.reason) for note in account.changed} == {
        ("", "epsilon"),
        ("", "texts"),
        ("weight", "rounded"),
        ("weight", "section"),
        ("weight", "rules"),
        ("weight", "bounds"),
    }


def test_left_out_questions_are_listed_with_their_words() -> None:
    """An author can tell which questions these were, also those of a repeated group."""
    account = import_xlsform(form(*QUESTIONS)).account
    words = {note.name: note.details for note in account.left_out}
    assert words["why"] == ("Why?", "Warum?")
    assert words["children"] == ("Children", "Kinder", "Age", "Alter")


def test_questions_keep_what_a_definition_can_say() -> None:
    """Bounds, labels, conditions of groups and required answers are there."""
    found = import_xlsform(form(*QUESTIONS)).definition
    questions = {each["id"]: each for each in found["questions"]}
    assert questions["smokes"]["required"] is True
    assert questions["smokes"]["labels"]["yes"] == {"en": "Yes", "de": "Ja"}
    assert (questions["cigarettes"]["min"], questions["cigarettes"]["max"]) == (1, 80)
    assert questions["cigarettes"]["show_if"] == {"question": "smokes", "is": ["yes"]}
    assert questions["ills"]["show_if"] == {"question": "smokes", "is": ["yes"]}
    assert questions["pain"]["show_if"] == {"question": "ills", "is": ["asthma"]}
    assert (questions["pain"]["lowest"], questions["pain"]["levels"]) == (0, 11)


def test_a_form_in_one_language_has_plain_texts() -> None:
    """Labels without a language are texts for all."""
    header: Row = ["type", "name", "label"]
    body = workbook({"survey": [header, ["integer", "age", "How old are you?"]]})
    question = import_xlsform(body).definition["questions"][0]
    assert question["text"] == "How old are you?"


def test_the_choice_of_another_answer_is_told() -> None:
    """Its text field is left out, the option itself stays."""
    body = form(["select_one ills or_other", "ill", "Which?", "Welche?"])
    found = import_xlsform(body)
    assert ("ill", "other") in {(note.name, note.reason) for note in found.account.changed}
    assert ("ill_other", "free_text") in {
        (note.name, note.reason) for note in found.account.left_out
    }


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"not a workbook", "not a workbook in the format"),
        (form(["select_one missing", "a", "A", "A"]), "not an XLSForm"),
    ],
)
def test_what_cannot_be_read_is_said(body: bytes, reason: str) -> None:
    """A file that is no form is refused in words."""
    with pytest.raises(UnreadableImport, match=reason):
        import_xlsform(body)


def test_a_workbook_that_unfolds_too_far_is_refused() -> None:
    """A few kilobytes may hold gigabytes; they are not unfolded."""
    body = BytesIO()
    with ZipFile(body, "w", ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * (33 << 20))
    with pytest.raises(UnreadableImport, match="larger than a form needs"):
        import_xlsform(body.getvalue())


def names(body: bytes) -> dict[str, str]:
    """The type of each question of a form, and the reason for each that was left out."""
    found = import_xlsform(body)
    asked = {question["id"]: question["type"] for question in found.definition["questions"]}
    return asked | {note.name: note.reason for note in found.account.left_out}


def test_rows_of_kobotoolbox_are_read() -> None:
    """Its scores are tables of choices; its rankings and matrices are listed."""
    header: Row = ["type", "name", "label", "kobo--score-choices", "kobo--rank-items", "$autoname"]
    rows: list[Row] = [
        header,
        ["begin_score", "s", "How are these?", "ills"],
        ["score__row", None, "Food", None, None, "food"],
        ["score__row", "park", "Parking"],
        ["end_score"],
        ["begin_rank", "r", "Best?", None, "ills"],
        ["rank__level", "r1", "First"],
        ["end_rank"],
        ["begin_kobomatrix", "k", "Things"],
        ["integer", "a", "How many?"],
        ["end_kobomatrix"],
    ]
    body = workbook({"survey": rows, "choices": [CHOICES[0], *CHOICES[3:]]})
    assert names(body) == {"food": "choice", "park": "choice", "r": "order", "k": "repeated"}
    first, second = import_xlsform(body).definition["questions"]
    assert first["section"]["title"]["en"] == "How are these?"
    assert "section" not in second
    assert {note.reason for note in import_xlsform(body).account.changed} == {"epsilon", "texts"}


def test_rows_that_only_pyxform_needs_are_not_listed() -> None:
    """Entities are declared in a sheet, which is listed, and pyxform adds a row for them."""
    rows: list[Row] = [["type", "name", "label"], ["integer", "a", "A?"]]
    entities: list[Row] = [["dataset", "label"], ["trees", "a"]]
    found = import_xlsform(workbook({"survey": rows, "entities": entities})).account
    assert found.left_out == []
    assert ("", "settings", ("entities",)) in {tuple(note) for note in found.changed}


def test_choices_of_another_sheet_are_left_out() -> None:
    """The sheet external_choices is a file for the device."""
    rows: list[Row] = [
        ["type", "name", "label", "choice_filter"],
        ["select_one yes_no", "a", "A?"],
        ["select_one_external towns", "b", "B?", "a=${a}"],
    ]
    external: list[Row] = [["list_name", "name", "a"], ["towns", "x", "yes"]]
    sheets = {"survey": rows, "choices": CHOICES, "external_choices": external}
    assert names(workbook(sheets)) == {"a": "yes_no", "b": "no_options"}


def test_ticks_of_a_range_label_its_levels() -> None:
    """They are in a list of choices."""
    rows: list[Row] = [
        ["type", "name", "label", "parameters"],
        ["range", "a", "A?", "start=0 end=2 step=1 tick_labelset=ticks"],
    ]
    ticks: list[Row] = [
        ["list_name", "name", "label"],
        ["ticks", "0", "low"],
        ["ticks", 2, "high"],
    ]
    (question,) = import_xlsform(workbook({"survey": rows, "choices": ticks})).definition[
        "questions"
    ]
    assert question["labels"] == {"0": "low", "2": "high"}


def test_a_group_that_can_only_be_read_asks_nothing() -> None:
    """Its heading is listed, because no question begins it."""
    rows: list[Row] = [
        ["type", "name", "label", "read_only"],
        ["begin group", "g", "Group", "yes"],
        ["integer", "a", "A?"],
        ["end group"],
    ]
    found = import_xlsform(workbook({"survey": rows})).account
    assert [(note.name, note.reason) for note in found.left_out] == [("a", "read_only")]
    assert ("g", "note", ("Group",)) in {tuple(note) for note in found.changed}
