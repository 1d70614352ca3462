"""deniable plan with a definition: respondents, margins and epsilon of all its questions."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk.survey.definition import Definition
from deniable_web.commands import run
from deniable_web.forecast.survey import forecast
from sample_definitions import choice, definition, number, scale, yes_no

CROSSED = definition(
    *(yes_no("a"), choice("b", 4), scale("c"), number("d", target="mean")),
    crosstabs=[["a", "b"]],
    epsilon=2,
)
JOINED = definition(*(yes_no(f"q{place}", required=True) for place in range(7)), epsilon=4)

Plan = Callable[..., dict[str, Any]]


@pytest.fixture
def plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Plan:
    """The document of a plan of a definition."""

    def planned(document: object, *arguments: str) -> dict[str, Any]:
        path = tmp_path / "survey.json"
        path.write_text(json.dumps(document))
        assert run(("plan", str(path), *arguments, "--format", "json")) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return planned


@pytest.fixture
def refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a command says of a plan that is not possible."""

    def said(document: object, *arguments: str) -> str:
        path = tmp_path / "survey.json"
        path.write_text(json.dumps(document))
        assert run(("plan", str(path), *arguments)) == 1
        return capsys.readouterr().err

    return said


@pytest.mark.parametrize("document", [CROSSED, JOINED])
def test_the_numbers_are_those_of_the_forecast(plan: Plan, document: object) -> None:
    """Respondents for a margin, and each question's margin with so many of them."""
    found = plan(document, "--margin", "0.08")
    author = Definition.from_document(document)
    told = forecast(author, found["respondents"], 0.08)
    assert (found["respondents"], found["respondents_alone"]) == (
        told.needs.respondents,
        told.needs.alone,
    )
    rows = {(row["block"], row["question"]): row for row in found["questions"]}
    for block in told.blocks:
        for estimate in block.estimates if len(block.questions) > 1 else block.estimates[:1]:
            name = estimate.question or " × ".join(block.questions)
            row = rows.pop((block.block, name))
            assert row["margin"] == pytest.approx(estimate.margin)
            assert row["respondents"] == estimate.respondents_for_margin
            assert (row["unit"], row["estimate"]) == (estimate.unit, estimate.estimated.value)
    assert not rows


@pytest.mark.parametrize("document", [CROSSED, JOINED])
def test_a_margin_and_its_respondents_lead_back_to_each_other(
    plan: Plan, document: object
) -> None:
    """The margin of the needed respondents is the wanted one, rounded to whole people."""
    found = plan(document, "--margin", "0.05")
    back = plan(document, "--respondents", str(found["respondents"]))
    assert back["margin"] <= 0.05
    assert back["margin"] == pytest.approx(0.05, rel=0.01)
    assert back["margin_alone"] >= back["margin"]
    assert back["epsilon"] == back["epsilon_of_definition"] == found["epsilon"]
    assert {row["respondents"] for row in back["questions"]} == {None}


@pytest.mark.parametrize("document", [CROSSED, JOINED])
def test_the_epsilon_is_the_least_that_is_enough(plan: Plan, document: object) -> None:
    """With it the respondents are enough, and with a hundredth less they are not."""
    needed = plan(document, "--margin", "0.05")["respondents"]
    people = str(needed * 2)
    found = plan(document, "--margin", "0.05", "--respondents", people)
    epsilon = float(found["epsilon"])
    assert epsilon < float(found["epsilon_of_definition"])
    enough = plan(document, "--margin", "0.05", "--epsilon", found["epsilon"])
    short = plan(document, "--margin", "0.05", "--epsilon", f"{epsilon - 0.01:.2f}")
    assert enough["respondents"] <= needed * 2 < short["respondents"]


def test_the_expected_respondents_of_a_definition_are_taken(plan: Plan) -> None:
    """Where neither respondents nor a margin is wished for, and not instead of a wish."""
    document = {**JOINED, "respondents": 900}
    assert plan(document)["respondents"] == 900
    assert plan(document, "--respondents", "300")["respondents"] == 300
    assert plan(document, "--margin", "0.05") == plan(JOINED, "--margin", "0.05")


def test_the_epsilon_of_a_panel_is_that_of_all_its_waves(plan: Plan) -> None:
    """A panel of two waves needs twice the epsilon of one survey for the same margins."""
    panel = {**JOINED, "waves": 2, "wave": 1, "epsilon": 4}
    once = {**JOINED, "epsilon": 2}
    assert (
        plan(panel, "--margin", "0.05")["respondents"]
        == plan(once, "--margin", "0.05")["respondents"]
    )


def test_people_read_a_table_and_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same sentence as in check; each wish has one of its own."""
    path = tmp_path / "survey.json"
    path.write_text(json.dumps(JOINED))
    for arguments, words in (
        (("--margin", "0.05"), "At epsilon 4: 1,157 respondents instead of 2,321 are enough for"),
        (("--respondents", "1157"), "1,157 respondents give ±5 points instead of ±7.08 points"),
        (("--respondents", "2321", "--margin", "0.05"), "the definition has epsilon 4."),
    ):
        assert run(("plan", str(path), *arguments)) == 0
        out, err = capsys.readouterr()
        assert words in err
        assert "At epsilon" in err
        assert ("respondents" in out) == ("--margin" in arguments)
    assert run(("plan", str(path), "--margin", "0.05", "--format", "csv")) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["question"] for row in rows] == [f"q{place}" for place in range(7)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "add --margin for the respondents that the questionnaire needs"),
        (("--margin", "5"), "--margin: got 5; allowed is a number above 0 and below 1, like 0.05"),
        (("--margin", "nan"), "--margin: got nan; allowed is a number above 0"),
        (("--respondents", "0"), "respondents: got 0; allowed"),
        (("--epsilon", "11", "--margin", "0.1"), "--epsilon: got '11'; allowed is a number from"),
        (
            ("--epsilon", "1", "--margin", "0.1", "--respondents", "9"),
            "got --epsilon, --respondents and --margin; drop the one to be computed",
        ),
        (("--margin", "0.1", "--share", "0.3"), "--share does not go with a definition: drop it"),
        (("--margin", "0.1", "--design", "1", "0"), "--design does not go with a definition"),
        (
            ("--margin", "0.01", "--respondents", "9"),
            "not even epsilon 10 is enough for ±1 points",
        ),
    ],
)
def test_what_is_no_plan_is_refused(
    refused: Callable[..., str], arguments: tuple[str, ...], words: str
) -> None:
    """Each error says what is allowed."""
    assert words in refused(JOINED, *arguments)


def test_a_wrong_definition_is_refused_with_its_line(refused: Callable[..., str]) -> None:
    """As in check."""
    assert "survey.json:1: questions: " in refused({**JOINED, "questions": []}, "--margin", "0.1")
