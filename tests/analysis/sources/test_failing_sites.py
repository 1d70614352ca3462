"""Three sites over HTTP, one of which fails: the right numbers or an error that names it."""

import json
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from deniable_analysis import open_sites, open_study
from deniable_analysis.errors import (
    InvalidArgument,
    StudyUnavailable,
    SurveyNotFound,
    UnreadableStudy,
)
from deniable_analysis.sources.addresses import Address
from deniable_analysis.sources.collector import CollectorSource
from deniable_analysis.sources.sites import Site, Sites
from deniable_sdk import InvalidSurvey, Report, randomize
from live_server import ANALYST_TOKEN, LiveCollector, fill_site, live_collector
from sample_definitions import choice, survey, yes_no
from tampering_proxy import Exchange, Tamper, tampering_proxy

ASKED = survey(choice("region", 3), yes_no("order"), epsilon=4, ask="all")
OTHER = survey(choice("region", 3), yes_no("order"), epsilon=5, ask="all")
COUNTS = {"north": 40, "south": 25, "west": 31}
FAILING = "west"


@dataclass
class Three:
    """Three collectors; between the last and the analyst is a proxy that does what it is told."""

    places: dict[str, str]
    folder: Path
    west: LiveCollector
    tamper: Tamper

    def others(self) -> int:
        """How many reports the two sites have that do not fail."""
        return sum(count for name, count in COUNTS.items() if name != FAILING)


def nothing(_: Exchange) -> None:
    """Pass on what the collector says."""


@pytest.fixture
def three(tmp_path: Path, random_source: random.Random) -> Iterator[Three]:
    """The sites, and one store of all their reports."""
    every: list[Report] = []
    with ExitStack() as running:
        live: dict[str, LiveCollector] = {}
        for name, count in COUNTS.items():
            reports = [
                randomize(
                    ASKED,
                    {"order": random_source.random() < 0.3, "region": "o2"},
                    read_bytes=random_source.randbytes,
                )
                for _ in range(count)
            ]
            every += reports
            fill_site(tmp_path / f"{name}.sqlite", reports, ASKED)
            live[name] = running.enter_context(live_collector(tmp_path / f"{name}.sqlite"))
        fill_site(tmp_path / "whole.sqlite", every, ASKED)
        found = Three({}, tmp_path, live[FAILING], nothing)

        def tamper(exchange: Exchange) -> None:
            found.tamper(exchange)

        proxy = running.enter_context(tampering_proxy(live[FAILING].url, tamper))
        found.places = {
            name: f"{proxy.url() if name == FAILING else each.url}/s/{ASKED.slug}"
            for name, each in live.items()
        }
        yield found


def is_counts(exchange: Exchange) -> bool:
    """Whether a request is for counts, and not for what the collector has."""
    return "/results" in exchange.path or "/tuples" in exchange.path


def changed(change: Callable[[dict[str, object]], None]) -> Tamper:
    """A fault that changes what the site says of its counts."""

    def tamper(exchange: Exchange) -> None:
        if is_counts(exchange):
            document = json.loads(exchange.body)
            change(document)
            exchange.body = json.dumps(document).encode()

    return tamper


def cut(exchange: Exchange) -> None:
    """Send half of the counts, and end the connection."""
    if is_counts(exchange):
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(exchange.body)}\r\n\r\n".encode()
        exchange.raw = [head, exchange.body[: len(exchange.body) // 2]]


def bad_gateway(exchange: Exchange) -> None:
    """Answer as a proxy does that reaches nobody."""
    exchange.status = 502


def _out_of_range(document: dict[str, object]) -> None:
    blocks = document["blocks"]
    assert isinstance(blocks, list)
    blocks[-1]["support"] = [[9, blocks[-1]["reports"]]]


def _more_than_reports(document: dict[str, object]) -> None:
    blocks = document["blocks"]
    assert isinstance(blocks, list)
    blocks[-1]["support"] = [[0, blocks[-1]["reports"] + 1], [1, -1]]


def _other_digest(document: dict[str, object]) -> None:
    document["digest"] = OTHER.digest


def _fewer(document: dict[str, object]) -> None:
    document["reports"] = 3


def _one_more(document: dict[str, object]) -> None:
    document["reports"] = COUNTS[FAILING] + 1


def _twice(document: dict[str, object]) -> None:
    blocks = document["blocks"]
    assert isinstance(blocks, list)
    blocks[-1]["support"] += blocks[-1]["support"][:1]


FAULTS: dict[str, tuple[Tamper, type[Exception]]] = {
    "cut off in the middle": (cut, StudyUnavailable),
    "a value that no device sends": (changed(_out_of_range), UnreadableStudy),
    "counts that no reports have": (changed(_more_than_reports), UnreadableStudy),
    "the counts of another document": (changed(_other_digest), UnreadableStudy),
    "fewer reports than blocks": (changed(_fewer), UnreadableStudy),
    "more reports than have all blocks": (changed(_one_more), UnreadableStudy),
    "a value twice": (changed(_twice), UnreadableStudy),
    "an error of the server": (bad_gateway, StudyUnavailable),
}


@pytest.mark.sweep
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_one_site_is_an_error_that_names_it(three: Three, fault: str) -> None:
    """Never a number; without the site there are those of the others, and they say so."""
    study = open_sites(three.places, token=ANALYST_TOKEN)
    three.tamper, error = FAULTS[fault]
    for by_site in (False, True):
        with pytest.raises(error, match=f"^site '{FAILING}': "):
            study.estimate(by_site=by_site)
    without = open_sites(three.places, token=ANALYST_TOKEN, without=[FAILING])
    assert without.report_count == three.others()
    assert any(f"without the site '{FAILING}'" in each for each in without.estimate().warnings)


def test_a_document_with_other_bytes_is_named(three: Three) -> None:
    """Which is how a site would let its people answer other questions."""

    def tamper(exchange: Exchange) -> None:
        if "/by-digest/" in exchange.path:
            exchange.body = OTHER.document

    three.tamper = tamper
    with pytest.raises(InvalidSurvey, match=f"^site '{FAILING}': the survey's bytes have"):
        open_sites(three.places, token=ANALYST_TOKEN)


def test_a_site_under_the_name_of_another_is_refused(three: Three) -> None:
    """Whether or not the survey names its sites."""

    def tamper(exchange: Exchange) -> None:
        if exchange.path.endswith("/editions"):
            exchange.body = exchange.body.replace(b'"site":null', b'"site":"north"')

    three.tamper = tamper
    with pytest.raises(InvalidArgument, match=f"^site '{FAILING}': the collector .* site 'north'"):
        open_sites(three.places, token=ANALYST_TOKEN)


def test_a_collector_under_two_addresses_is_refused(three: Three) -> None:
    """The proxy leads to a collector that is there already."""
    places = {**three.places, "again": f"{three.west.url}/s/{ASKED.slug}"}
    with pytest.raises(InvalidArgument, match=r"^site 'again': .* that of 'west', .* count twice"):
        open_sites(places, token=ANALYST_TOKEN)
    others = {name: place for name, place in places.items() if name != FAILING}
    assert open_sites(others, token=ANALYST_TOKEN).report_count == sum(COUNTS.values())


@pytest.mark.deep
def test_a_site_that_is_killed_in_the_middle_is_named(three: Three) -> None:
    """Its process ends between two pieces of its answer, and stays away."""
    study = open_sites(three.places, token=ANALYST_TOKEN)

    def kill(exchange: Exchange) -> None:
        if is_counts(exchange):
            three.west.kill()
            cut(exchange)

    three.tamper = kill
    with pytest.raises(StudyUnavailable, match=f"^site '{FAILING}': no answer from"):
        study.estimate()
    with pytest.raises(StudyUnavailable, match=f"^site '{FAILING}': "):
        open_sites(three.places, token=ANALYST_TOKEN)


@pytest.mark.deep
def test_a_slow_site_changes_no_number(three: Three) -> None:
    """The results wait for it, and are exactly those of one store with all reports."""

    def wait(exchange: Exchange) -> None:
        time.sleep(0.5 if is_counts(exchange) else 0)

    three.tamper = wait
    found = open_sites(three.places, token=ANALYST_TOKEN).estimate()
    whole = open_study(three.folder / "whole.sqlite").estimate()
    assert found.reports == sum(COUNTS.values())
    assert replace(found, about_sites=()) == whole


def test_a_site_that_never_answers_is_an_error(three: Three) -> None:
    """A process that stands still accepts connections; waiting for it ends."""
    study = open_sites(three.places, token=ANALYST_TOKEN)
    sites = [
        Site(name, CollectorSource(Address.of(url), ANALYST_TOKEN, timeout_s=3), stored)
        for name, url in three.places.items()
        for stored in CollectorSource(Address.of(url), ANALYST_TOKEN).surveys()
    ]
    patient = Sites(tuple(sites))
    counts = patient.count(sites[0].stored, study.survey.blocks)
    assert counts.report_count == sum(COUNTS.values())
    os.kill(three.west.process.pid, signal.SIGSTOP)
    try:
        with pytest.raises(StudyUnavailable, match=f"^site '{FAILING}': no answer from"):
            patient.count(sites[0].stored, study.survey.blocks)
    finally:
        os.kill(three.west.process.pid, signal.SIGCONT)


@pytest.mark.deep
def test_a_site_that_has_another_document_is_named(three: Three) -> None:
    """It is refused before anything is counted; the message has both epsilons."""
    other = three.folder / "other.sqlite"
    fill_site(other, [], OTHER)
    with live_collector(other) as collector:
        places = {**three.places, FAILING: f"{collector.url}/s/{OTHER.slug}"}
        with pytest.raises(SurveyNotFound, match=f"^site '{FAILING}': it has not pub") as failure:
            open_sites(places, token=ANALYST_TOKEN)
    assert "with epsilon 5, and 'north' with 4" in str(failure.value)
