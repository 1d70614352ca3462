"""The first page and the first texts say what is true, and their examples work as written."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey
from deniable_web.commands import run
from deniable_web.definition.file import read_definition
from deniable_web.packaged_files import example_folder
from live_site import LiveSite, live_site
from png_files import MOST_BYTES, size_and_text

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND_LINE = (ROOT / "docs" / "COMMAND_LINE.md").read_text(encoding="utf-8")
PICTURES = ROOT / "docs" / "pictures"
MOST_LINES = 90
# What the examples name, and the survey that they answer.
COLLECTOR, STORE, SLUG = "http://127.0.0.1:8000", "deniable-demo.sqlite", "health"


def block(page: str, kind: str, start: str) -> str:
    """The one block of a page that is of this kind and starts like this."""
    blocks = re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL)
    (found,) = [text for text in blocks if text.startswith(start)]
    return str(found)


def asked() -> PublishedSurvey:
    """The survey of the demo."""
    return read_definition(example_folder(SLUG) / "survey.yaml").compile()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[LiveSite]:
    """A site with the demo's survey, over the store that the examples name."""
    with live_site(tmp_path / STORE, asked()) as running:
        yield running


def reports(site: LiveSite) -> int:
    """How many reports have arrived."""
    with closing(open_store(site.store)) as store:
        return store.count_reports(asked().digest)


def test_the_first_page_is_short() -> None:
    """It is read in a few minutes."""
    assert len(README.splitlines()) <= MOST_LINES


def test_every_picture_is_there_in_light_and_in_dark() -> None:
    """Each is small, has a text, and is as large in dark as in light; there are no others."""
    lines = re.findall(
        r'^<picture><source media="\(prefers-color-scheme: dark\)" srcset="(\S+)-dark\.png">'
        r"!\[[^]]{20,}\]\((\S+)-light\.png\?raw=true\)</picture>$",
        README,
        re.MULTILINE,
    )
    assert len(lines) == 2
    shown = {*re.findall(r"!\[[^]]{20,}\]\(docs/pictures/(\S+)\.svg\?raw=true\)", README)}
    for dark, light in lines:
        assert dark == light
        files = [ROOT / f"{dark}-{scheme}.png" for scheme in ("dark", "light")]
        assert all(file.stat().st_size < MOST_BYTES for file in files)
        assert len({size_and_text(file)[0] for file in files}) == 1
        shown |= {file.stem for file in files}
    assert shown == {file.stem for file in PICTURES.iterdir()}


def test_what_is_said_of_the_chart_is_so() -> None:
    """The picture says how many of its intervals contain the truth, and so does the text."""
    for scheme in ("dark", "light"):
        said = size_and_text(PICTURES / f"demo-{scheme}.png")[1]
        assert said
        assert said in " ".join(README.split())


def test_the_margins_are_those_of_the_plan(capsys: pytest.CaptureFixture[str]) -> None:
    """Each cell of the table is what `deniable plan` computes, and so is the sentence above."""
    table = "".join(README.partition("| epsilon |")[1:])
    head, _, *rows = re.findall(r"^\|.+\|$", table, re.MULTILINE)
    people = [text.replace(",", "") for text in re.findall(r"\d[\d,]*", head)]
    assert (len(people), len(rows)) == (4, 4)
    for row in rows:
        epsilon, *margins = re.findall(r"[\d.]+", row)
        for respondents, margin in zip(people, margins, strict=True):
            asked = ("--epsilon", epsilon, "--respondents", respondents, "--format", "json")
            assert run(("plan", *asked)) == 0
            planned = json.loads(capsys.readouterr().out)["margin"]
            assert f"{100 * planned:.1f}" == margin
    assert "--epsilon 1\n--respondents 1000` computes ±6.7 points" in README


def test_the_python_of_the_first_page_runs(site: LiveSite) -> None:
    """It submits a report, and prints the estimates."""
    code = block(README, "python", "import deniable").replace(COLLECTOR, site.url)
    folder = site.store.parent
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "LOCALAPPDATA": str(folder)}
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "limitation (yes_no)" in ran.stdout
    assert reports(site) == 1


def test_the_javascript_of_the_first_page_runs(site: LiveSite) -> None:
    """It submits a report."""
    modules = site.store.parent / "node_modules"
    modules.mkdir()
    (modules / "deniable").symlink_to(ROOT / "client_sdk" / "javascript")
    file = modules.parent / "example.mjs"
    file.write_text(block(README, "javascript", "import").replace(COLLECTOR, site.url))
    ran = subprocess.run(["node", file], capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert reports(site) == 1


def test_the_first_survey_and_its_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The survey of one's own is checked, published, and answered from the table below it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "survey.yaml").write_text(block(COMMAND_LINE, "yaml", "title: Stress at work"))
    (tmp_path / "answers.csv").write_text(block(COMMAND_LINE, "csv", "harassed,"))
    assert run(("check", "survey.yaml", "--respondents", "5000")) == 0
    assert run(("publish", "survey.yaml")) == 0
    capsys.readouterr()
    simulate = re.search(r"`deniable (simulate [^`]+)`", COMMAND_LINE)
    assert simulate
    assert run((*simulate[1].split(), "--format", "json")) == 0
    document = json.loads(capsys.readouterr().out)
    truths = {(each["question"], each["option"]): each["truth"] for each in document["estimates"]}
    not_asked = truths["reported", "not asked or no_answer"]
    assert truths["reported", "the police"] == not_asked == 1 / 3
