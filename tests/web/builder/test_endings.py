"""Triggers of SurveyJS that end a survey: who is asked on later pages."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from deniable_web.builder.imports.text import import_text
from engines.endings import SURVEYS, answers

TABLE = Path(__file__).parents[2] / "engines" / "endings.json"
ROWS: list[Any] = json.loads(TABLE.read_text())


def asked(definition: Mapping[str, Any], given: Mapping[str, str | None]) -> str:
    """The names of the questions that a definition asks a respondent with these answers."""
    reached = ""
    for question in definition["questions"]:
        rule = question.get("show_if")
        if rule is None or (rule["question"] in reached and given[rule["question"]] in rule["is"]):
            reached += question["id"]
    return reached


def test_the_table_is_that_of_the_surveys() -> None:
    """After a change of a survey, engines/make.py writes a new table."""
    assert [document for document, _ in ROWS] == [document for document, _ in SURVEYS]


@pytest.mark.parametrize("place", range(len(SURVEYS)))
def test_a_trigger_ends_the_survey_for_the_same_people(place: int) -> None:
    """As survey-core does after all answers, or the trigger is listed."""
    document, is_said = SURVEYS[place]
    found = import_text(json.dumps(document).encode())
    listed = [note for note in found.account.changed if note.reason == "rules"]
    assert bool(listed) is not is_said
    if is_said:
        given = answers(document)
        assert [asked(found.definition, each) for each in given] == ROWS[place][1]
        assert [note for note in found.account.changed if note.reason == "condition"] == []
    else:
        routed = {each["id"] for each in found.definition["questions"] if "show_if" in each}
        assert routed <= {"b"}


def test_a_trigger_that_needs_too_much_work_is_listed() -> None:
    """As are the conditions before it."""
    names = [f"s{place}" for place in range(60)]
    switches = [{"type": "boolean", "name": name, "isRequired": True} for name in names]
    pairs = (f"({{s{place}}} = true and {{s{place + 30}}} = true)" for place in range(30))
    hard = {"type": "boolean", "name": "t", "visibleIf": " or ".join(pairs)}
    pages = [[*switches, hard], [{"type": "boolean", "name": "u"}]]
    found = import_text(
        json.dumps(
            {
                "pages": [{"elements": page} for page in pages],
                "triggers": [{"type": "complete", "expression": "{s0} = false"}],
            }
        ).encode()
    )
    reasons = {(note.name, note.reason) for note in found.account.changed}
    assert {("t", "condition"), ("", "rules")} <= reasons
    assert "show_if" not in found.definition["questions"][-1]
