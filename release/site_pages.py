"""What the site of the documentation has beside the pages in docs/.

MkDocs loads this file (mkdocs.yml). The pages in the root of the repository become pages of
the site, links to other files lead to the repository, and comments that name a screenshot
become the image, which a test of the browser takes.
"""

import os
import re
import tomllib
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from metadata import file_address

ROOT: Final = Path(__file__).parents[1]
SCREENSHOTS: Final = ROOT / "build" / "screenshots"
_OWN: Final = ROOT / "release" / "site"
_ASSETS: Final = {
    # Lets browsers search in a site that was opened from a folder.
    "iframe-worker.js": ROOT / "node_modules" / "iframe-worker" / "shim" / "index.js",
    "colours.css": _OWN / "colours.css",
    "icon.svg": ROOT / "web" / "deniable_web" / "static" / "icon.svg",
    "accessible.js": _OWN / "accessible.js",
}
# The pages outside docs/, and the pages of the site that they become.
ROOT_PAGES: Final = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "ARCHITECTURE.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "SECURITY.md": "SECURITY.md",
}

_FENCE: Final = re.compile(r"^ *```")
# Where a link leads, and where a picture for dark pages is.
_LINK: Final = re.compile(r"(?:(?<=\]\()|(?<=srcset=\"))([^)\"\s]+)(?=[)\"])")
_SCREENSHOT: Final = re.compile(r"^<!-- screenshot: ([a-z-]+): (.+) -->$")
_LIST_OR_TABLE: Final = re.compile(r"^(?:[-*] |\d+\. |\|)")
_INSIDE_CODE: Final = re.compile(r"(`+[^`]*`+)")


def slug(text: str, separator: str) -> str:
    """The name of a heading in addresses, as on the repository's pages."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", separator)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the root, the screenshots that were taken, scripts and a style."""
    for name, path in _ASSETS.items():
        files.append(File.generated(config, f"assets/{name}", abs_src_path=str(path)))
    for source, page in ROOT_PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    for image in sorted(SCREENSHOTS.glob("*.png")):
        files.append(File.generated(config, f"images/{image.name}", abs_src_path=str(image)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """The text of a page for the site."""
    site_path = page.file.src_uri
    sources = {site: source for source, site in ROOT_PAGES.items()}
    source = PurePosixPath(sources.get(site_path, f"docs/{site_path}"))
    return translated(markdown, source)


def translated(markdown: str, source: PurePosixPath) -> str:
    """The text of a file of the repository as a text of the site.

    Args:
        markdown: the text.
        source: the path of the file in the repository.
    """
    lines: list[str] = []
    is_code = False
    for line in markdown.splitlines():
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code:
            # MkDocs reads a list or a table only below an empty line.
            if _LIST_OR_TABLE.match(line) and lines and _ends_a_text(lines[-1]):
                lines.append("")
            lines.append(_line(line, source))
            continue
        lines.append(line)
    return "\n".join(lines)


def _ends_a_text(line: str) -> bool:
    return bool(line.strip()) and not _LIST_OR_TABLE.match(line) and not line.startswith(" ")


@cache
def _project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _line(line: str, source: PurePosixPath) -> str:
    screenshot = _SCREENSHOT.match(line)
    if screenshot:
        name, description = screenshot.groups()
        if not (SCREENSHOTS / f"{name}.png").is_file():
            raise PluginError(f"{source} shows {name}.png, which no test has taken")
        return f"![{description}]({_from(source, f'images/{name}.png')}){{ loading=lazy }}"
    parts = _INSIDE_CODE.split(line)
    return "".join(
        # A link may have code as its text: only its address is changed.
        part if place % 2 else _LINK.sub(lambda link: _target(link[1], source), part)
        for place, part in enumerate(parts)
    )


def _target(link: str, source: PurePosixPath) -> str:
    """Where a link leads on the site."""
    parts = urlsplit(link)
    if parts.scheme or not parts.path:
        return link
    path = os.path.normpath(source.parent / parts.path)
    if (ROOT / path).is_dir() and (ROOT / path / "README.md").is_file():
        path = f"{path}/README.md"
    anchor = f"#{parts.fragment}" if parts.fragment else ""
    if path in ROOT_PAGES:
        return _from(source, ROOT_PAGES[path]) + anchor
    if path.startswith("docs/") and (ROOT / path).is_file():
        return _from(source, path.removeprefix("docs/")) + anchor
    if not (ROOT / path).exists():
        return link  # MkDocs reports it
    return _repository_address(path) + anchor


def _from(source: PurePosixPath, target: str) -> str:
    """The path of a page or an image of the site, from the page that a file becomes."""
    page = ROOT_PAGES.get(str(source)) or str(source.relative_to("docs"))
    return os.path.relpath(target, PurePosixPath(page).parent)


def _repository_address(path: str) -> str:
    project = _project()
    hook = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]
    return file_address(hook, project["project"]["version"], path)
