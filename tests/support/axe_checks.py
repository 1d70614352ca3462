"""The accessibility checker, run over what a page shows."""

from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
_RUN = """async () => {
  const found = (await axe.run()).violations;
  const broken = found.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
  const isWide = document.scrollingElement.scrollWidth > innerWidth;
  return isWide ? [["wider than the window"], ...broken] : broken;
}"""


def violations(page: Page) -> list[list[str]]:
    """The rules that the page breaks, each with the elements that break it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"{_AXE.read_text()};0")
    found: list[list[str]] = page.evaluate(_RUN)
    return found
