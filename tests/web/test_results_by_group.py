"""deniable results --by-group, as people and programs use it."""

import csv
import io
import json
from pathlib import Path

import pytest

from analysis.invited_groups import ward
from analysis.study_files import Row, add_reports, close_survey, write_store
from deniable_analysis import open_study
from deniable_sdk import PublishedSurvey
from deniable_web.commands import run
from sample_definitions import scale, yes_no

SURVEY = ward(yes_no("harassed", required=True), scale("stress"), ask="all", epsilon=8)
SAID = {"nurses": 90, "doctors": 40}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A closed survey by invitation in the working folder; no cleaner reported."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "deniable.sqlite"
    write_ward(path, SURVEY)
    close_survey(path, SURVEY)
    return path


def write_ward(path: Path, published: PublishedSurvey) -> None:
    """Write a store with a third of each answer that is possible."""
    write_store(path, published)
    rows: list[Row] = [
        {"_group": group, "harassed": int(index % 3 == 0), "stress": index % 6}
        for group, count in SAID.items()
        for index in range(count)
    ]
    add_reports(path, published, rows)


def test_groups_are_printed_as_tables(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Response rates, shares, means and differences; who is missing is said beside them."""
    assert store.exists()
    assert run(["results", "ward", "--by-group"]) == 0
    printed = capsys.readouterr()
    assert "ward, edition 1: 130 reports (43.3% of 300 invited)" in printed.out
    for title in (
        "response rate",
        "harassed (yes_no) by group",
        "difference (holm)",
        "stress (scale) by group",
        "yes: all invited",
    ):
        assert title in printed.out
    assert "In all reports together each report counts the same" in printed.err
    assert "nurses - doctors" in printed.out
    assert (
        "no estimate for all invited: no report from cleaners; merge it with a group of "
        "similar people (merge)"
    ) in printed.out


def test_groups_can_be_merged(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON is that of the study, CSV has rows of groups with the same columns."""
    arguments = ["results", "ward", "--by-group", "--merge", "doctors,cleaners", "--format"]
    assert run([*arguments, "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    merge = [["doctors", "cleaners"]]
    found = open_study(store).estimate(by_group=True, merge=merge).to_document()
    assert {name: document[name] for name in found} == found
    assert run([*arguments, "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    kinds = {row["kind"] for row in rows}
    assert {"response", "group_option", "group_mean"} <= kinds
    merged = [row for row in rows if row["group"] == "doctors + cleaners"]
    (response,) = (row for row in merged if row["kind"] == "response")
    assert (response["reports"], response["estimate"]) == ("40", "0.4")
    (share, *_) = (row for row in rows if (row["group"], row["option"]) == ("all invited", "yes"))
    weighted = document["by_group"]["questions"][0]["all_invited"]["options"][0]
    assert float(share["estimate"]) == pytest.approx(weighted["share"])


def test_an_open_survey_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The error says to close it; without groups there are results, with the response rate."""
    path = tmp_path / "open.sqlite"
    write_ward(path, SURVEY)
    assert run(["results", "ward", "--store", str(path), "--by-group"]) != 0
    assert "survey 'ward' is not closed: while reports come in" in capsys.readouterr().err
    assert run(["results", "ward", "--store", str(path)]) == 0
    assert "130 reports (43.3% of 300 invited)" in capsys.readouterr().out
    assert run(["results", "ward", "--store", str(path), "--merge", "nurses,doctors"]) != 0
    assert "got some without results by group; ask for both" in capsys.readouterr().err
