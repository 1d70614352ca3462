"""Surveys of SurveyJS become definitions, with a list of everything that was lost."""

import json
from typing import Any

import pytest

from deniable_sdk import compile_survey
from deniable_web.builder.imports.imported import Imported
from deniable_web.builder.imports.text import import_text

# As its creator writes them: pages, panels, several languages, conditions.
SURVEY: dict[str, Any] = {
    "title": {"default": "Wellbeing at the clinic", "de": "Wohlbefinden in der Klinik"},
    "description": "Once a year",
    "locale": "en",
    "pages": [
        {
            "name": "page1",
            "elements": [
                {"type": "html", "name": "welcome", "html": "<b>Welcome</b>"},
                {
                    "type": "boolean",
                    "name": "burnout",
                    "title": {
                        "default": "Did you have a burnout?",
                        "de": "Hatten Sie ein Burnout?",
                    },
                    "labelTrue": "Yes, I did",
                    "isRequired": True,
                },
                {
                    "type": "checkbox",
                    "name": "helped",
                    "title": "What helped?",
                    "visibleIf": "{burnout} = true",
                    "choices": ["sleep", {"value": "talk", "text": "Talking to somebody"}],
                    "showOtherItem": True,
                    "maxSelectedChoices": 2,
                },
            ],
        },
        {
            "name": "page2",
            "elements": [
                {
                    "type": "panel",
                    "name": "work",
                    "visibleIf": "{burnout} anyof ['true', 'false']",
                    "elements": [
                        {
                            "type": "radiogroup",
                            "name": "Which ward?",
                            "choices": [
                                {"value": 1, "text": "Surgery"},
                                {"value": 2, "text": "ICU"},
                            ],
                        },
                        {"type": "comment", "name": "remarks"},
                    ],
                },
                {
                    "type": "rating",
                    "name": "nps",
                    "title": "Would you recommend us?",
                    "rateMin": 0,
                    "rateMax": 10,
                    "minRateDescription": "never",
                    "maxRateDescription": "certainly",
                },
                {
                    "type": "text",
                    "name": "shifts",
                    "inputType": "number",
                    "min": 0,
                    "max": 31,
                    "visibleIf": "{nps} > 5 and {burnout} = true",
                },
                {"type": "text", "name": "born", "inputType": "date"},
                {"type": "text", "name": "email"},
                {"type": "file", "name": "photo"},
                {
                    "type": "matrix",
                    "name": "rate",
                    "title": "How good is",
                    "columns": ["bad", "good"],
                    "rows": [{"value": "food", "text": "the food"}, "parking"],
                },
                {"type": "ranking", "name": "order", "choices": ["a", "b"]},
                {"type": "dropdown", "name": "country", "choicesByUrl": {"url": "x"}},
                {"type": "magic", "name": "wand"},
            ],
        },
    ],
}


def imported(document: object) -> Imported:
    """The import of a document, written as JSON."""
    return import_text(json.dumps(document).encode())


def of_one(**element: object) -> Imported:
    """The import of a survey with one question."""
    return imported({"elements": [{"name": "only", **element}]})


def in_both(text: str) -> dict[str, str]:
    """A text that the survey above has in one of its two languages only."""
    return {"en": text, "de": text}


def test_a_whole_survey_compiles_after_the_import() -> None:
    """What is imported is a legal definition, ready to be published."""
    survey = compile_survey(imported(SURVEY).definition)
    assert survey.slug == "wellbeing-at-the-clinic"
    assert [question.id for question in survey.questions] == [
        "burnout", "helped", "which_ward", "nps", "shifts", "rate_food", "rate_parking",
    ]  # fmt: skip
    assert [question.type for question in survey.questions] == [
        "yes_no", "multiple", "choice", "scale", "number", "choice", "choice",
    ]  # fmt: skip


def test_what_is_left_out_is_told_with_its_reason() -> None:
    """Nothing that cannot be protected disappears silently."""
    left_out = {note.name: note.reason for note in imported(SURVEY).account.left_out}
    assert left_out == {
        "remarks": "free_text",
        "born": "time",
        "email": "free_text",
        "photo": "file",
        "order": "order",
        "country": "no_options",
        "wand": "unknown",
    }


def test_what_is_changed_is_told() -> None:
    """Conditions that were dropped, texts that were put in, and names that are spelled anew."""
    changed = {(note.name, note.reason) for note in imported(SURVEY).account.changed}
    assert changed == {
        ("", "epsilon"),
        ("", "texts"),
        ("helped", "other"),
        ("Which ward?", "renamed"),
        ("shifts", "condition"),
        ("rate", "split"),
    }


def test_questions_keep_what_a_definition_can_say() -> None:
    """Options, bounds, labels, languages, conditions and pages are there."""
    questions = {each["id"]: each for each in imported(SURVEY).definition["questions"]}
    assert questions["burnout"]["required"] is True
    assert questions["burnout"]["text"]["de"] == "Hatten Sie ein Burnout?"
    assert questions["helped"]["show_if"] == {"question": "burnout", "is": ["yes"]}
    assert questions["helped"]["at_most"] == 2
    assert questions["helped"]["options"][1:] == [
        {"id": "talk", "text": in_both("Talking to somebody")},
        {"id": "other", "text": in_both("Other")},
    ]
    assert questions["which_ward"]["new_page"] is True
    assert questions["which_ward"]["options"][0] == {"id": "1", "text": in_both("Surgery")}
    assert questions["nps"]["labels"] == {"0": in_both("never"), "10": in_both("certainly")}
    assert (questions["nps"]["lowest"], questions["nps"]["levels"]) == (0, 11)
    assert "show_if" not in questions["shifts"]
    assert questions["rate_food"]["text"] == in_both("How good is – the food")


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ("{a} = 'x'", ["x"]),
        ("{a} == \"x\" or {a} = 'y'", ["x", "y"]),
        ("{a} anyof ['x', 'z']", ["x", "z"]),
        ("{a} contains 'x'", ["x"]),
        ("{a} = 'x' and {b} = 'y'", None),
        ("{a} <> 'x'", None),
        ("{a} notempty", ["x", "y", "z"]),
        ("{a} = 'unknown'", None),
        ("{nobody} = 'x'", None),
    ],
)
def test_conditions_are_taken_over_or_told(condition: str, wanted: list[str] | None) -> None:
    """A condition on one earlier question is kept, any other is dropped and told."""
    found = imported(
        {
            "elements": [
                {"type": "radiogroup", "name": "a", "choices": ["x", "y", "z"]},
                {"type": "boolean", "name": "b", "visibleIf": condition},
            ]
        }
    )
    question = found.definition["questions"][1]
    assert question.get("show_if", {}).get("is") == wanted
    is_told = any(note.reason == "condition" for note in found.account.changed)
    assert is_told is (wanted is None)


def test_a_number_without_bounds_gets_some_and_tells() -> None:
    """A number must end somewhere; whoever imports it is asked to look."""
    found = of_one(type="text", inputType="number")
    assert found.definition["questions"][0]["min"] == 0
    assert ("only", "bounds") in {(note.name, note.reason) for note in found.account.changed}


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ({"type": "rating"}, {"type": "scale", "levels": 5}),
        ({"type": "rating", "rateValues": ["a", "b"]}, {"type": "choice"}),
        ({"type": "rating", "rateMin": 0, "rateMax": 1, "rateStep": 0.5}, {"type": "number"}),
        ({"type": "slider", "min": 5, "max": 9}, {"type": "number", "min": 5, "max": 9}),
        ({"type": "radiogroup", "choices": ["yes", "no"]}, {"type": "yes_no"}),
        ({"type": "imagepicker", "choices": [1, 2], "multiSelect": True}, {"type": "multiple"}),
        ({"type": "dropdown", "choices": ["no_answer", "b"]}, {"type": "choice"}),
    ],
)
def test_other_kinds_find_their_like(element: Any, expected: dict[str, object]) -> None:
    """Each kind that can be protected becomes the kind that asks the same."""
    found = of_one(**element).definition
    assert expected.items() <= found["questions"][0].items()
    assert compile_survey({**found, "title": "T"}).questions[0].id == "only"
