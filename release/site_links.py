"""Checks a built site: each link inside it leads somewhere, and nothing is loaded from elsewhere.

`python release/site_links.py FOLDER` fails on a dead link, and lists the links to other sites.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

# Attributes whose address the browser loads by itself.
_LOADED: Final = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src")}
# What a link element names without loading it.
_NAMED: Final = {"canonical", "next", "prev"}


@dataclass
class PageLinks(HTMLParser):
    """The addresses in a page, and what links may lead to in it."""

    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Begin reading."""
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors.update(filter(None, (values.get("id"), values.get("name"))))
        for name, value in attrs:
            if not value:
                continue
            if (tag, name) in _LOADED and values.get("rel") not in _NAMED:
                self.loaded.append(value)
            elif tag == "a" and name == "href":
                self.links.append(value)


def read_site(folder: Path) -> dict[Path, PageLinks]:
    """All pages of a site."""
    pages: dict[Path, PageLinks] = {}
    for path in sorted(folder.rglob("*.html")):
        pages[path.resolve()] = PageLinks()
        pages[path.resolve()].feed(path.read_text(encoding="utf-8"))
    return pages


def problems(pages: dict[Path, PageLinks]) -> Iterator[str]:
    """What is wrong with a site, one sentence each."""
    for path, page in pages.items():
        for address in page.loaded:
            if _is_elsewhere(address):
                yield f"{path.name} loads {address} from another site"
        for address in (*page.links, *page.loaded):
            if not _is_elsewhere(address) and not _leads_somewhere(path, address, pages):
                yield f"{path.name} links to {address}, which is not there"


def _leads_somewhere(path: Path, address: str, pages: dict[Path, PageLinks]) -> bool:
    parts = urlsplit(address)
    # Of 404.html, whose addresses begin at the root of the site.
    target = (path.parent / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return False
    anchor = unquote(parts.fragment)
    return not anchor or target not in pages or anchor in pages[target].anchors


def _is_elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.scheme or parts.netloc)


def main(folder: Path) -> int:
    """List what is wrong and where links lead outside; 1 if anything is wrong."""
    pages = read_site(folder)
    found = sorted(set(problems(pages)))
    outside = sorted(
        {each for page in pages.values() for each in page.links if urlsplit(each).netloc}
    )
    sys.stdout.write("".join(f"{each}\n" for each in found))
    counted = f"{len(pages)} pages, {len(found)} problems, {len(outside)} links to other sites"
    sys.stdout.write(f"{counted}, which nobody followed:\n")
    sys.stdout.write("".join(f"  {each}\n" for each in outside))
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
