"""docs/PLANNING.md says what the code does."""

import inspect

from analysis.public_names import PUBLIC
from doc_pages import DOCS, run_examples


def test_every_example_gives_what_the_page_prints() -> None:
    """The page's examples give its numbers."""
    run_examples("PLANNING.md", at_least=25)


def test_the_page_names_every_planning_function() -> None:
    """Whatever plans is on the page."""
    text = (DOCS / "PLANNING.md").read_text()
    planners = {
        each.__name__
        for each in PUBLIC.values()
        if inspect.isfunction(each) and each.__module__.startswith("deniable_analysis.planning")
    }
    assert len(planners) >= 15
    assert [name for name in sorted(planners - {"worst_share"}) if name not in text] == []
