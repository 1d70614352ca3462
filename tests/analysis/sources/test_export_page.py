"""docs/EXPORT.md says what the code does."""

from pathlib import Path

import pytest

from analysis.studies.test_page import write_clinic
from doc_pages import run_examples


def test_every_example_gives_what_the_page_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's examples, run in a folder with its clinic.sqlite, give its numbers."""
    monkeypatch.chdir(tmp_path)
    write_clinic(Path("clinic.sqlite"))
    run_examples("EXPORT.md", at_least=7)
