"""docs/ANALYSIS.md says what the code does."""

import doctest
from pathlib import Path

import pytest

from analysis.study_files import add_reports, counted, write_store
from deniable_analysis import __all__ as public_names
from sample_definitions import choice, survey

PAGE = Path(__file__).parents[2] / "docs" / "ANALYSIS.md"


def test_every_example_gives_what_the_page_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's examples, run in a folder with its survey.sqlite, give its numbers."""
    monkeypatch.chdir(tmp_path)
    published = survey(choice("region", 4, required=True), epsilon=1.0986122886681098)
    write_store(Path("survey.sqlite"), published)
    add_reports(Path("survey.sqlite"), published, counted("region", [350, 270, 210, 170]))
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted >= 20
    assert result.failed == 0


def test_the_page_names_every_planning_function() -> None:
    """Whatever plans is on the page."""
    planners = {name for name in public_names if "_for_" in name}
    text = PAGE.read_text()
    assert planners
    assert [name for name in sorted(planners) if name not in text] == []
