"""The accessibility checker, run over what a page shows."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page


def axe_source() -> str:
    """The source of axe-core."""
    return (Path(__file__).parents[1] / "node_modules/axe-core/axe.min.js").read_text()


def checker(page: Page, axe: str) -> Callable[[str], None]:
    """Runs axe over what the page shows."""

    def check(state: str) -> None:
        if not page.evaluate("'axe' in window"):
            page.evaluate(axe)
        found = page.evaluate("async () => (await axe.run()).violations")
        said = [
            (violation["id"], [node["html"] for node in violation["nodes"]]) for violation in found
        ]
        assert said == [], state
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), state

    return check
