"""The demo: the whole path on real answers, over real HTTP."""

import csv
import json
import math
import os
import sqlite3
import statistics
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from demo_chart import covered, demo_figure, drawn
from deniable_analysis import open_study
from deniable_collector.store import open_store
from deniable_web.commands.demo_answers import PEOPLE, invented_person
from deniable_web.commands.invited_demo import RESPONSE
from png_files import small_png
from viewports import SCHEMES

INVITED = {"free": 240, "deductible": 160}

# P(a normal estimate is further off) is 2e-9, for 30 estimates 6e-8.
FURTHEST_SD = 6.0


@pytest.fixture(scope="module")
def demo(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """One run of `deniable demo --format json` in an empty folder."""
    folder = tmp_path_factory.mktemp("demo")
    ran = subprocess.run(
        [sys.executable, "-m", "deniable_web", "demo", "--format", "json"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return folder, ran


def test_prints_estimates_beside_the_truth(
    demo: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    """Its last line is one JSON object with every estimate, its interval and the truth."""
    document = json.loads(demo[1].stdout.splitlines()[-1])
    assert document["reports"] == 20_190
    shares = document["estimates"] + document["crosstabs"]
    assert len(document["estimates"]) == 3 + 5 + 1 + 1 + 3
    assert len(document["crosstabs"]) == 5 * 3
    assert document["intervals"] == len(shares) + len(document["means"])
    for estimate in shares:
        assert estimate["low"] < estimate["share"] < estimate["high"]
        sd = math.sqrt(estimate["mechanism_variance"] + estimate["sampling_variance"])
        assert abs(estimate["share"] - estimate["truth"]) < FURTHEST_SD * sd
    for mean in document["means"]:
        assert mean["low"] < mean["value"] < mean["high"]
        assert abs(mean["value"] - mean["truth"]) < FURTHEST_SD * math.sqrt(mean["variance"])
    for each in shares + document["means"]:
        assert each["covered"] == (each["low"] <= each["truth"] <= each["high"])


def test_the_chart_shows_every_share(
    demo: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    """The chart of README.md has a row for each; `make pictures` keeps it."""
    document = json.loads(demo[1].stdout.splitlines()[-1])
    folder = Path(os.environ.get("DENIABLE_PICTURES") or tmp_path)
    for scheme in SCHEMES:
        figure = demo_figure(document, scheme)
        rows = [axes.get_yticks() for axes in figure.axes]
        assert [*map(len, rows)] == [len(document["estimates"]), len(document["crosstabs"])]
        small = small_png(drawn(figure), covered(document))
        (folder / f"demo-{scheme}.png").write_bytes(small)


def test_knows_the_truth(demo: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    """What it prints as true of the table is what the table holds, counted here by hand."""
    document = json.loads(demo[1].stdout.splitlines()[-1])
    truths = {(e["question"], e["option"]): e["truth"] for e in document["estimates"]}
    assert truths["deductible_plan", "yes"] == 5249 / 20190
    assert truths["health", "no_answer"] == 0
    with (Path(__file__).parents[3] / "examples/health/answers.csv").open() as file:
        rows = list(csv.DictReader(file))
    means = {mean["question"]: mean["truth"] for mean in document["means"]}
    assert means == {
        name: pytest.approx(sum(float(row[name]) for row in rows) / len(rows))
        for name in ("doctor_visits", "chronic_conditions")
    }
    cells = {tuple(cell["options"]): cell["truth"] for cell in document["crosstabs"]}
    both = sum(row["health"] == "poor" and row["limitation"] == "yes" for row in rows)
    assert cells["poor", "yes"] == both / len(rows)
    visits = sorted(int(row["doctor_visits"]) for row in rows)
    quartiles = document["distributions"][0]["quartiles"]
    assert [quartile["truth"] for quartile in quartiles] == [
        str(visits[math.ceil(part * len(visits)) - 1]) for part in (0.25, 0.5, 0.75)
    ]


def test_leaves_the_store_and_says_how_to_go_on(
    demo: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    """The store stays, holds every report once, and the messages name the next commands."""
    folder, ran = demo
    assert "deniable serve --store deniable-demo.sqlite" in ran.stderr
    assert "deniable results health --store deniable-demo.sqlite" in ran.stderr
    assert (folder / "deniable-demo.sqlite").is_file()
    assert open_study(folder / "deniable-demo.sqlite").report_count == 20_190


@pytest.mark.deep
def test_a_survey_by_invitation_is_run_whole(tmp_path: Path) -> None:
    """People of both groups answer on tokens; the shares by group are those of the reports."""
    ran = subprocess.run(
        [sys.executable, "-m", "deniable_web", "demo", "--invited", "--format", "json"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    steps = [line.split()[2:4] for line in ran.stderr.splitlines() if line.startswith("$")]
    assert [step[0] for step in steps] == ["issuer", "publish", "invite", "close"]
    study = open_study(tmp_path / "deniable-demo.sqlite")
    assert {name: study.group(name).report_count for name in INVITED} == {
        name: invited * RESPONSE[name] // 100 for name, invited in INVITED.items()
    }
    with closing(sqlite3.connect(tmp_path / "deniable-demo-issuer.sqlite")) as issuer:
        (collected,) = issuer.execute(
            "SELECT count(*) FROM codes WHERE blinded NOTNULL"
        ).fetchone()
    document = json.loads(ran.stdout.splitlines()[-1])
    assert collected == document["reports"] == study.report_count
    with (Path(__file__).parents[3] / "examples/health/answers.csv").open() as file:
        rows = list(csv.DictReader(file))
    plans = {"free": "no", "deductible": "yes"}
    answers = {
        name: [row for row in rows if row["deductible_plan"] == plan][: INVITED[name]]
        for name, plan in plans.items()
    }
    everybody = [row for group in answers.values() for row in group]
    for share in document["shares"]:
        asked = answers.get(share["group"], everybody)
        truly = sum(row[share["question"]] == share["option"] for row in asked)
        assert share["truth"] == truly / len(asked)
        assert share["covers the truth"] == (share["low"] <= share["truth"] <= share["high"])


def test_invented_people_are_like_the_real_ones() -> None:
    """The means and the shares by health of both tables differ by less than a tenth of one."""
    with (Path(__file__).parents[3] / "examples/health/answers.csv").open() as file:
        real = list(csv.DictReader(file))
    invented = [invented_person(number) for number in range(PEOPLE)]
    assert len(real) == PEOPLE
    assert list(invented[0]) == list(real[0])
    for health in ("excellent", "good", "fair", "poor"):
        group, others = (
            [row for row in rows if row["health"] == health] for rows in (invented, real)
        )
        assert abs(len(group) - len(others)) < PEOPLE / 100
        for question in ("doctor_visits", "chronic_conditions"):
            mean, other = (
                statistics.mean(float(row[question]) for row in rows) for rows in (group, others)
            )
            assert mean == pytest.approx(other, rel=0.1)
        for question in ("limitation", "deductible_plan"):
            share, other = (
                statistics.mean(row[question] == "yes" for row in rows) for rows in (group, others)
            )
            assert share == pytest.approx(other, abs=0.05)


def test_invented_people_are_the_same_in_every_run() -> None:
    """The answers of a person depend on the person's number alone."""
    assert invented_person(20_189) == {
        "limitation": "yes",
        "health": "good",
        "doctor_visits": "1",
        "chronic_conditions": "45.3",
        "deductible_plan": "no",
    }


@pytest.mark.parametrize("taken", ["mine.sqlite", "mine-issuer.sqlite"])
def test_does_not_replace_a_file_of_yours(tmp_path: Path, taken: str) -> None:
    """A store that is named and exists is left alone, as is the issuer's beside it."""
    store = tmp_path / taken
    with closing(open_store(store)):
        pass
    before = store.read_bytes()
    ran = subprocess.run(
        [sys.executable, "-m", "deniable_web", "demo", "--store", str(tmp_path / "mine.sqlite")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1
    assert "exists already; name a new file, or remove it first" in ran.stderr
    assert store.read_bytes() == before
