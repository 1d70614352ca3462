"""docs/PLANNING.md says what the code does."""

import inspect

from deniable_analysis import planning
from deniable_analysis.planning import Goal
from doc_pages import DOCS, run_examples


def test_every_example_gives_what_the_page_prints() -> None:
    """The page's examples give its numbers."""
    run_examples("PLANNING.md", at_least=25)


def test_the_page_names_every_planning_function() -> None:
    """Whatever plans is on the page."""
    text = (DOCS / "PLANNING.md").read_text()
    planners = {
        name
        for name in planning.__all__
        if inspect.isfunction(each := getattr(planning, name)) or _is_goal(each)
    }
    assert len(planners) >= 20
    assert [name for name in sorted(planners - {"worst_share"}) if name not in text] == []


def _is_goal(each: object) -> bool:
    return inspect.isclass(each) and issubclass(each, Goal) and each is not Goal
