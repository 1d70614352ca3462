"""Running the examples of a page of docs/."""

import doctest
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def run_examples(page: str, at_least: int) -> None:
    """Fail unless every example of the page prints what stands below it.

    Args:
        page: its file name; examples run in the current folder.
        at_least: how many examples there are, or more.
    """
    result = doctest.testfile(str(DOCS / page), module_relative=False)
    assert result.attempted >= at_least
    assert result.failed == 0
