"""deniable check, as people and programs use it, and the page about it."""

import csv
import io
import json
from pathlib import Path

import pytest

from deniable_web.commands import run
from deniable_web.forecast.advice import Caution

PAGE = Path(__file__).parents[3] / "docs" / "CHECK.md"
DEFINITION = """\
title: A title
slug: work
epsilon: 2
crosstabs: [[harassed, stress]]
questions:
  - {id: harassed, type: yes_no, text: Were you harassed?}
  - {id: stress, type: scale, levels: 5, text: How stressed are you?}
  - {id: hours, type: number, min: 0, max: 60, unit: hours, text: How long do you work?}
  - {id: why, type: multiple, options: [pay, peers, boss], text: Why would you leave?}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a definition."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "survey.yaml").write_text(DEFINITION)
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[str, str]:
    """What the command prints on standard output and standard error."""
    assert run(["check", "survey.yaml", *options]) == 0
    captured = capsys.readouterr()
    return captured.out, captured.err


@pytest.mark.usefixtures("folder")
def test_people_read_margins_privacy_and_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    """The table says in words what the survey gives and gives away, warnings last."""
    out, err = check(capsys, "--respondents", "2000", "--margin", "0.05")
    assert err == ""
    for words in (
        "share of a cell",
        "share of an option of harassed",
        "margin of 2,000",
        "±3 hours",
        "epsilon 2 in all",
        "asked 1 of 3 blocks, drawn by their own device: the design that needs the fewest",
        "The best test of two answers is then wrong in at least 12%",
        "Somebody who sees all 2,000 reports of the closed survey together, in random order",
    ):
        assert words in out
    last = out.strip().splitlines()[-1]
    assert last.startswith("Warning: hours: shares of single values cannot be estimated")


def test_an_early_end_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With its margin and questions, also for programs; without a rule nothing is."""
    said = "The survey closes early when every share of"
    assert said not in check(capsys)[0]
    (folder / "survey.yaml").write_text(f"{DEFINITION}stop_when: {{margin: 0.025}}\n")
    told = " ".join(check(capsys)[0].split())
    assert f"{said} harassed, stress, why has a margin of at most 0.025." in told
    found = json.loads(check(capsys, "--format", "json")[0])["stop_when"]
    assert found == {"margin": 0.025, "questions": ["harassed", "stress", "why"]}


def test_the_expected_respondents_are_forecast(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of the definition as if they were given; a given number replaces them."""
    as_json = "--format", "json", "--respondents"
    (folder / "survey.yaml").write_text(f"{DEFINITION}results: at_end\n")
    given = json.loads(check(capsys, *as_json, "700")[0])
    (folder / "survey.yaml").write_text(f"{DEFINITION}results: at_end\nrespondents: 700\n")
    few = json.loads(check(capsys, *as_json, "7")[0])
    expected = json.loads(check(capsys, *as_json[:2])[0])
    assert few["respondents"] == 7
    assert {**expected, "digest": ""} == {**given, "digest": ""}


def test_what_a_look_before_the_end_costs_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For each estimate too; with an end of its own a survey has one margin."""
    said = "margins are 1.6 times as wide"
    assert said in " ".join(check(capsys, "--respondents", "5000")[0].split())
    as_json = "--respondents", "5000", "--format", "json"
    for block in json.loads(check(capsys, *as_json)[0])["blocks"]:
        for each in block["estimates"]:
            assert 1.5 < each["margin_at_every_look"] / each["margin"] < 1.9
    (folder / "survey.yaml").write_text(f"{DEFINITION}results: at_end\n")
    assert "times as wide" not in check(capsys, "--respondents", "5000")[0]
    (block, *_) = json.loads(check(capsys, *as_json)[0])["blocks"]
    assert block["estimates"][0]["margin_at_every_look"] is None


@pytest.mark.usefixtures("folder")
def test_without_respondents_there_are_no_margins(capsys: pytest.CaptureFixture[str]) -> None:
    """Privacy is told, no margin, and how to get one."""
    out, err = check(capsys)
    assert "margin" not in out
    assert "Add --respondents N" in err


def test_the_design_is_told(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Who travels together, how likely each block is drawn, and what that saves."""
    questions = "".join(
        f"  - {{id: q{each}, type: yes_no, required: true, text: Were you?}}\n"
        for each in range(7)
    )
    head = "title: T\nslug: work\nepsilon: 4\n"
    (folder / "survey.yaml").write_text(f"{head}questions:\n{questions}")
    out, _ = check(capsys)
    assert "asked 1 of 2 blocks" in out
    told = out.replace("\n", " ")
    assert "Each respondent sees 3 to 4 of your 7 questions; their own device draws them." in told
    assert "together, so their crosstab comes free: q0, q1, and q2." in told
    assert "together, so their crosstab comes free: q3, q4, q5, and q6." in told
    assert "How likely each part is drawn: q0, q1, and q2 (44%); q3, q4, q5, and q6 (56%)." in told
    assert "1,157 respondents instead of 2,321 are enough for ±5 points" in told
    assert "Half the epsilon needs" in told
    out, _ = check(capsys, "--margin", "0.1")
    assert "respondents instead of 581 are enough for ±10 points" in out.replace("\n", " ")
    (folder / "survey.yaml").write_text(f"{head}ask: 1\nquestions:\n{questions}")
    out, _ = check(capsys)
    assert "together, so" not in out
    assert "How likely each part is drawn" not in out
    assert "respondents are enough for ±5 points" in out


def test_a_costly_number_of_blocks_is_told(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """The summary says how many times the respondents of the best design it needs."""
    (folder / "survey.yaml").write_text(DEFINITION.replace("epsilon: 2", "epsilon: 1\nask: all"))
    out, _ = check(capsys)
    assert "asked 3 of 3 blocks" in out
    assert "times the respondents of the best design" in out


@pytest.mark.parametrize("command", ["check", "publish"])
@pytest.mark.parametrize(
    ("keys", "got"), [("epsilon: 9", "got 9;"), ("epsilon: 9\nwaves: 4", "got 9 over 4 waves;")]
)
def test_more_than_a_device_gives_away_in_a_year_is_refused(
    capsys: pytest.CaptureFixture[str], folder: Path, command: str, keys: str, got: str
) -> None:
    """Above 8 the line is named and what to do, unless an app with a higher cap asks."""
    (folder / "survey.yaml").write_text(DEFINITION.replace("epsilon: 2", keys))
    for cap in ([], ["--yearly-cap", "8.99"]):
        assert run([command, "survey.yaml", *cap]) == 1
        said = capsys.readouterr().err
        assert (
            f"survey.yaml:3: epsilon: {got} devices allow {cap[-1] if cap else 8} in 365" in said
        )
        assert "--yearly-cap N" in said
    assert not (folder / "deniable.sqlite").exists()
    assert run([command, "survey.yaml", "--yearly-cap", "9"]) == 0
    captured = capsys.readouterr()
    assert "Warning: an epsilon of 9" in captured.out + captured.err


@pytest.mark.parametrize("command", ["check", "publish"])
def test_more_than_apps_take_for_one_survey_is_warned_of(
    capsys: pytest.CaptureFixture[str], folder: Path, command: str
) -> None:
    """From 4 to 8 it is said in words what it means; up to 4 nothing is."""
    for epsilon, is_warned in ((4, False), (5, True), (8, True)):
        (folder / "survey.yaml").write_text(
            DEFINITION.replace("epsilon: 2", f"epsilon: {epsilon}").replace("work", f"w{epsilon}")
        )
        assert run([command, "survey.yaml"]) == 0
        captured = capsys.readouterr()
        said = "apps refuse more than 4 for one survey" in captured.out + captured.err
        assert said == is_warned


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("cap", ["nan", "0", "11", "none"])
def test_a_yearly_cap_that_is_none_is_refused(
    capsys: pytest.CaptureFixture[str], cap: str
) -> None:
    """Only an epsilon is taken, and the refusal says so."""
    assert run(["check", "survey.yaml", "--yearly-cap", cap]) == 2
    assert "allowed is a number from 0.01 to 10" in capsys.readouterr().err


@pytest.mark.parametrize("margin", ["nan", "0", "1", "-0.1", "inf", "five"])
@pytest.mark.usefixtures("folder")
def test_a_margin_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], margin: str) -> None:
    """Only a number between 0 and 1 is taken, and the refusal says so."""
    assert run(["check", "survey.yaml", "--margin", margin]) == 2
    expected = f"got {margin}; allowed is a number above 0 and below 1, like 0.05"
    assert expected in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_programs_read_json(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON carries the warnings and nothing stands on standard error."""
    out, err = check(capsys, "--respondents", "2000", "--format", "json")
    document = json.loads(out)
    assert err == ""
    assert [block["block"] for block in document["blocks"]] == [
        "harassed_x_stress",
        "hours",
        "why",
    ]
    assert document["warnings"][-1]["warning"] == "shape_only"
    assert document["warnings"][-1]["blocks"] == ["hours"]


@pytest.mark.usefixtures("folder")
def test_csv_has_one_row_for_each_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    """Rows are flat, and warnings stay out of them."""
    out, err = check(capsys, "--respondents", "2000", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["estimate"] for row in rows] == ["cell", "marginal", "marginal", "mean", "option"]
    assert [row["question"] for row in rows] == ["", "harassed", "stress", "hours", "why"]
    assert rows[0]["questions"] == "harassed stress"
    assert float(rows[0]["belief_0.1_high"]) == pytest.approx(0.4508530603792838)
    assert "Warning: hours" in err


@pytest.mark.usefixtures("folder")
def test_the_page_names_every_key_and_warning(capsys: pytest.CaptureFixture[str]) -> None:
    """docs/CHECK.md has every key of the document and every kind of warning."""
    out, _ = check(capsys, "--respondents", "2000", "--margin", "0.05", "--format", "json")
    document = json.loads(out)
    block = document["blocks"][0]
    parts = (document, block, block["beliefs"][0], block["estimates"][0], document["warnings"][0])
    names = {key for part in parts for key in part} | {caution.value for caution in Caution}
    text = PAGE.read_text()
    assert [name for name in sorted(names) if f"`{name}`" not in text] == []


def test_facts_are_said_to_link(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """How far reports of one person can be matched, or, at the line, that they could too well."""
    fact = DEFINITION + "  - {id: %s, type: choice, text: Born in?, fixed: true, options: [%s]}\n"
    (folder / "survey.yaml").write_text(fact % ("decade", "'1970', '1980', '1990'"))
    out, _ = check(capsys, "--respondents", "2000")
    assert "Warning: decade: reports of one person can be matched up to 1 in " in out
    years = ", ".join(f"'{year}'" for year in range(1920, 2020))
    (folder / "survey.yaml").write_text(fact % ("year", years))
    assert run(["check", "survey.yaml"]) == 1
    line = len(fact.splitlines())
    said = capsys.readouterr().err
    assert f"line {line}" in said or f"survey.yaml:{line}" in said
    assert "devices repeat the values of fixed questions" in said
    assert "year more than 16; offer fewer options" in said


def test_a_wave_of_a_panel(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which wave it is, and what each and all of them take, is said in words."""
    assert "wave" not in check(capsys)[0]
    (folder / "survey.yaml").write_text(f"waves: 4\nwave: 2\n{DEFINITION}")
    out, _ = check(capsys)
    assert "wave 2 of 4: epsilon 0.5 in each, at most 2 over all" in out
    assert "work: epsilon 0.5 in this wave" in out
