"""Chooses the packages that an installation has, each with the hashes of its files.

`make lock` runs this. It keeps the versions that still fit; `make lock OPTIONS=--upgrade`
takes the newest. One lock is of what runs, the other of what builds our own package.
"""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

from manifests import ROOT, read_project

# What the image and the installation of docs/OPERATING.md have.
EXTRAS: Final = ("web", "issuer", "postgres", "sign-in")
LOCK: Final = Path("release/requirements.txt")
BUILD_LOCK: Final = Path("release/build-requirements.txt")


def main(options: list[str]) -> None:
    """Write both locks."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = [word for name in EXTRAS for word in ("--extra", name)]
    _compile(LOCK, [*extras, *options, "pyproject.toml"])
    _compile(BUILD_LOCK, [*options, "-"], "\n".join(document["build-system"]["requires"]))


def _compile(lock: Path, options: list[str], given: str | None = None) -> None:
    """Write a lock for all systems and all versions of Python that we support."""
    oldest = read_project(ROOT)["requires-python"].removeprefix(">=")
    command = [
        *(sys.executable, "-m", "uv", "--no-config", "pip", "compile", "--quiet", "--universal"),
        *("--python-version", oldest, "--generate-hashes", "--no-annotate"),
        *("--custom-compile-command", "make lock", "--output-file", str(lock), *options),
    ]
    subprocess.run(command, cwd=ROOT, check=True, input=given, text=True)  # noqa: S603 - fixed commands


if __name__ == "__main__":
    main(sys.argv[1:])
