"""Simulating and printing every kind of question, with real stores."""

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import pytest

from deniable_web.commands import run

DEFINITION = """\
title: A title
slug: work
epsilon: 4
ask: all
crosstabs: [[team, region]]
questions:
  - {id: works, type: yes_no, text: Do you work?, required: true}
  - {id: hours, type: number, min: -1, max: 2, step: 0.5, unit: {en: hours},
     text: {en: How long?}, show_if: {question: works, is: yes}}
  - {id: troubles, type: multiple, options: [noise, dust, heat], at_most: 2, text: What?}
  - {id: team, type: yes_no, text: A team?}
  - {id: region, type: choice, options: [north, south], text: Where?}
  - {id: mood, type: scale, levels: 3, lowest: 0, target: mean, text: Mood?}
"""
# The third row was not led to hours, whatever its cell says.
ROWS = """\
works,hours,troubles,team,region,mood
yes,-1,noise,yes,north,0
yes,1.50,noise; dust,no,south,2
no,2,none,no,,2
yes,,,yes,north,
"""
COPIES = 500
TRUE_SHARES = {
    ("works", "yes"): 3 / 4,
    ("works", "no"): 1 / 4,
    ("hours", "not asked or no_answer"): 2 / 4,
    ("troubles", "noise"): 2 / 4,
    ("troubles", "dust"): 1 / 4,
    ("troubles", "heat"): 0,
    ("troubles", "no_answer"): 1 / 4,
    ("team", "yes"): 2 / 4,
    ("team", "no"): 2 / 4,
    ("team", "no_answer"): 0,
    ("region", "north"): 2 / 4,
    ("region", "south"): 1 / 4,
    ("region", "no_answer"): 1 / 4,
    ("mood", "no_answer"): 1 / 4,
}
TRUE_CELLS = {
    ("yes", "north"): 2 / 4,
    ("no", "south"): 1 / 4,
    ("no", "no_answer"): 1 / 4,
}
# P(a normal estimate is further off) is 2e-11.
FURTHEST_SD = 6.7


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a definition and a table of 2,000 answers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "survey.yaml").write_text(DEFINITION)
    head, *rows = ROWS.splitlines(keepends=True)
    (tmp_path / "answers.csv").write_text(head + "".join(rows * COPIES))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Standard output of a command that succeeds."""
    capsys.readouterr()
    code = run(arguments)
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return captured.out


def simulated(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What `simulate --format json` prints."""
    document: dict[str, Any] = json.loads(
        printed(capsys, "simulate", "survey.yaml", "answers.csv", "--format", "json")
    )
    return document


def rows_of(text: str) -> list[dict[str, str]]:
    """The rows of a CSV table."""
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.usefixtures("folder")
def test_the_truth_of_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    """Shares, cells, means and quartiles of the table are exact, paths not taken left out."""
    document = simulated(capsys)
    assert document["reports"] == 4 * COPIES
    shares = {(each["question"], each["option"]): each["truth"] for each in document["estimates"]}
    assert {key: shares[key] for key in TRUE_SHARES} == TRUE_SHARES
    cells = {tuple(each["options"]): each["truth"] for each in document["crosstabs"]}
    assert {cell: share for cell, share in cells.items() if share} == TRUE_CELLS
    assert len(cells) == 3 * 3
    means = {each["question"]: (each["truth"], each["unit"]) for each in document["means"]}
    assert means == {
        "hours": (pytest.approx(0.25), {"en": "hours"}),
        "mood": (pytest.approx(4 / 3), None),
    }
    spreads = {each["question"]: each["quartiles"] for each in document["distributions"]}
    assert sorted(spreads) == ["hours", "mood"]
    assert [quartile["truth"] for quartile in spreads["hours"]] == ["-1", "-1", "1.5"]


@pytest.mark.usefixtures("folder")
def test_estimates_of_every_kind_come_near(capsys: pytest.CaptureFixture[str]) -> None:
    """Every estimate lies within its error, its interval says so, and intervals are counted."""
    document = simulated(capsys)
    found = [*document["estimates"], *document["crosstabs"], *document["means"]]
    assert document["intervals"] == len(found)
    assert document["covered"] == sum(each["covered"] for each in found)
    for each in found:
        value = each.get("share", each.get("value"))
        assert each["low"] < value < each["high"]
        assert each["covered"] == (each["low"] <= each["truth"] <= each["high"])
        if "share" in each:
            variance = each["mechanism_variance"] + each["sampling_variance"]
        else:
            variance = each["variance"]
        assert abs(value - each["truth"]) < FURTHEST_SD * math.sqrt(variance)
    # The mood is a scale of few places, which are not rounded for the mean.
    distances = [each["distance"] for each in document["distributions"]]
    assert len(distances) == 2
    assert all(0 < distance < 3 for distance in distances)


@pytest.mark.deep
@pytest.mark.usefixtures("folder")
def test_every_format_of_simulate(capsys: pytest.CaptureFixture[str]) -> None:
    """The table names everything; CSV has one row for each number, all with the same columns."""
    text = printed(capsys, "simulate", "survey.yaml", "answers.csv", "--store", "a.sqlite")
    for expected in ("work: 2,000 reports", "team_x_region", "no;south", "Means of those", "-1"):
        assert expected in text
    text = printed(
        capsys, "simulate", "survey.yaml", "answers.csv", "--store", "b.sqlite", "--format", "csv"
    )
    rows = rows_of(text)
    kinds = [row["kind"] for row in rows]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "option": 14,
        "cell": 9,
        "mean": 2,
        "quantile": 6,
        "distance": 2,
    }


@pytest.mark.usefixtures("folder")
def test_every_format_of_results(capsys: pytest.CaptureFixture[str]) -> None:
    """Results print shares, cells, means and quartiles as tables, CSV and JSON."""
    simulated(capsys)
    text = printed(capsys, "results", "work")
    for expected in ("work, edition 1: 2000 reports", "team_x_region", "hours", "quartiles"):
        assert expected in text
    rows = rows_of(printed(capsys, "results", "work", "--format", "csv"))
    document = json.loads(printed(capsys, "results", "work", "--format", "json"))
    options = [option for each in document["questions"] for option in each["options"]]
    assert [row["estimate"] for row in rows if row["kind"] == "option"] == [
        str(option["share"]) for option in options
    ]
    cells = document["crosstabs"][0]["cells"]
    assert [(row["option"], row["estimate"]) for row in rows if row["kind"] == "cell"] == [
        (";".join(cell["options"]), str(cell["share"])) for cell in cells
    ]
    means = {each["question"]: each["mean"] for each in document["questions"] if each["mean"]}
    assert {row["question"]: row["estimate"] for row in rows if row["kind"] == "mean"} == {
        name: str(mean["value"]) for name, mean in means.items()
    }
    quantiles = [(row["question"], row["option"]) for row in rows if row["kind"] == "quantile"]
    assert quantiles == [
        (name, part) for name in ("hours", "mood") for part in ("0.25", "0.5", "0.75")
    ]


def test_without_reports_there_are_no_numbers(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
) -> None:
    """A survey that nobody answered yet prints gaps, not zeros."""
    printed(capsys, "publish", "survey.yaml")
    assert "0 reports" in printed(capsys, "results", "work")
    rows = rows_of(printed(capsys, "results", "work", "--format", "csv"))
    assert {row["estimate"] for row in rows} == {""}
    assert (folder / "deniable.sqlite").exists()


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("yes,1,noise;dust;heat,,,", "'troubles' takes lists of at most 2 of its options"),
        ("yes,1,noise;zebrafinch,,,", "'troubles' takes lists of at most 2 of its options"),
        ("yes,1,noise;noise,,,", "'troubles' takes lists of at most 2 of its options"),
        ("yes,1.25,,,,", "'hours' takes the numbers from -1 to 2 in steps of 0.5"),
        ("no,zebrafinch,,,,", "'hours' takes the numbers from -1 to 2 in steps of 0.5"),
        (",,,,,", "'works' is required, and takes one of its options"),
    ],
)
def test_rows_that_do_not_fit(
    capsys: pytest.CaptureFixture[str], folder: Path, row: str, expected: str
) -> None:
    """A row is named by its line and what it may hold, on a path not taken too."""
    (folder / "answers.csv").write_text(ROWS + row + "\n")
    assert run(("simulate", "survey.yaml", "answers.csv")) == 1
    said = capsys.readouterr().err
    assert f"answers.csv:6: question {expected}" in said
    assert "zebrafinch" not in said
    assert not (folder / "deniable.sqlite").exists()


@pytest.mark.parametrize("option", ["none", "a;b", '" heat"'])
def test_options_that_no_cell_can_tell(
    capsys: pytest.CaptureFixture[str], folder: Path, option: str
) -> None:
    """An option that a cell could not tell from others is refused with what to do."""
    (folder / "survey.yaml").write_text(DEFINITION.replace("heat", option))
    assert run(("simulate", "survey.yaml", "answers.csv")) == 1
    said = capsys.readouterr().err
    assert f"the option {option.strip(chr(34))!r} of question 'troubles' cannot be" in said
    assert "give it another id, and a text" in said
