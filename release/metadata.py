"""What the page of the package on an index shows: its links and the README.

Hatchling loads this file while it builds the package (pyproject.toml). The address of the
public repository is there, once; links in the README lead to files of the released version.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

# The target of a Markdown link to a file of the repository.
_RELATIVE_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s]+)(?=\))")


class IndexMetadata(MetadataHookInterface):
    """Adds `readme` and `urls` to the metadata of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set both from the files in the root of the repository."""
        repository, version = self.config["repository"], metadata["version"]
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute_links(readme, self.config, version),
        }
        metadata["urls"] = {
            "Repository": repository,
            "Documentation": file_address(self.config, version, "README.md") + "#further-reading",
            "Changelog": file_address(self.config, version, "CHANGELOG.md"),
            "Issues": f"{repository}/issues",
        }


def file_address(config: dict[str, Any], version: str, path: str) -> str:
    """The address of a file of a released version.

    Args:
        config: the keys `repository` and `files` of pyproject.toml.
        version: the version, such as "0.1.0".
        path: the path of the file in the repository.
    """
    address: str = config["files"].format(
        repository=config["repository"], version=version, path=path
    )
    return address


def absolute_links(text: str, config: dict[str, Any], version: str) -> str:
    """A Markdown text of the root folder whose links work on any page."""
    return _RELATIVE_LINK.sub(lambda link: file_address(config, version, link[1]), text)
