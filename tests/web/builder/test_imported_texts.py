"""The texts of imported surveys: none is lost, and all are in the same languages."""

import json
from typing import Any

import pytest

from deniable_sdk import compile_survey
from deniable_web.builder.imports.imported import Imported, UnreadableImport
from deniable_web.builder.imports.languages import find_tag
from deniable_web.builder.imports.text import import_text
from deniable_web.builder.imports.xlsform import import_xlsform
from deniable_web.builder.tasks import list_problems
from workbooks import Row, workbook

CHOICES: list[Row] = [["list_name", "name", "label"], ["l", "a", "Apple"], ["l", "b", "Pear"]]


def surveyjs(*elements: dict[str, Any], **keys: object) -> Imported:
    """The import of a survey with these elements on one page."""
    return import_text(json.dumps({"title": "T", "elements": elements, **keys}).encode())


def xlsform(
    *rows: Row, choices: list[Row] = CHOICES, settings: dict[str, str] | None = None
) -> Imported:
    """The import of a form with these rows, the first of which names the columns."""
    named = {"form_title": "T", **(settings or {})}
    sheets: dict[str, list[Row]] = {
        "survey": [*rows],
        "choices": choices,
        "settings": [[*named], [*named.values()]],
    }
    return import_xlsform(workbook(sheets))


def boolean(name: str, **keys: object) -> dict[str, Any]:
    """A question of SurveyJS."""
    return {"type": "boolean", "name": name, **keys}


def notes(found: Imported) -> dict[tuple[str, str], tuple[str, ...]]:
    """The details of each note of what was changed."""
    return {(note.name, note.reason): note.details for note in found.account.changed}


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("English", "en"), ("Deutsch (de)", "de"), ("Français", "fr"), ("العربية", "ar"),
        ("Kiswahili", "sw"), ("pt_BR", "pt-BR"), ("Portuguese (pt_BR)", "pt-BR"),
        ("zh-Hans-CN", "zh-Hans-CN"), ("zh-cn", "zh-CN"), ("English (UK)", "en"),
        ("EN", "en"), ("Nobody's", None), ("", None),
    ],
)  # fmt: skip
def test_a_language_has_one_tag_whatever_a_file_calls_it(name: str, tag: str | None) -> None:
    """Names in many languages, tags in brackets and tags alone are understood."""
    assert find_tag(name) == tag


@pytest.mark.parametrize(
    ("languages", "tags"),
    [
        (("English", "French"), ["en", "fr"]),
        (("English (en)", "Português (pt_BR)"), ["en", "pt-BR"]),
        (("zh-Hans-CN", "zh-Hant-TW"), ["zh-Hans-CN", "zh-Hant-TW"]),
        (("Elvish", "Dwarvish"), ["qaa", "qab"]),
    ],
)
def test_texts_of_all_languages_are_kept(languages: tuple[str, str], tags: list[str]) -> None:
    """A language without a usual name has a tag for private use, which is listed."""
    labels = [f"label::{language}" for language in languages]
    choices: list[Row] = [["list_name", "name", *labels], ["l", "a", "Yes", "Oui"]]
    choices.append(["l", "b", "No", "Non"])
    rows: list[Row] = [["type", "name", *labels], ["select_one l", "q", "Well?", "Bien ?"]]
    found = xlsform(*rows, choices=choices, settings={"default_language": languages[0]})
    (question,) = found.definition["questions"]
    assert question["text"] == dict(zip(tags, ("Well?", "Bien ?"), strict=True))
    assert question["options"][0]["text"] == dict(zip(tags, ("Yes", "Oui"), strict=True))
    listed = notes(found).get(("", "languages"), ())
    assert listed == (("Elvish: qaa", "Dwarvish: qab") if tags == ["qaa", "qab"] else ())


def test_texts_without_a_language_beside_others_are_kept() -> None:
    """They are taken for English, and the author is asked to check."""
    header: Row = ["type", "name", "label", "label::French (fr)"]
    found = xlsform(header, ["integer", "q", "How many?", "Combien ?"])
    assert found.definition["questions"][0]["text"] == {"en": "How many?", "fr": "Combien ?"}
    assert notes(found)["", "languages"] == ("en",)


def test_columns_of_one_language_may_come_first() -> None:
    """Then pyxform alone would replace their texts by those without a language."""
    header: Row = ["type", "name", "label::French (fr)", "label"]
    found = xlsform(header, ["integer", "q", "Combien ?", "How many?"])
    assert found.definition["questions"][0]["text"] == {"en": "How many?", "fr": "Combien ?"}
    settings = {"default_language": "French (fr)"}
    found = xlsform(header, ["integer", "q", "Combien ?", "How many?"], settings=settings)
    assert found.definition["questions"][0]["text"] == {"en": "How many?", "fr": "Combien ?"}


def test_two_texts_for_one_language_are_listed() -> None:
    """One is used, and the account has the other."""
    header: Row = ["type", "name", "label::English", "label::English (en)"]
    found = xlsform(header, ["integer", "q", "How many?", "How much?"])
    assert "How many?" in json.dumps(found.definition)
    assert notes(found)["q", "languages"] == ("English (en): How much?",)


def test_questions_and_answers_have_the_same_languages() -> None:
    """A plain option of a survey in two languages is completed like any other text."""
    header: Row = ["type", "name", "label::English (en)", "label::French (fr)"]
    found = xlsform(header, ["select_one l", "q", "Which?", "Lequel ?"])
    assert found.definition["questions"][0]["options"] == [
        {"id": "a", "text": {"en": "Apple", "fr": "Apple"}},
        {"id": "b", "text": {"en": "Pear", "fr": "Pear"}},
    ]
    assert ("", "texts") in notes(found)
    assert sorted(compile_survey(found.definition).languages) == ["en", "fr"]


def test_the_default_of_surveyjs_is_english_beside_its_own_locale() -> None:
    """Then the default cannot be in the language of the survey, which has a text of its own."""
    title = {"default": "Well?", "de": "Wohl?"}
    found = surveyjs(boolean("a", title=title), locale="de", title=title)
    assert found.definition["questions"][0]["text"] == {"en": "Well?", "de": "Wohl?"}


@pytest.mark.parametrize("hint", ["Count unpaid days", "Count\r\nunpaid days"])
def test_hints_and_descriptions_help(hint: str) -> None:
    """They change what is counted."""
    found = [
        xlsform(["type", "name", "label", "hint"], ["integer", "q", "How many?", hint]),
        surveyjs(boolean("q", description=hint)),
    ]
    helps = [each.definition["questions"][0]["help"] for each in found]
    assert helps == [hint.replace("\r\n", "\n")] * 2


def test_signs_that_nobody_sees_are_taken_out() -> None:
    """Line breaks of Windows, in workbooks too, and marks for the direction of writing."""
    found = [
        xlsform(["type", "name", "label"], ["acknowledge", "q", "one_x000D_\ntwo\u202b!\u202c"]),
        surveyjs(boolean("q", title="one\r\ntwo\u202b!\u202c")),
    ]
    assert [each.definition["questions"][0]["text"] for each in found] == ["one\ntwo!"] * 2
    found_options = surveyjs({"type": "dropdown", "name": "q", "choices": ["a\r\nb", "c\u202b"]})
    assert found_options.definition["questions"][0]["options"] == ["a\nb", "c"]
    assert list_problems(json.dumps({"definition": found_options.definition}).encode()) == b"[]\n"


def test_names_in_place_of_titles_are_words() -> None:
    """Parts of a question without a title show their names."""
    items = [{"name": "City"}, {"name": "x", "title": "Street"}]
    found = surveyjs(boolean("q"), {"type": "multipletext", "name": "where", "items": items})
    assert [tuple(note) for note in found.account.left_out] == [
        ("where", "free_text", ("City", "Street"))
    ]


def test_a_file_in_more_than_100_languages_is_refused() -> None:
    """Each text would be completed in all of them."""
    title = {f"aa-{number:06}": "x" for number in range(101)}
    with pytest.raises(UnreadableImport, match="more than 100 languages; remove some"):
        surveyjs(boolean("q", title=title))


def test_titles_of_groups_become_sections() -> None:
    """A group inside another one has both titles, and a text below a title becomes its note."""
    panel = {"type": "panel", "name": "p", "title": "Inner", "elements": [boolean("b")]}
    page = {"name": "g", "title": "Outer", "description": "Last week",
            "elements": [boolean("a"), panel, boolean("c")]}  # fmt: skip
    found = [
        import_text(json.dumps({"title": "T", "pages": [page]}).encode()),
        xlsform(
            ["type", "name", "label", "hint"],
            ["begin group", "g", "Outer", "Last week"], ["acknowledge", "a", "a"],
            ["begin group", "p", "Inner"], ["acknowledge", "b", "b"], ["end group"],
            ["acknowledge", "c", "c"], ["end group"],
        ),
    ]  # fmt: skip
    for each in found:
        assert [question.get("section") for question in each.definition["questions"]] == [
            {"title": "Outer", "note": "Last week"},
            {"title": "Outer – Inner"},
            {"title": "Outer"},
        ]


def test_a_question_after_a_section_is_listed() -> None:
    """In a definition a section ends only where the next one begins."""
    panel = {"type": "panel", "name": "p", "title": "Work", "elements": [boolean("a")]}
    found = surveyjs(panel, boolean("b"), boolean("c"))
    assert [key for key in notes(found) if key[1] == "section"] == [("b", "section")]


def test_a_heading_without_questions_is_listed() -> None:
    """Its questions were left out, and so its words are in no section."""
    inner = {"type": "comment", "name": "c", "title": "Say more"}
    panel = {"type": "panel", "name": "p", "title": "Work", "elements": [inner]}
    found = surveyjs(boolean("a"), panel)
    assert notes(found)["p", "note"] == ("Work",)
    assert [tuple(note) for note in found.account.left_out] == [("c", "free_text", ("Say more",))]


@pytest.mark.parametrize("title", [" ", {"default": " "}])
def test_the_title_of_a_panel_may_be_the_question(title: object) -> None:
    """SurveyJS shows it above a question whose own title is blank."""
    panel = {"type": "panel", "name": "p", "title": "Fruit?",
             "elements": [boolean("a", title=title)]}  # fmt: skip
    (question,) = surveyjs(panel).definition["questions"]
    assert question["text"] == "Fruit?"
    assert "section" not in question


def test_a_heading_is_the_text_of_its_only_question_or_listed() -> None:
    """Not of a panel inside it, and not of a question that was left out."""
    blank = {"name": "c", "title": " "}
    for inner in (
        {"type": "comment", **blank},
        {"type": "panel", **blank, "elements": [{"type": "comment", "name": "d"}]},
    ):
        found = surveyjs(
            {"type": "panel", "name": "p", "title": "Fruit?", "elements": [inner]}, boolean("a")
        )
        assert notes(found)["p", "note"] == ("Fruit?",)
    found = xlsform(
        ["type", "name", "label", "hint"],
        ["begin group", "g", "Work", "Last week"], ["acknowledge", "a", "a"],
        ["begin group", "h", "Fruit?", "Any"], ["acknowledge", "b"], ["end group"],
        ["begin group", "i", "Meat?"], ["acknowledge", "d", None, "A hint"], ["end group"],
        ["acknowledge", "c", "c"], ["end group"],
    )  # fmt: skip
    questions = found.definition["questions"]
    assert [question["text"] for question in questions] == ["a", "Fruit?", "A hint", "c"]
    assert ["section" in question for question in questions] == [True, False, True, True]
    assert notes(found)["h", "note"] == ("Any",)


def test_a_text_before_the_first_question_introduces_the_survey() -> None:
    """Later ones, and those that only some people see, are listed with their words."""
    found = [
        xlsform(
            ["type", "name", "label", "relevant"],
            ["note", "n1", "Welcome"], ["note", "n2", "Your data are safe"],
            ["acknowledge", "a", "a"], ["note", "n3", "Thanks"],
        ),
        surveyjs(
            {"type": "html", "name": "n1", "html": "<style>p{}</style><b>Wel</b>come"},
            {"type": "html", "name": "n2", "html": "<p>Your data <i>are</i>\nsafe</p>"},
            boolean("a"),
            {"type": "html", "name": "n3", "html": "Thanks"},
        ),
    ]  # fmt: skip
    for each in found:
        assert each.definition["introduction"] == "Welcome\n\nYour data are safe"
        assert notes(each)["n3", "note"] == ("Thanks",)


def test_the_last_page_of_surveyjs_thanks() -> None:
    """Addresses of links are words, too."""
    html = "<h3>Thank you!</h3><p>Help: <a href='https://help.example.org'>here</a></p>"
    found = surveyjs(boolean("a"), completedHtml=html).definition
    assert found["thanks"] == "Thank you!\nHelp: https://help.example.org here"


def test_references_in_texts_are_listed() -> None:
    """Respondents would read the signs."""
    found = xlsform(
        ["type", "name", "label", "hint"],
        ["select_one l", "a", "Which?"],
        ["integer", "b", "How many ${a}?", "of ${a} and ${c}"],
        ["integer", "c", "And?"],
    )
    assert notes(found)["b", "reference"] == ("${a}", "${c}")
    found = surveyjs(boolean("a"), boolean("b", title="Since {a}?", labelTrue="Yes, {panel.x}"))
    assert set(notes(found)["b", "reference"]) == {"{a}", "{panel.x}"}


def test_no_title_is_invented() -> None:
    """Neither the id of a form nor pyxform's own name for it becomes the title."""
    rows: list[Row] = [["type", "name", "label"], ["integer", "a", "A?"]]
    unnamed: list[Row] = [["form_id"], ["hh_v2"]]
    for body in (workbook({"survey": rows}), workbook({"survey": rows, "settings": unnamed})):
        assert import_xlsform(body).definition["title"] == ""
    named: list[Row] = [["form_id", "form_title"], ["same", "same"]]
    found = import_xlsform(workbook({"survey": rows, "settings": named}))
    assert found.definition["title"] == "same"


def test_a_question_without_a_text_is_listed() -> None:
    """The form shows its name, which the author replaces."""
    found = xlsform(["type", "name", "label"], ["integer", "n_17"])
    assert found.definition["questions"][0]["text"] == "n_17"
    assert ("n_17", "untitled") in notes(found)


def test_headings_of_tables_are_no_questions() -> None:
    """The row that only prints them becomes the heading of the rows below it."""
    found = xlsform(
        ["type", "name", "label", "appearance"],
        ["begin group", "g", None, "field-list"],
        ["select_one l", "head", "How often were you hit by", "label"],
        ["select_one l", "row1", "a patient", "list-nolabel"],
        ["select_one l", "row2", "a colleague", "w4 list-nolabel"],
        ["end group"],
    )
    first, second = found.definition["questions"]
    assert (first["id"], second["id"]) == ("row1", "row2")
    assert first["section"] == {"title": "How often were you hit by"}


def test_the_label_of_a_table_list_is_its_heading() -> None:
    """A note and a row that pyxform adds to it are neither listed nor asked."""
    found = xlsform(
        ["type", "name", "label", "hint", "appearance"],
        ["begin group", "g", "How often?", "Last week", "table-list"],
        ["select_one l", "row1", "Fruit"],
        ["select_one l", "row2", "Meat"],
        ["end group"],
    )
    first, second = found.definition["questions"]
    assert (first["id"], second["id"]) == ("row1", "row2")
    assert first["section"] == {"title": "How often?", "note": "Last week"}
    assert {key[1] for key in notes(found)} == {"epsilon"}
