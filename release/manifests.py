"""Copies the version, the authors and the address of the repository to the npm package.

`make manifests` runs this. pyproject.toml is the place to change them.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from metadata import file_address

ROOT = Path(__file__).parents[1]
NPM = "client_sdk/javascript"
_ABSOLUTE_LINK = re.compile(r"(?<=\]\()(https://[^)\s]+)(?=\))")


def read_project(root: Path) -> dict[str, Any]:
    """The table `project` of pyproject.toml, with the settings of addresses under "addresses"."""
    document = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    project: dict[str, Any] = document["project"]
    return {**project, "addresses": document["tool"]["hatch"]["metadata"]["hooks"]["custom"]}


def npm_files(root: Path) -> dict[str, str]:
    """The texts of the npm package's own files as they should be, by path."""
    project = read_project(root)
    manifest, readme = f"{NPM}/package.json", f"{NPM}/README.md"
    return {
        manifest: _package_json((root / manifest).read_text(encoding="utf-8"), project),
        readme: _readme((root / readme).read_text(encoding="utf-8"), root, project),
    }


def _package_json(text: str, project: dict[str, Any]) -> str:
    document = json.loads(text)
    repository = project["addresses"]["repository"]
    shared = {
        "version": project["version"],
        "author": project["authors"][0]["name"],
        "homepage": repository,
        "bugs": f"{repository}/issues",
        "repository": {"type": "git", "url": f"git+{repository}.git", "directory": NPM},
    }
    # New keys come after the license, so that the manifest begins with what people read.
    before = {key: document[key] for key in ("name", "version", "description", "keywords")}
    merged = {**before, "license": document["license"], **shared, **document, **shared}
    return json.dumps(merged, indent=2, ensure_ascii=False) + "\n"


def _readme(text: str, root: Path, project: dict[str, Any]) -> str:
    """The README with links to files of this version; links to other places stay."""

    def moved(link: re.Match[str]) -> str:
        address, _, anchor = link[1].partition("#")
        parts = address.split("/")[3:]
        for start in range(len(parts)):
            path = "/".join(parts[start:])
            if path and (root / path).exists():
                moved_to = file_address(project["addresses"], project["version"], path)
                return f"{moved_to}#{anchor}" if anchor else moved_to
        return link[1]

    return _ABSOLUTE_LINK.sub(moved, text)


def main() -> None:
    """Write what has changed, and print its path."""
    for path, text in npm_files(ROOT).items():
        if (ROOT / path).read_text(encoding="utf-8") != text:
            (ROOT / path).write_text(text, encoding="utf-8")
            print(path)  # noqa: T201 - the output of the command


if __name__ == "__main__":
    main()
