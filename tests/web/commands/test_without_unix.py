"""The commands on a system without forks, limits and locks, like Windows."""

import os
import re
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE, STDOUT

import pytest
import requests

from deniable_collector.store.locations import scheme_of
from deniable_web.commands.demo_server import running_server

TESTS = Path(__file__).parents[2]
WITHOUT_UNIX = str(TESTS / "support" / "without_unix")
DEFINITION = """\
title: "\u0627\u0633\u062a\u0628\u064a\u0627\u0646"
slug: mood
epsilon: "1"
closes: 2099-01-31T18:00+01:00
questions:
- {id: happy, type: yes_no, text: "\u0647\u0644\u061f"}
"""
ANSWERS = "happy\n" + "yes\nno\n" * 50


def run(folder: Path, *command: str, encoding: str = "utf-8") -> str:
    """What a command prints that succeeds."""
    environment = {**os.environ, "PYTHONPATH": WITHOUT_UNIX, "PYTHONIOENCODING": encoding}
    program = [sys.executable, "-m", *command]
    done = subprocess.run(
        program, cwd=folder, env=environment, stdout=PIPE, stderr=STDOUT, check=False
    )
    printed = done.stdout.decode(encoding)
    assert done.returncode == 0, printed
    return printed


def test_these_systems_have_no_forks(tmp_path: Path) -> None:
    """Else the tests below would show nothing."""
    code = "from deniable_collector.system import CAN_FORK, CAN_LOCK; print(CAN_FORK, CAN_LOCK)"
    (tmp_path / "asked.py").write_text(code)
    assert run(tmp_path, "asked") == f"False False{os.linesep}"


def test_the_demo_ends_with_its_intervals(tmp_path: Path) -> None:
    """The first command of the README."""
    assert "of 30 intervals cover the truth" in run(tmp_path, "deniable_web", "demo")


def test_a_survey_is_published_simulated_read_and_exported(tmp_path: Path) -> None:
    """In files with the ends of lines of Windows, with letters that its consoles lack."""
    for name, text in (("mood.yaml", DEFINITION), ("answers.csv", ANSWERS)):
        (tmp_path / name).write_bytes(text.replace("\n", "\r\n").encode())
    said = [
        run(tmp_path, "deniable_web", *command.split(), encoding="cp1252")
        for command in (
            "check mood.yaml --respondents 1000",
            "publish mood.yaml",
            "simulate mood.yaml answers.csv --store simulated.sqlite",
            "results mood --store simulated.sqlite",
            "export mood --store simulated.sqlite --output mood.csv",
            "list",
            "close mood",
        )
    ]
    assert "100 reports" in said[3]
    assert "\\u0627" in said[5]
    assert len((tmp_path / "mood.csv").read_text().splitlines()) == 101


def test_pages_are_served_by_one_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for two gets one; results are computed in a process of their own."""
    (tmp_path / "mood.yaml").write_text(DEFINITION, encoding="utf-8")
    (tmp_path / "answers.csv").write_text(ANSWERS)
    run(tmp_path, "deniable_web", "simulate", "mood.yaml", "answers.csv")
    made = run(tmp_path, "deniable_web", "token", "make", "analyst", "anna")
    token = re.findall(r"deniable_analyst_[\w-]+", made)[0]
    monkeypatch.setenv("PYTHONPATH", WITHOUT_UNIX)
    store = str(tmp_path / "deniable.sqlite")
    headers = {"Authorization": f"Bearer {token}"}
    with running_server("serve", "--store", store, "--workers", "2") as url:
        for path, text in (
            ("/s/mood", "\u0647\u0644"),
            ("/manage/surveys/mood/results/content", "\u0647\u0644"),
        ):
            answer = requests.get(url + path, headers=headers, timeout=60)
            assert text in answer.text


@pytest.mark.deep
def test_the_tests_of_the_store_pass() -> None:
    """Nothing that a store must do needs these modules."""
    said = run(
        TESTS.parent, "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not deep",
        "-k", "sqlite", "tests/collector/test_store_contract.py",
        "tests/collector/test_store_contract_upkeep.py",
    )  # fmt: skip
    assert " passed" in said


@pytest.mark.parametrize("path", ["C:\\surveys\\mood.sqlite", "c:mood.sqlite", "D:/mood.sqlite"])
def test_the_letter_of_a_drive_is_no_scheme(path: str) -> None:
    """It begins a path, not the URL of a database."""
    assert scheme_of(path) == ""
