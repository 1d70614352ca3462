"""The examples in the README work as written."""

import json
import re
from pathlib import Path

import pytest

from deniable_web.commands import run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def block(start: str) -> str:
    """The one block of the README that starts like this."""
    blocks = re.findall(r"```(?:yaml)?\n(.*?)```", README, re.DOTALL)
    (found,) = [text for text in blocks if text.startswith(start)]
    return str(found)


def test_the_first_survey_and_its_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The survey of one's own is checked, published, and answered from the table below it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "survey.yaml").write_text(block("title: Stress at work"))
    (tmp_path / "answers.csv").write_text(block("harassed,"))
    assert run(("check", "survey.yaml", "--respondents", "5000")) == 0
    assert run(("publish", "survey.yaml")) == 0
    capsys.readouterr()
    simulate = re.search(r"`deniable (simulate [^`]+)`", README)
    assert simulate
    assert run((*simulate[1].split(), "--format", "json")) == 0
    document = json.loads(capsys.readouterr().out)
    truths = {(each["question"], each["option"]): each["truth"] for each in document["estimates"]}
    not_asked = truths["reported", "not asked or no_answer"]
    assert truths["reported", "the police"] == not_asked == 1 / 3
