"""Making a release: it begins only if everything agrees, and it uploads nothing."""

import json
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ADDRESS = "https://git.somewhere.org/people/deniable"
CHANGES = "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2027-01-31\n### Added\n- Surveys.\n"


def _git(repository: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=A maintainer", "-c", "user.email=a@example.org"]
    command = ["git", *identity, *arguments]
    done = subprocess.run(command, cwd=repository, check=True, capture_output=True, text=True)
    return done.stdout


def _python(repository: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=repository, capture_output=True, text=True, check=False
    )


def _commit(repository: Path) -> None:
    _git(repository, "add", "--all")
    _git(repository, "commit", "--quiet", "--message", "Prepare a release")


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this repository, in which version 0.1.0 is ready to be released."""
    copy = tmp_path_factory.mktemp("prepared")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    _git(copy, "init", "--quiet")
    # The pattern of .gitignore is for a folder.
    (copy / ".git" / "info" / "exclude").write_text("node_modules\n")
    (copy / "node_modules").symlink_to(ROOT / "node_modules")
    (copy / "CHANGELOG.md").write_text(CHANGES)
    _replace(copy / "pyproject.toml", "https://repository.example/deniable", ADDRESS)
    assert _python(copy, "release/manifests.py").stderr == ""
    _commit(copy)
    return copy


@pytest.fixture
def repository(prepared: Path, tmp_path: Path) -> Path:
    """Another copy, for one test."""
    return shutil.copytree(prepared, tmp_path / "repository", symlinks=True)


def test_the_npm_package_says_what_pyproject_says() -> None:
    """In this repository, there is nothing to copy to the npm package."""
    ran = _python(ROOT, "-c", "import sys; sys.path.insert(0, 'release'); import manifests as m\n"
        "print([p for p, t in m.npm_files(m.ROOT).items() if (m.ROOT / p).read_text() != t])",
    )  # fmt: skip
    assert ran.stdout == "[]\n", ran.stderr


@pytest.mark.deep
def test_a_new_address_and_version_are_changed_in_one_place(repository: Path) -> None:
    """After a change of pyproject.toml, one command brings them to the npm package."""
    _replace(repository / "pyproject.toml", 'version = "0.1.0"', 'version = "0.2.0"')
    ran = _python(repository, "release/manifests.py")
    package = "client_sdk/javascript"
    assert ran.stdout.splitlines() == [f"{package}/package.json", f"{package}/README.md"]
    assert _python(repository, "release/manifests.py").stdout == ""
    manifest = json.loads((repository / package / "package.json").read_text())
    assert manifest["version"] == "0.2.0"
    assert manifest["homepage"] == ADDRESS
    assert manifest["repository"] == {
        "type": "git", "url": f"git+{ADDRESS}.git", "directory": package,
    }  # fmt: skip
    readme = (repository / package / "README.md").read_text()
    assert f"[guide]({ADDRESS}/blob/v0.2.0/docs/SDK_JAVASCRIPT.md)" in readme
    # The address itself is in no other file of the repository.
    found = _git(repository, "grep", "--name-only", "--fixed-strings", ADDRESS, "--", ".")
    named = {name for name in found.split() if not name.startswith("tests/")}
    assert named == {"pyproject.toml", f"{package}/package.json", f"{package}/README.md"}


@pytest.mark.deep
@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("LICENSE", "Apache", "A", "These files are not committed: LICENSE."),
        ("CHANGELOG.md", "[0.1.0]", "[0.1]", "no section '## [0.1.0] - YEAR-MONTH-DAY' with text"),
        ("CHANGELOG.md", "### Added\n- Surveys.\n", "", "CHANGELOG.md has no section"),
        ("client_sdk/javascript/package.json", '"0.1.0"', '"0.1.1"', "run `make manifests`."),
        ("pyproject.toml", '"0.1.0"', '"0.2.0"', "pyproject.toml is 0.2.0, not 0.1.0: change"),
        ("pyproject.toml", ADDRESS, "https://a.example/x", "is still the placeholder: change"),
    ],
)
def test_nothing_is_released_before_all_agree(
    repository: Path, file: str, old: str, new: str, expected: str
) -> None:
    """Each thing that is missing is named, nothing is built, and there is no tag."""
    _replace(repository / file, old, new)
    if file != "LICENSE":
        _commit(repository)
    ran = _python(repository, "release/release.py", "0.1.0")
    assert ran.returncode == 1
    assert expected in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (repository / "dist").exists()
    assert _git(repository, "tag") == ""


@pytest.mark.sweep
@pytest.mark.parametrize("arguments", [(), ("v0.1.0",), ("0.1",), ("0.1.0rc1",), ("01.0.0",)])
def test_a_version_that_is_none_is_refused(repository: Path, arguments: tuple[str, ...]) -> None:
    """The message shows what a version looks like."""
    ran = _python(repository, "release/release.py", *arguments)
    assert ran.returncode == 1
    assert re.fullmatch(
        r"(Name the version: make release VERSION=0\.2\.0"
        r"|Got the version '.+'; allowed is one like 0\.2\.0, without a v before it)\.\n",
        ran.stderr,
    )


def test_a_version_is_released_once(repository: Path) -> None:
    """A tag that exists is not moved."""
    _git(repository, "tag", "v0.1.0")
    ran = _python(repository, "release/release.py", "0.1.0")
    assert ran.returncode == 1
    assert ran.stderr == (
        "There is a tag v0.1.0. A release never changes: raise the version instead.\n"
    )


@pytest.mark.deep
def test_a_release_is_built_from_the_commit_checked_and_tagged(repository: Path) -> None:
    """Both packages are in `dist`, with the address, and the commands that upload are printed."""
    ran = _python(repository, "release/release.py", "0.1.0")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    built = {path.name: path for path in (repository / "dist").iterdir()}
    assert set(built) == {
        "deniable-0.1.0-py3-none-any.whl", "deniable-0.1.0.tar.gz", "deniable-0.1.0.tgz",
        "deniable-0.1.0.cdx.json", "requirements-0.1.0.txt",
    }  # fmt: skip
    with tarfile.open(built["deniable-0.1.0.tgz"]) as archive:
        manifest = archive.extractfile("package/package.json")
        assert manifest is not None
        assert json.load(manifest)["homepage"] == ADDRESS
    assert ran.stdout.splitlines()[-5:] == [
        "Built and tagged v0.1.0. Nothing was uploaded. These commands publish it:",
        "  git push origin v0.1.0",
        "  .venv/bin/twine upload dist/deniable-0.1.0.tar.gz dist/deniable-0.1.0-*.whl",
        "  npm publish dist/deniable-0.1.0.tgz",
        "Publish dist/requirements-0.1.0.txt and dist/deniable-0.1.0.cdx.json, too.",
    ]
    assert _git(repository, "tag", "--list", "--format=%(contents:subject)") == "deniable 0.1.0\n"
    assert _git(repository, "status", "--porcelain") == ""


@pytest.mark.deep
def test_a_fault_in_a_package_stops_the_release(repository: Path) -> None:
    """A package without its types is built, found by the checks, and not tagged."""
    (repository / "face" / "deniable" / "py.typed").unlink()
    _commit(repository)
    ran = _python(repository, "release/release.py", "0.1.0")
    assert ran.returncode == 1
    assert "This failed, and nothing was tagged: " in ran.stderr
    assert _git(repository, "tag") == ""


@pytest.mark.deep
def test_npm_packs_a_clean_checkout(repository: Path) -> None:
    """Without its tools, `npm pack` installs them from the lock file and makes the package."""
    (repository / "node_modules").unlink()
    folder = repository / "client_sdk" / "javascript"
    ran = subprocess.run(
        ["npm", "pack", "--json"], cwd=folder, capture_output=True, text=True, check=True
    )
    (packed,) = json.loads(ran.stdout)
    assert packed["filename"] == "deniable-0.1.0.tgz"
    paths = {file["path"] for file in packed["files"]}
    assert {"dist/deniable.js", "types/client.d.ts", "src/client.js"} <= paths
    assert _git(repository, "status", "--porcelain") == ""
