"""Prepares a release: checks the repository, builds both packages, checks them, tags the commit.

Beside the packages are the lock of an installation and the bill of its materials.

`make release VERSION=0.2.0` runs this. It uploads nothing: it prints the commands that do.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from lock import EXTRAS, LOCK
from manifests import NPM, ROOT, npm_files, read_project

BUILT = ROOT / "dist"
_VERSION = re.compile(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}")


def find_problems(version: str) -> list[str]:
    """Everything that has to be done before this version can be released, in plain sentences."""
    if not _VERSION.fullmatch(version):
        return [f"Got the version {version!r}; allowed is one like 0.2.0, without a v before it."]
    project = read_project(ROOT)
    problems = []
    if project["version"] != version:
        problems.append(
            f"The version in pyproject.toml is {project['version']}, not {version}: change it "
            "there, and run `make manifests`."
        )
    problems += [
        f"{path} is not what pyproject.toml says: run `make manifests`."
        for path, text in npm_files(ROOT).items()
        if (ROOT / path).read_text(encoding="utf-8") != text
    ]
    if (urlsplit(project["addresses"]["repository"]).hostname or "").endswith(".example"):
        problems.append(
            "The address of the repository in pyproject.toml is still the placeholder: change "
            "`repository` in the table tool.hatch.metadata.hooks.custom, and run `make manifests`."
        )
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n+(?!## )\S"
    if not re.search(heading, changes, re.MULTILINE):
        problems.append(
            f"CHANGELOG.md has no section '## [{version}] - YEAR-MONTH-DAY' with text: rename "
            "'[Unreleased]', and begin an empty one above it."
        )
    if changed := _git("status", "--porcelain"):
        names = ", ".join(line.split(maxsplit=1)[1] for line in changed.splitlines())
        problems.append(f"These files are not committed: {names}.")
    if _git("tag", "--list", f"v{version}"):
        problems.append(
            f"There is a tag v{version}. A release never changes: raise the version instead."
        )
    return problems


def build(folder: Path) -> None:
    """Build both packages into `dist` from the files of the last commit alone.

    Args:
        folder: an empty one for these files.
    """
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir()
    archive = folder / "commit.tar"
    _git("archive", "--output", str(archive), "HEAD")
    source = folder / "source"
    shutil.unpack_archive(archive, source, filter="data")
    if (ROOT / "node_modules").is_dir():
        (source / "node_modules").symlink_to(ROOT / "node_modules")
    python = [sys.executable, "-m"]
    _run([*python, "build", "--no-isolation", "--outdir", str(BUILT), str(source)])
    _run(["npm", "pack", "--silent", "--pack-destination", str(BUILT)], source / NPM)


def lock_with(wheel: Path, version: str) -> str:
    """What installs our own wheel of a version and all that it needs, with hashes."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    own = f"deniable[{','.join(EXTRAS)}]=={version} --hash=sha256:{digest}\n"
    return (ROOT / LOCK).read_text(encoding="utf-8") + own


def add_materials(version: str) -> None:
    """Write into `dist` what installs this version, and the bill of its materials."""
    locked = lock_with(BUILT / f"deniable-{version}-py3-none-any.whl", version)
    (BUILT / f"requirements-{version}.txt").write_text(locked, encoding="utf-8")
    bill = BUILT / f"deniable-{version}.cdx.json"
    options = [
        "--pyproject",
        "pyproject.toml",
        "--output-reproducible",
        "--output-file",
        str(bill),
    ]
    _run([sys.executable, "-m", "cyclonedx_py", "requirements", *options, str(LOCK)])


def check_built() -> None:
    """Check what was built with the tests of packages: contents, metadata, types, first use."""
    python = [sys.executable, "-m"]
    packages = sorted(str(path) for path in BUILT.iterdir() if path.suffix in (".whl", ".gz"))
    _run([*python, "twine", "check", "--strict", *packages])
    _run([*python, "pytest", "-q", "-p", "no:cacheprovider", "tests/release/test_wheel.py"])
    tests = ROOT / "tests" / "client_sdk" / "javascript"
    _run(["node", "--test", str(tests / "package.test.js")])


def main() -> int:
    """Release the version that is named; 1 if something has to be done first."""
    if len(sys.argv) != 2:
        return _fail(["Name the version: make release VERSION=0.2.0."])
    version = sys.argv[1]
    if problems := find_problems(version):
        return _fail(problems)
    try:
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder))
        add_materials(version)
        check_built()
    except subprocess.CalledProcessError as error:
        return _fail([f"This failed, and nothing was tagged: {' '.join(error.cmd)}"])
    _git("tag", "--annotate", f"v{version}", "--message", f"deniable {version}")
    _say(f"Built and tagged v{version}. Nothing was uploaded. These commands publish it:")
    _say(f"  git push origin v{version}")
    _say(f"  .venv/bin/twine upload dist/deniable-{version}.tar.gz dist/deniable-{version}-*.whl")
    _say(f"  npm publish dist/deniable-{version}.tgz")
    _say(f"Publish dist/requirements-{version}.txt and dist/deniable-{version}.cdx.json, too.")
    return 0


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603 - fixed commands
    return done.stdout.strip()


def _run(command: list[str], folder: Path = ROOT) -> None:
    environment = {**os.environ, "DENIABLE_BUILT": str(BUILT)}
    subprocess.run(command, cwd=folder, check=True, env=environment)  # noqa: S603 - fixed commands


def _fail(problems: list[str]) -> int:
    for problem in problems:
        print(problem, file=sys.stderr)  # noqa: T201 - the output of the command
    return 1


def _say(line: str) -> None:
    print(line)  # noqa: T201 - the output of the command


if __name__ == "__main__":
    sys.exit(main())
