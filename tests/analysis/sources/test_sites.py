"""One study over several sites: its numbers are exactly those of one store with all reports."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from analysis.study_files import add_reports as add_rows
from analysis.study_files import close_survey, write_store
from deniable_analysis import Interval, Study, export_study, open_sites, open_study
from deniable_analysis.errors import (
    InvalidArgument,
    NoGroups,
    StudyNotFound,
    StudyRefused,
    StudyUnavailable,
    SurveyNotFound,
    UnreadableStudy,
)
from deniable_collector import open_store
from deniable_sdk import PublishedSurvey, Report, randomize
from deniable_sdk.canonical import JSON
from deniable_storage.ends import End, Fieldwork
from live_server import ANALYST_TOKEN, LiveCollector, fill_site, live_collector
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from ward_site import ward

EVERY_KIND = survey(
    choice("region", 4),
    yes_no("order"),
    multiple(options=4),
    number(),
    scale(target="mean"),
    yes_no("helped", show_if={"question": "order", "is": "yes"}),
    epsilon=9,
    ask="all",
    crosstabs=[["region", "order"]],
)
OTHER = survey(choice("region", 5), yes_no("order"), epsilon=9)
COUNTS = (0, 37, 120, 205)


def reports_of(published: PublishedSurvey, count: int, source: random.Random) -> list[Report]:
    """Reports of people whose answers vary."""
    return [
        randomize(
            published,
            {
                "region": f"o{source.choice((0, 0, 1, 2, 3))}",
                "order": source.random() < 0.4,
                "visits": source.randint(0, 5),
            },
            read_bytes=source.randbytes,
        )
        for _ in range(count)
    ]


@dataclass(frozen=True)
class Places:
    """Sites of every kind, and one store that has all of their reports."""

    sites: dict[str, str | Path]
    whole: Path
    collector: LiveCollector


@pytest.fixture
def places(
    tmp_path: Path, random_source: random.Random, request: pytest.FixtureRequest
) -> Iterator[Places]:
    """An empty SQLite file, a PostgreSQL database, an export, and a collector over HTTP."""
    parts = [reports_of(EVERY_KIND, count, random_source) for count in COUNTS]
    empty, exported, served = (tmp_path / f"{name}.sqlite" for name in ("empty", "out", "http"))
    database = request.getfixturevalue("postgres_server").schema()
    for location, part in zip((empty, database, exported, served), parts, strict=True):
        fill_site(location, part, EVERY_KIND)
    export_study(exported, tmp_path / "reports.ndjson")
    fill_site(tmp_path / "whole.sqlite", [each for part in parts for each in part], EVERY_KIND)
    with live_collector(served) as collector:
        sites: dict[str, str | Path] = {
            "empty": empty,
            "database": database,
            "export": tmp_path / "reports.ndjson",
            "collector": f"{collector.url}/s/{EVERY_KIND.slug}",
        }
        yield Places(sites, tmp_path / "whole.sqlite", collector)


def test_numbers_of_sites_are_those_of_one_store(places: Places) -> None:
    """Estimates, crosstabs, tests, quantiles, regressions: equal to the last bit."""
    study = open_sites(places.sites, token=ANALYST_TOKEN)
    whole = open_study(places.whole)
    assert study.report_count == sum(COUNTS)
    assert study.survey == whole.survey
    # What is added is only what the results say about the sites.
    (twice,) = study.about_sites
    assert "sent to two sites counts twice, and cannot be told apart" in twice
    for interval in (None, Interval.WILSON, Interval.ANYTIME):
        found = study.estimate(interval=interval)
        assert f"sites: {twice}" in found.warnings
        assert replace(found, about_sites=()) == whole.estimate(interval=interval)
    analyses: Sequence[Callable[[Study], Any]] = (
        lambda each: each.crosstab("region", "order"),
        lambda each: each.independence("region", "order"),
        lambda each: each.compare_groups("region", "order", ("yes", "no")),
        lambda each: each.quantiles("visits"),
        lambda each: each.winner("region"),
        lambda each: each.regress("order ~ region"),
    )
    for analysis in analyses:
        result, expected = analysis(study).to_document(), analysis(whole).to_document()
        assert result["warnings"] == [*expected["warnings"], twice]
        assert {**result, "warnings": expected["warnings"]} == expected


def test_each_site_is_a_study_of_its_own(places: Places) -> None:
    """By its name; a list of locations names sites without any secret."""
    study = open_sites(places.sites, token=ANALYST_TOKEN)
    assert list(study.sites) == list(places.sites)
    assert [each.report_count for each in study.sites.values()] == list(COUNTS)
    listed = open_sites(list(places.sites.values()), token=ANALYST_TOKEN)
    port, database = places.collector.address[1], urlsplit(str(places.sites["database"])).port
    assert list(listed.sites) == [
        "empty.sqlite",
        f"127.0.0.1:{database}/postgres",
        "reports.ndjson",
        f"127.0.0.1:{port}/s/{EVERY_KIND.slug}",
    ]
    assert "pass-word" not in repr(listed)
    tokens = {"collector": ANALYST_TOKEN}
    assert open_sites(places.sites, token=tokens).report_count == sum(COUNTS)


def stop(places: Places) -> None:
    """End the collector as a power cut would."""
    places.collector.kill()


def remove(places: Places) -> None:
    """Remove the file of a site."""
    Path(places.sites["empty"]).unlink()


def damage(places: Places) -> None:
    """Write a value into an export that no device sends."""
    path = Path(places.sites["export"])
    path.write_text(path.read_text().replace('"helped":0', '"helped":7'))


FAULTS = {
    "a collector that ended": (stop, "collector", StudyUnavailable),
    "a file that is gone": (remove, "empty", StudyNotFound),
    "an illegal value": (damage, "export", UnreadableStudy),
}


@pytest.mark.sweep
@pytest.mark.parametrize("fault", FAULTS)
def test_a_site_that_fails_is_named(places: Places, fault: str) -> None:
    """Before it is opened and afterwards there is an error and no number."""
    happens, name, error = FAULTS[fault]
    study = open_sites(places.sites, token=ANALYST_TOKEN)
    happens(places)
    with pytest.raises(error, match=f"^site '{name}': ") as failure:
        study.estimate()
    assert f"leave the site out with without=['{name}']" in str(failure.value)
    with pytest.raises(error, match=f"^site '{name}': "):
        open_sites(places.sites, token=ANALYST_TOKEN).estimate()
    reports = dict(zip(places.sites, COUNTS, strict=True))[name]
    found = open_sites(places.sites, token=ANALYST_TOKEN, without={name: "it failed"})
    assert found.report_count == sum(COUNTS) - reports
    assert name not in found.sites
    said = f"sites: this result is without the site {name!r}, which is missing: it failed"
    assert said in found.estimate().warnings
    others = {key: place for key, place in places.sites.items() if key != name}
    expected = open_sites(others, token=ANALYST_TOKEN).estimate()
    assert replace(found.estimate(), about_sites=expected.about_sites) == expected


def test_a_site_with_another_document_is_refused(tmp_path: Path) -> None:
    """Its counts are of other questions; the message names both and what to do."""
    for name, published in (("one", EVERY_KIND), ("two", OTHER)):
        fill_site(tmp_path / f"{name}.sqlite", [], published)
    with pytest.raises(SurveyNotFound) as failure:
        open_sites({each: tmp_path / f"{each}.sqlite" for each in ("one", "two")})
    assert str(failure.value).startswith("site 'two': it has not published the document")
    assert EVERY_KIND.digest in str(failure.value)
    assert f"{OTHER.slug}@1" in str(failure.value)
    assert "pool_studies" in str(failure.value)


def test_sites_may_have_the_survey_as_different_editions(
    tmp_path: Path, random_source: random.Random
) -> None:
    """The document decides; the edition is a number of each collector."""
    one, two = tmp_path / "one.sqlite", tmp_path / "two.sqlite"
    fill_site(one, reports_of(EVERY_KIND, 5, random_source), EVERY_KIND)
    with closing(open_store(two)) as store:
        store.publish(OTHER)
        store.close_survey(OTHER.slug)
    fill_site(two, reports_of(EVERY_KIND, 6, random_source), EVERY_KIND)
    study = open_sites([one, two])
    assert study.report_count == 11
    assert [each.edition for each in study.sites.values()] == [1, 2]


def test_a_token_is_for_the_site_that_is_named(places: Places) -> None:
    """A wrong one is refused by that site; one for no site is a mistake."""
    with pytest.raises(StudyRefused, match="site 'collector': "):
        open_sites(places.sites, token={"collector": "deniable_analyst_wrong"})
    with pytest.raises(InvalidArgument, match="got a token for 'colector'") as failure:
        open_sites(places.sites, token={"colector": ANALYST_TOKEN})
    assert "collector" in str(failure.value)
    assert ANALYST_TOKEN not in str(failure.value)
    with pytest.raises(InvalidArgument, match=r"^token: .*open_sites takes one for each site"):
        open_study(places.whole, token={"whole": ANALYST_TOKEN})  # type: ignore[arg-type]


WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "none": (lambda _: [], "at least one"),
    "the same place twice": (lambda path: [path, path], "name the sites"),
    "the same place under two names": (lambda path: {"a": path, "b": str(path)}, "count twice"),
    "a site without a name": (lambda path: {"": path}, "without a name"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_sites_that_cannot_be_are_refused(tmp_path: Path, kind: str) -> None:
    """Before anything is counted."""
    path = tmp_path / "one.sqlite"
    write_store(path, EVERY_KIND)
    make, message = WRONG[kind]
    with pytest.raises(InvalidArgument, match=message):
        open_sites(make(path))  # type: ignore[arg-type]


ENDS = [
    ([End.CLOSES, End.CLOSES], End.CLOSES),
    ([End.AT_MOST_REPORTS, End.CLOSES], End.CLOSES),
    ([End.CLOSES, End.MARGIN], End.MARGIN),
    ([End.HAND, End.MARGIN], End.HAND),
    ([End.CLOSES, None], None),
]


@pytest.mark.parametrize(("ends", "expected"), ENDS)
def test_the_end_of_all_is_planned_only_if_every_end_is(
    tmp_path: Path, ends: Sequence[End | None], expected: End | None
) -> None:
    """A site that is open, or was closed by a decision, leaves intervals for every look."""
    published = survey(yes_no("order"), closes="2020-01-02T00:00Z", at_most_reports=9)
    opened = survey(yes_no("order"))
    paths = [tmp_path / f"{place}.sqlite" for place in range(len(ends))]
    kind = published if None not in ends and End.HAND not in ends else opened
    for path, end in zip(paths, ends, strict=True):
        write_store(path, kind)
        add_rows(path, kind, [{"order": 1}, {"order": 0}])
        if end:
            close_survey(path, kind, end)
    study = open_sites(paths)
    assert study.fieldwork() == Fieldwork(expected, is_given_out=expected is End.HAND)
    is_planned = expected in (End.CLOSES, End.AT_MOST_REPORTS)
    wanted = Interval.WILSON if is_planned else Interval.ANYTIME
    assert study.estimate().interval is wanted


def test_groups_are_counted_once_every_site_is_closed(tmp_path: Path) -> None:
    """A site that is still open keeps the groups of all; then they are those of one store."""
    invited = ward(first_key=20).published
    reports: list[dict[str, JSON]] = [
        {"_group": group, "harassed": place % 2, "stress": place % 5, "shift": place % 3}
        for group, count in (("nurses", 30), ("doctors", 21), ("cleaners", 6))
        for place in range(count)
    ]
    one, two, whole = (tmp_path / f"{name}.sqlite" for name in ("one", "two", "whole"))
    for path, part in ((one, reports[::2]), (two, reports[1::2]), (whole, reports)):
        write_store(path, invited)
        add_rows(path, invited, part)
    close_survey(whole, invited)
    close_survey(one, invited)
    study = open_sites([one, two])
    with pytest.raises(NoGroups, match="not closed"):
        study.estimate(by_group=True)
    close_survey(two, invited)
    of_whole = open_study(whole).estimate(by_group=True)
    # Somebody looked at the sites before.
    fieldwork = replace(of_whole.fieldwork, is_given_out=True)
    found = replace(study.estimate(by_group=True), about_sites=())
    assert found == replace(of_whole, fieldwork=fieldwork)
    assert not study.group("nurses").sites
