"""docs/SCORES.md: from a scale on paper to a result."""

from pathlib import Path

import pytest
import yaml

from deniable_sdk import compile_survey
from doc_pages import DOCS, run_examples

PAGE = (DOCS / "SCORES.md").read_text()
FIRST, SECOND = (part.split("```")[0] for part in PAGE.split("```yaml\n")[1:])


def test_every_example_gives_what_the_page_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's examples, run in a folder with its definition, give its numbers."""
    monkeypatch.chdir(tmp_path)
    Path("wellbeing.yaml").write_text(FIRST)
    run_examples("SCORES.md", at_least=15)


def test_the_questions_of_the_second_example_compile() -> None:
    """Beside those of the first."""
    definition = yaml.safe_load(FIRST)
    definition["questions"] += yaml.safe_load(SECOND)
    survey = compile_survey(definition)
    assert [block.id for block in survey.blocks] == ["mood", "bmi"]
