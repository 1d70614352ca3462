"""One place under several names, which would count twice."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from analysis.sources.test_collector_answers import answering
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.sources import named_locations
from deniable_analysis.sources.addresses import Address
from deniable_analysis.sources.base import ListedSurvey
from deniable_analysis.sources.collector import CollectorSource
from deniable_analysis.sources.federation import about_sites
from deniable_analysis.sources.places import place_of
from deniable_analysis.sources.sites import Site
from live_server import ANALYST_TOKEN
from sample_definitions import survey, yes_no

HTTP = "http://localhost:8000/s/a"
DATABASE = "postgresql://a@db.example/x"
SAME = [
    (HTTP, "http://127.0.0.1:8000/s/a"),
    (HTTP, "http://[::1]:8000/s/a/"),
    (HTTP, "HTTP://LOCALHOST:8000/s/a?lang=de"),
    ("https://a.example/s/a", "https://A.Example.:443/s/%61"),
    (DATABASE, "postgres://b:secret@DB.example:5432/x"),
]
DIFFERENT = [
    (HTTP, "http://localhost:8001/s/a"),
    (HTTP, "http://localhost:8000/s/b"),
    ("https://a.example/s/a", "https://b.example/s/a"),
    (DATABASE, "postgresql://a@db.example/y"),
    (DATABASE, "postgresql://a@db.example/x?host=/run/other"),
    ("s3://bucket/a", "s3://bucket/b"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_server_under_two_addresses_is_refused(one: str, other: str) -> None:
    """Under all names that show it; the site that is too much is named."""
    with pytest.raises(InvalidArgument, match=r"^site 'b': its location is that of the site 'a'"):
        named_locations({"a": one, "b": other})


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_addresses_are_other_places(one: str, other: str) -> None:
    """Two sites on one machine, or two surveys at one site, are none the less two."""
    assert place_of(one) != place_of(other)
    assert list(named_locations({"a": one, "b": other})) == ["a", "b"]


def _link(path: Path) -> Path:
    link = path.with_name("link")
    link.symlink_to(path)
    return link


def _hard_link(path: Path) -> Path:
    link = path.with_name("hard")
    link.hardlink_to(path)
    return link


@pytest.mark.parametrize(
    "other",
    [
        str,
        _link,
        _hard_link,
        lambda path: path.parent / "." / ".." / path.parent.name / path.name,
        lambda path: f"sqlite:///{path}",
    ],
)
def test_one_file_under_two_paths_is_refused(
    tmp_path: Path, other: Callable[[Path], str | Path]
) -> None:
    """Relative, linked or as a URL, it is the same file."""
    path = tmp_path / "store.sqlite"
    path.touch()
    with pytest.raises(InvalidArgument, match=r"^site 'b': its location is that of the site 'a'"):
        named_locations({"a": path, "b": other(path)})


@pytest.mark.parametrize("said", [{"site": "north"}, {"started": "0" * 32}])
def test_two_collectors_that_say_the_same_are_refused(said: dict[str, str]) -> None:
    """One name, or one start; even if the caller left the names out."""
    asked = survey(yes_no())
    listed = ListedSurvey(asked.digest, asked.slug, 1, is_closed=False, location="1")
    body = json.dumps({**said, "editions": []}).encode()
    with ExitStack() as running:
        urls = [running.enter_context(answering(200, body))[0] for _ in range(2)]
        sites = [
            Site(name, CollectorSource(Address(url, asked.slug), ANALYST_TOKEN), listed)
            for name, url in zip("ab", urls, strict=True)
        ]
        with pytest.raises(InvalidArgument, match=r"^site 'b': .* same as that of 'a'"):
            about_sites(asked, sites, ["a", "b"], {}, are_given=False)
