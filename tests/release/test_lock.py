"""The lock of an installation fits pyproject.toml, and a release has the bill of its materials."""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation import make_schemabased_validator
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "release"))

import lock  # noqa: E402 - it is in no package
import release  # noqa: E402 - as above

LOCKS = (lock.LOCK, lock.BUILD_LOCK)
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
OPTIONAL: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
HASH = re.compile(r" --hash=sha256:[0-9a-f]{64}(?= |$)")


def entries(text: str) -> Iterator[tuple[Requirement, int]]:
    """What a lock names, and how many hashes each has."""
    for line in text.replace("\\\n", "").splitlines():
        if not line.startswith("#"):
            named, count = HASH.subn("", re.sub(r" +", " ", line))
            yield Requirement(named), count


def locked(path: Path) -> dict[str, list[Requirement]]:
    """What a lock of this repository names, by the names of packages."""
    found: dict[str, list[Requirement]] = {}
    for requirement, _ in entries((ROOT / path).read_text()):
        found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def wanted(names: list[str]) -> Iterator[Requirement]:
    """The requirements of these lists, with those of extras of our own that they name."""
    for text in names:
        requirement = Requirement(text)
        if requirement.name == "deniable":
            yield from wanted([text for extra in requirement.extras for text in OPTIONAL[extra]])
        else:
            yield requirement


def fits(requirement: Requirement, candidates: list[Requirement]) -> bool:
    """Whether each version that a lock has for a package is one that the requirement allows."""
    versions = [str(each.specifier).removeprefix("==") for each in candidates]
    return bool(versions) and all(requirement.specifier.contains(each) for each in versions)


def missing(needed: list[Requirement], lock_path: Path) -> list[str]:
    """The requirements that a lock does not meet."""
    found = locked(lock_path)
    return [
        str(each) for each in needed if not fits(each, found.get(canonicalize_name(each.name), []))
    ]


@pytest.mark.parametrize("path", LOCKS, ids=str)
def test_each_file_has_hashes_and_no_host_is_named(path: Path) -> None:
    """Pip takes one version of each package for a machine, and nothing without its hash."""
    text = (ROOT / path).read_text()
    assert not re.search(r"://|index|find-links|trusted-host|@", text)
    assert "make lock" in text
    for requirement, count in entries(text):
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), requirement
        assert count > 0, requirement
    for name, candidates in locked(path).items():
        here = [each for each in candidates if each.marker is None or each.marker.evaluate()]
        assert len(here) <= 1, name


def test_the_locks_are_those_of_pyproject() -> None:
    """Whoever changes a requirement makes the locks again: run `make lock`."""
    needed = list(wanted([text for extra in lock.EXTRAS for text in OPTIONAL[extra]]))
    assert len(needed) > 15
    assert missing(needed, lock.LOCK) == []
    assert missing(list(wanted(PROJECT["build-system"]["requires"])), lock.BUILD_LOCK) == []
    narrower = [Requirement("flask>=9"), Requirement("nothing-of-this-name")]
    assert missing(narrower, lock.LOCK) == ["flask>=9", "nothing-of-this-name"]


@pytest.mark.parametrize("path", LOCKS, ids=str)
def test_what_locked_packages_need_is_locked(path: Path) -> None:
    """Installing refuses a package that another one needs and that has no hash."""
    found = locked(path)
    # What extras of ours ask of others, such as the binary of a driver.
    extras: dict[str, set[str]] = {
        canonicalize_name(each.name): each.extras
        for each in wanted([text for extra in lock.EXTRAS for text in OPTIONAL[extra]])
    }
    compared = 0
    for name, candidates in found.items():
        here = [each for each in candidates if each.marker is None or each.marker.evaluate()]
        # Another version may need something else.
        if not here or not fits(Requirement(f"x=={distribution(name).version}"), here):
            continue
        compared += 1
        for text in distribution(name).requires or ():
            needed = Requirement(text)
            if applies(needed.marker, extras.get(name, set())):
                assert canonicalize_name(needed.name) in found, f"{name} needs {needed}"
    assert compared > 0


def applies(marker: Marker | None, extras: set[str]) -> bool:
    """Whether a requirement of a package with these extras is one on this machine."""
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in {"", *extras})


def test_the_image_takes_nothing_without_a_hash() -> None:
    """Each time that pip fetches anything, it checks hashes; our own package needs no index."""
    lines = (ROOT / "Containerfile").read_text().replace("\\\n", " ").splitlines()
    commands = [part for line in lines for part in line.split("&&") if "/bin/pip " in part]
    fetching = [each for each in commands if " uninstall " not in each]
    assert len(fetching) == 4
    for command in fetching:
        assert "--require-hashes" in command or "--no-deps" in command, command
        if "--no-deps" in command:
            assert "--no-index" in command or "--no-build-isolation" in command, command
    named = set(re.findall(r"--requirement (\S+)", " ".join(commands)))
    assert named == {str(path) for path in LOCKS}


def test_a_release_has_a_lock_of_itself_and_the_bill_of_its_materials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bill is CycloneDX, by the library's schema, with the packages of the lock."""
    monkeypatch.setattr(release, "BUILT", tmp_path)
    (tmp_path / "deniable-0.1.0-py3-none-any.whl").write_bytes(b"a wheel")
    release.add_materials("0.1.0")

    bill = (tmp_path / "deniable-0.1.0.cdx.json").read_text()
    document = json.loads(bill)
    schema = SchemaVersion.from_version(document["specVersion"])
    validator = make_schemabased_validator(OutputFormat.JSON, schema)
    assert validator.validate_str(bill) is None
    assert validator.validate_str(bill.replace('"components"', '"component"', 1)) is not None
    root = document["metadata"]["component"]
    assert (root["name"], root["version"]) == ("deniable", PROJECT["project"]["version"])
    listed = {(each["name"], each["version"]) for each in document["components"]}
    assert listed == {
        (each.name, str(each.specifier).removeprefix("=="))
        for candidates in locked(lock.LOCK).values()
        for each in candidates
    }
    for each in document["components"]:
        (source,) = each["externalReferences"]
        assert {found["alg"] for found in source["hashes"]} == {"SHA-256"}, each["name"]

    text = (tmp_path / "requirements-0.1.0.txt").read_text()
    *others, (own, count) = entries(text)
    assert [each for each, _ in others] == [
        each for each, _ in entries((ROOT / lock.LOCK).read_text())
    ]
    assert (own.name, own.extras, str(own.specifier), count) == (
        "deniable", set(lock.EXTRAS), "==0.1.0", 1,
    )  # fmt: skip
