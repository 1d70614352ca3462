"""docs/EXPORT.md says what the code does."""

import re
from pathlib import Path
from shutil import copyfile, rmtree

import pytest

from analysis.studies.test_page import write_clinic
from analysis.study_files import close_survey
from deniable_analysis import open_study
from deniable_analysis.sources.exports.formats import FORMATS
from deniable_web.commands import run
from doc_pages import DOCS, run_examples

PAGE = (DOCS / "EXPORT.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the page's store, whose survey is closed."""
    monkeypatch.chdir(tmp_path)
    store = Path("clinic.sqlite")
    write_clinic(store)
    close_survey(store, open_study(store).survey)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_every_example_gives_what_the_page_prints() -> None:
    """The page's examples, run in a folder with its clinic.sqlite, give its numbers."""
    run_examples("EXPORT.md", at_least=15)


def test_every_command_works(folder: Path) -> None:
    """The page's commands, one after the other, write the files that they name."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 5
    for name in ("one", "two", "three"):
        copyfile("clinic.sqlite", f"{name}.sqlite")
    for line in "".join(blocks).splitlines():
        program, *arguments = line.split()
        assert program == "deniable"
        if "--also" in arguments:
            rmtree("clinic-parts")
        assert run(arguments) == 0, line
    names = {path.name for path in folder.glob("clinic.*")} - {"clinic.sqlite"}
    assert names >= {"clinic.sav", "clinic.R", "clinic.ddi.xml", "clinic.survey.json"}
    assert names >= {"clinic.xlsx", "clinic.csv", "clinic.pdf", "clinic.html"}
    assert (folder / "clinic-parts/_manifest.json").is_file()


def test_every_format_and_its_limit_is_on_the_page() -> None:
    """The first table names every suffix, and the table of limits every number."""
    first, _, rest = PAGE.partition("**Every value")
    for kind in FORMATS.values():
        assert f".{kind.name}`" in first
        for most in (kind.most_reports, kind.most_variables):
            assert most is None or f"{most:,}" in rest
        assert kind.most_values in (None, 200_000_000)
