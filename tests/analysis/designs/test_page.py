"""docs/DESIGNS.md says what the code does."""

from pathlib import Path

import pytest

from deniable_analysis import designs
from doc_pages import DOCS, run_examples


def test_every_example_gives_what_the_page_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's examples give what stands below them."""
    monkeypatch.chdir(tmp_path)
    run_examples("DESIGNS.md", at_least=20)


def test_the_page_names_every_function_of_the_room() -> None:
    """Whatever makes a design or estimates from one is on the page."""
    text = (DOCS / "DESIGNS.md").read_text()
    functions = [name for name in designs.__all__ if name.islower()]
    assert len(functions) >= 15
    assert [name for name in functions if name not in text] == []
