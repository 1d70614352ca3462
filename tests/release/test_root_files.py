"""Files in the root that other programs read agree with the project and with CI."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def test_the_citation_is_of_this_version() -> None:
    """CITATION.cff repeats what pyproject.toml says of the project."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert cited["cff-version"] == "1.2.0"
    assert cited["message"]
    assert cited["title"] == project["name"]
    assert cited["abstract"] == project["description"]
    assert cited["authors"] == project["authors"]
    for key in ("version", "license", "keywords"):
        assert cited[key] == project[key], key


def test_hooks_before_a_commit_are_those_of_ci() -> None:
    """Each runs a command of the Makefile, with the tools of .venv: nothing is downloaded."""
    document = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (repository,) = document["repos"]
    assert repository["repo"] == "local"
    assert {hook["language"] for hook in repository["hooks"]} == {"system"}
    commands = {
        hook["entry"].removesuffix(" --force-exclude").replace(".venv/bin", "$(BIN)")
        for hook in repository["hooks"]
    }
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    quick = re.findall(r"^(?:lint|contracts): .*\n((?:\t.+\n)+)", makefile, re.MULTILINE)
    expected = {line.strip().removesuffix(" .") for lines in quick for line in lines.splitlines()}
    assert commands == expected
