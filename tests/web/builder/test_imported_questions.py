"""What imports make of the options, rules and other settings of questions."""

import json
from typing import Any

import pytest

from deniable_sdk import compile_survey
from deniable_web.builder.imports.imported import Imported
from deniable_web.builder.imports.text import import_text
from deniable_web.builder.imports.xlsform import import_xlsform
from workbooks import Row, workbook

COLUMNS: Row = [
    "type", "name", "label", "appearance", "calculation", "read_only", "constraint", "parameters",
    "choice_filter", "required",
]  # fmt: skip


def surveyjs(*elements: dict[str, Any], **keys: object) -> Imported:
    """The import of a survey with these elements on one page."""
    return import_text(json.dumps({"title": "T", "elements": elements, **keys}).encode())


def xlsform(*rows: dict[str, str], choices: str = "abc", settings: str = "") -> Imported:
    """The import of a form with these rows, and a list of choices with these names."""
    listed: list[Row] = [["list_name", "name", "label"]]
    listed += [["l", name, f"{name.upper()}{index}"] for index, name in enumerate(choices)]
    named: list[Row] = [["form_title", "allow_choice_duplicates"], ["T", settings or "no"]]
    cells: list[Row] = [[row.get(str(column)) for column in COLUMNS] for row in rows]
    return import_xlsform(
        workbook({"survey": [COLUMNS, *cells], "choices": listed, "settings": named})
    )


def choice(name: str, **keys: object) -> dict[str, Any]:
    """A question of SurveyJS."""
    return {"type": "radiogroup", "name": name, "title": name, "choices": ["x", "y"], **keys}


def one_of(name: str, **cells: str) -> dict[str, str]:
    """A row of XLSForm with the list of choices."""
    return {"type": "select_one l", "name": name, "label": name, **cells}


def changed(found: Imported) -> dict[tuple[str, str], tuple[str, ...]]:
    """The details of each note of what was changed."""
    return {(note.name, note.reason): note.details for note in found.account.changed}


def left_out(found: Imported) -> dict[str, str]:
    """The reason for each question that was left out."""
    return {note.name: note.reason for note in found.account.left_out}


RULES: list[tuple[dict[str, object], str]] = [
    ({"requiredIf": "{b} = 'x'"}, "requiredIf: {b} = 'x'"),
    ({"enableIf": "{b} = 'x'"}, "enableIf: {b} = 'x'"),
    ({"choices": ["x", {"value": "y", "visibleIf": "{b} = 'y'"}]}, "visibleIf: {b} = 'y'"),
    ({"choicesVisibleIf": "{b} contains {item}"}, "choicesVisibleIf: {b} contains {item}"),
    ({"validators": [{"type": "text"}]}, "validators: text"),
]


@pytest.mark.parametrize(("keys", "rule"), RULES)
def test_rules_of_surveyjs_are_listed(keys: dict[str, object], rule: str) -> None:
    """The account names the rule as it is in the file."""
    found = surveyjs(choice("b"), choice("a", **keys))
    assert changed(found)["a", "rules"] == (rule,)


def test_triggers_of_surveyjs_are_listed() -> None:
    """They decide who is asked what."""
    trigger = {"type": "complete", "expression": "{a} = 'x'"}
    found = surveyjs(choice("a"), choice("b"), triggers=[trigger])
    assert changed(found)["", "rules"] == ("triggers: complete, {a} = 'x'",)


def test_rules_of_xlsform_are_listed() -> None:
    """Also those that are conditions where usually a word stands."""
    found = changed(
        xlsform(
            one_of("a"),
            one_of("b", constraint=". != ${a}"),
            one_of("c", choice_filter="name != ${a}"),
            one_of("d", required="${a} = 'a'"),
            one_of("e", read_only="${a} = 'a'"),
        )
    )
    assert {name: found[name, "rules"] for name in "bcde"} == {
        "b": ("constraint: . != ${a}",),
        "c": ("choice_filter: name != ${a}",),
        "d": ("required: ${a} = 'a'",),
        "e": ("read_only: ${a} = 'a'",),
    }


@pytest.mark.parametrize("answer", [False, 0, "x"])
def test_preset_answers_are_listed(answer: object) -> None:
    """They change what is counted, also if they are no or 0."""
    found = changed(surveyjs({"type": "boolean", "name": "a", "defaultValue": answer}))
    assert found["a", "settings"] == (f"defaultValue: {str(answer).lower()}",)


def test_a_key_with_two_names_is_read_once() -> None:
    """What the file has under its other name is listed."""
    names = {"maxRateDescription": "best", "maximumRateDescription": "good"}
    found = surveyjs({"type": "rating", "name": "a", **names})
    assert found.definition["questions"][0]["labels"] == {"5": "best"}
    assert changed(found)["a", "settings"] == ("maximumRateDescription: good",)


def test_questions_that_are_left_out_are_listed_with_all_their_words() -> None:
    """Also with those that only some kinds of questions have."""
    found = surveyjs(
        choice("a", visible=False, requiredErrorText="Please!", noneText="No one"),
        choice("b", choicesByUrl={"url": "x"}, commentText="Why?"),
        {"type": "expression", "name": "c", "description": "In all", "expression": "today()"},
    )
    words = {note.name: note.details for note in found.account.left_out}
    assert {"Please!", "No one"} <= {*words["a"]}
    assert "Why?" in words["b"]
    assert "In all" in words["c"]


def test_switches_that_are_off_are_not_listed() -> None:
    """They say what is usual."""
    found = surveyjs(choice("a", showCommentArea=False, hasOther=False, minSelectedChoices=0))
    assert {reason for _, reason in changed(found)} == {"epsilon"}


def test_a_field_for_comments_is_listed() -> None:
    """Free text cannot be randomized."""
    assert ("a", "comment") in changed(surveyjs(choice("a", showCommentArea=True)))


def test_options_in_random_order_stay_in_random_order() -> None:
    """Also a choice of yes and no, which has an order only as a choice."""
    row = {"parameters": "randomize=true"}
    for found in (
        xlsform(one_of("a", **row), {**one_of("b", **row), "type": "select_multiple l"}),
        surveyjs(
            choice("a", choices=["yes", "no"], choicesOrder="random"),
            choice("b", type="checkbox", choicesOrder="random"),
        ),
    ):
        first, second = found.definition["questions"]
        assert (first["type"], first["random_order"]) == ("choice", True)
        assert (second["type"], second["random_order"]) == ("multiple", True)
        compile_survey(found.definition)


def test_options_are_sorted_as_respondents_see_them() -> None:
    """SurveyJS sorts by text."""
    options = [{"value": 1, "text": "pear"}, {"value": 2, "text": "Apple"}]
    (question,) = surveyjs(choice("a", choices=options, choicesOrder="asc")).definition[
        "questions"
    ]
    assert [option["text"] for option in question["options"]] == ["Apple", "pear"]


def test_options_with_one_name_are_all_kept() -> None:
    """Nobody knows which of them a condition means, so it is listed."""
    found = xlsform(one_of("a"), choices="xyx", settings="yes")
    options = [{"id": "x_1", "text": "X0"}, {"id": "y", "text": "Y1"}, {"id": "x_2", "text": "X2"}]
    assert found.definition["questions"][0]["options"] == options
    assert changed(found)["a", "shortened"] == ("x_1", "x_2")
    found = surveyjs(
        choice("a", choices=["x|North", "x|South", "x|South", "y|East"]),
        choice("b", visibleIf="{a} = 'x'"),
    )
    options = [{"id": "x_1", "text": "North"}, {"id": "x_2", "text": "South"}]
    assert found.definition["questions"][0]["options"] == [*options, {"id": "y", "text": "East"}]
    assert ("b", "condition") in changed(found)


def test_long_options_that_begin_alike_are_all_kept() -> None:
    """An id has at most 200 characters, and so theirs would be one."""
    long = ["a" * 300 + ending for ending in "xy"]
    (question,) = surveyjs(choice("a", choices=long)).definition["questions"]
    assert [option["text"] for option in question["options"]] == long


@pytest.mark.parametrize("expression", ["{typ} = 'House'", "{TYP} == 'HOUSE'"])
def test_surveyjs_ignores_capitals_in_names_and_values(expression: str) -> None:
    """So does the import, in conditions."""
    options = ["house", "flat"]
    found = surveyjs(choice("Typ", choices=options), choice("b", visibleIf=expression))
    assert found.definition["questions"][1]["show_if"] == {"question": "typ", "is": ["house"]}


def test_xlsform_tells_names_by_their_capitals() -> None:
    """There the other spelling is another question."""
    rows: list[Row] = [
        ["type", "name", "label", "relevant"],
        ["acknowledge", "a", "a"], ["acknowledge", "A", "A"],
        ["acknowledge", "b", "b", "${A} = 'OK'"],
    ]  # fmt: skip
    found = import_xlsform(workbook({"survey": rows})).definition["questions"]
    assert found[2]["show_if"]["question"] == found[1]["id"]


@pytest.mark.parametrize(
    ("locale", "words"),
    [("de", ["Nichts davon", "Anderes"]), ("en", ["None", "Other"]), ("fi", ["None", "Other"])],
)
def test_added_options_are_in_the_language_of_the_survey(locale: str, words: list[str]) -> None:
    """For a language without these words, the account says so."""
    found = surveyjs(choice("a", showNoneItem=True, hasOther=True), locale=locale)
    options = found.definition["questions"][0]["options"]
    assert [option["text"] for option in options[2:]] == words
    assert (("", "texts") in changed(found)) == (locale == "fi")


def test_an_option_that_excludes_others_is_kept_and_listed() -> None:
    """In a definition respondents may choose others beside it."""
    found = surveyjs(choice("a", type="checkbox", showNoneItem=True, noneText="None of these"))
    options = found.definition["questions"][0]["options"]
    assert options[-1] == {"id": "none", "text": "None of these"}
    assert changed(found)["a", "rules"] == ("showNoneItem",)


def test_a_dropdown_may_offer_numbers() -> None:
    """They are not in a list."""
    found = surveyjs(
        {"type": "dropdown", "name": "a", "choicesMin": 2, "choicesMax": 8, "choicesStep": 3}
    )
    assert found.definition["questions"][0]["options"] == ["2", "5", "8"]


@pytest.mark.parametrize(
    "keys", [{"visible": False}, {"visible": False, "title": {"default": "A", "de": "B"}}]
)
def test_hidden_questions_are_left_out(keys: dict[str, object]) -> None:
    """Nobody was asked them, also if the panel around them is hidden."""
    found = surveyjs(choice("a", **keys), choice("b"))
    assert left_out(found) == {"a": "hidden"}
    panel = {"type": "panel", "name": "p", "elements": [choice("a")], "visible": False}
    assert left_out(surveyjs(panel, choice("b"))) == {"a": "hidden"}


def test_questions_that_can_only_be_read_are_left_out() -> None:
    """Without an answer there is nothing to randomize."""
    assert left_out(surveyjs(choice("a", readOnly=True), choice("b"))) == {"a": "read_only"}
    assert left_out(xlsform(one_of("a", read_only="yes"), one_of("b"))) == {"a": "read_only"}


def test_a_question_with_a_calculation_is_computed() -> None:
    """It is a score, or left out, but nobody is asked for it."""
    number = {"type": "integer", "constraint": ". >= 0 and . <= 9"}
    found = xlsform(
        {**number, "name": "a", "label": "Beer?"},
        {**number, "name": "b", "label": "Wine?"},
        {**number, "name": "t", "label": "In all", "calculation": "${a} + ${b}"},
        {**number, "name": "u", "label": "Twice", "calculation": "2 * ${a}", "read_only": "yes"},
    )
    assert [question["type"] for question in found.definition["questions"]] == [
        "number", "number", "score",
    ]  # fmt: skip
    assert left_out(found) == {"u": "computed"}


@pytest.mark.parametrize("appearance", ["search('fruits')", "minimal search('a', 'b', ${c})"])
def test_choices_from_elsewhere_are_left_out(appearance: str) -> None:
    """The list in the workbook has names of columns then."""
    rows = one_of("c"), one_of("a", appearance=appearance)
    assert left_out(xlsform(*rows)) == {"a": "no_options"}
    found = surveyjs(choice("c"), choice("a", choicesByUrl={"url": "https://example.org"}))
    assert left_out(found) == {"a": "no_options"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<span style='color:red'>How</span> <b>many</b>?", "How many?"),
        ("**How** many?", "How many?"),
        ("one<br>two\nthree", "one\ntwo\nthree"),
        ("less than <5 or > 7", "less than <5 or > 7"),
        ("2 ** 3 ** 2", "2 ** 3 ** 2"),
    ],
)
def test_formatting_is_taken_out_of_texts(text: str, expected: str) -> None:
    """Respondents would read its signs."""
    assert xlsform({**one_of("a"), "label": text}).definition["questions"][0]["text"] == expected
    (question,) = surveyjs(choice("a", title=text)).definition["questions"]
    assert question["text"] == expected
