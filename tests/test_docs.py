"""The documents agree with each other and with the tree."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[1]
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
DECISIONS = ROOT / "docs" / "decisions"
INDEX = DECISIONS / "README.md"
PAGES = sorted(set(DECISIONS.rglob("*.md")) - {INDEX})
SECTIONS = (["Context", "Decision"], ["Context", "Decision", "Measured"])

_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
# A path with a folder in it, as it is named in running text; a NAME is still to be chosen.
_PATH = re.compile(r"`((?!\S*NAME)[\w./-]+/[\w.-]+\.(?:py|js|html|json|md))`")


def _tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, timeout=60
    )
    return listed.stdout.decode().rstrip("\0").split("\0")


def _anchors(page: Path) -> set[str]:
    """What the headings of a page are called in addresses."""
    headings = _HEADING.findall(_FENCED.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _links() -> Iterator[tuple[Path, str]]:
    """Every link in a document to something in the tree, and the document."""
    for page in (ROOT / name for name in _tracked() if name.endswith(".md")):
        if not page.is_file():
            continue
        text = _CODE.sub("", _FENCED.sub("", page.read_text(encoding="utf-8")))
        for target in _LINK.findall(text):
            if not re.match(r"[a-z]+:", target):
                yield page, target


def test_no_link_is_dead() -> None:
    """Every relative link leads to a file, and to a heading if it names one."""
    links = list(_links())
    assert len(links) > 100
    for page, target in links:
        parts = urlsplit(target)
        file = (page.parent / parts.path) if parts.path else page
        anchor = parts.fragment
        assert file.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in _anchors(file), f"{page.name} links to {target}"


def test_every_page_begins_with_its_only_title() -> None:
    """A page has one heading of the first level, above all others."""
    for page in (ROOT / name for name in _tracked() if name.endswith(".md")):
        levels = re.findall(
            r"^(#+) ", _FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE
        )
        assert levels[0] == "#", page
        assert levels.count("#") == 1, page


def test_the_contents_list_every_page() -> None:
    """CONTENTS.md leads to each page of docs/; the decisions have an index of their own."""
    contents = ROOT / "docs" / "CONTENTS.md"
    listed = {path for page, path in _links() if page == contents}
    pages = [path.relative_to(contents.parent) for path in contents.parent.rglob("*.md")]
    assert {
        path.as_posix()
        for path in pages
        if path.parts[0] != "decisions" and path.name != contents.name
    } <= listed


def test_every_decision_has_its_sections() -> None:
    """A page is a title, context, decision and perhaps figures."""
    assert len(PAGES) > 50
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert re.findall(r"^## (.+)$", text, re.MULTILINE) in SECTIONS, page.name


def test_the_index_lists_every_decision_by_its_title() -> None:
    """The index names each page once, as the page calls itself."""
    listed = re.findall(r"^- \[(.+)\]\((.+)\)$", INDEX.read_text(encoding="utf-8"), re.MULTILINE)
    titled = [
        (page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# "), page)
        for page in PAGES
    ]
    assert sorted(listed) == sorted(
        (title, page.relative_to(DECISIONS).as_posix()) for title, page in titled
    )


def test_named_files_are_there() -> None:
    """A path in the map or in a decision is the end of a path in the tree."""
    tracked = [f"/{name}" for name in _tracked()]
    named = {
        (page.name, path)
        for page in (ARCHITECTURE, *PAGES)
        for path in _PATH.findall(page.read_text(encoding="utf-8"))
    }
    assert len(named) > 40
    for page, path in named:
        assert any(name.endswith(f"/{path}") for name in tracked), f"{page} names {path}"


def test_the_map_names_modules_that_are_there() -> None:
    """Every name in the lines about imports is a module or a package."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    lines = text.partition("In each line below")[2].partition("\n## ")[0].partition("\n- ")[2]
    named = set(re.findall(r"`(\w+)`", lines)) - {"static"}
    modules = {part for name in _tracked() for part in name.removesuffix(".py").split("/")}
    assert len(named) > 60
    assert named - modules == set()
