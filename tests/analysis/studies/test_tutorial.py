"""docs/TUTORIAL.md can be followed to its end."""

import csv
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.study_files import add_reports, write_store
from deniable_sdk import draw_blocks, randomize
from deniable_web.commands import run
from deniable_web.definition.file import DefinitionFile, read_definition
from doc_pages import DOCS, run_examples

PAGE = (DOCS / "TUTORIAL.md").read_text()
ANSWERS = DOCS.parent / "examples" / "health" / "answers.csv"
COLUMNS = ("limitation", "health", "deductible_plan")


def blocks(language: str) -> list[str]:
    """The page's blocks of code in a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def people() -> Iterator[dict[str, str]]:
    """The true answers that stand in for respondents."""
    with ANSWERS.open(newline="") as file:
        for row in csv.DictReader(file):
            yield {column: row[column] for column in COLUMNS}


def write_definition(folder: Path) -> DefinitionFile:
    """Write the page's survey file."""
    (text,) = blocks("yaml")
    (folder / "care.yaml").write_text(text)
    return read_definition(folder / "care.yaml")


def write_study(path: Path) -> None:
    """Write the page's store: the devices draw from a fixed source, so numbers repeat."""
    published = write_definition(path.parent).compile()
    read_bytes = random.Random(1965).randbytes
    asked = draw_blocks(published, read_bytes)
    reports = [randomize(published, answers, asked, read_bytes).values for answers in people()]
    write_store(path, published)
    add_reports(path, published, reports)


def test_every_example_gives_what_the_page_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's examples give its numbers, and leave its figures."""
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path / "care.sqlite")
    run_examples("TUTORIAL.md", at_least=10)
    assert (tmp_path / "health.png").read_bytes().startswith(b"\x89PNG")
    assert "</svg>" in (tmp_path / "limitation.svg").read_text()


def test_every_command_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's commands, one after the other in an empty folder with its two files."""
    monkeypatch.chdir(tmp_path)
    write_definition(tmp_path)
    with (tmp_path / "answers.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(list(people())[:500])
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert len(commands) == 5
    for command in commands:
        program, *arguments = command.split()
        assert program == "deniable"
        assert run(arguments) == 0, command
    assert (tmp_path / "care.csv").is_file()
