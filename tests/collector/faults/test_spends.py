"""Tokens are spent at two collectors on one database, some twice, while workers are killed."""

import json
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_collector.store.base import row_of
from deniable_sdk import Report
from invitations import InvitedSurvey, invited_survey, many_reports
from load import JSON_TYPE, NDJSON_TYPE, TRY_LATER
from postgres_server import PostgresServer
from sample_definitions import choice, yes_no
from served import Served, publish, rows_by_id, served

SENDERS = 6
MOST_AT_ONCE = 20
PAUSE_S = 0.05
LIMIT_S = 120
UNLIMITED = {"DENIABLE_RATE_LIMIT": "0"}


@dataclass
class Spending:
    """People who send their reports to either of two collectors until they are told the end.

    What is not answered is sent again, with the same bytes, to whichever collector.
    """

    sites: Sequence[Served]
    seed: float
    statuses: dict[bytes, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, parcel: Sequence[Report]) -> None:
        """Deliver some reports in one request, and note what became of each."""
        texts = [report.to_bytes() for report in parcel]
        source = random.Random(f"{self.seed}/{texts[0]!r}")
        while True:
            with closing(source.choice(self.sites).connect()) as connection:
                found = self._try(connection, texts)
            if found:
                break
            time.sleep(PAUSE_S)
        with self._lock:
            self.statuses.update(zip(texts, found, strict=True))

    def _try(self, connection: HTTPConnection, texts: Sequence[bytes]) -> list[int]:
        media_type = JSON_TYPE if len(texts) == 1 else NDJSON_TYPE
        try:
            headers = {"Content-Type": media_type}
            connection.request("POST", "/api/reports", b"\n".join(texts), headers)
            response = connection.getresponse()
            document = json.loads(response.read())
        except (OSError, HTTPException):
            return []
        if response.status in TRY_LATER:
            return []
        return [each["status"] for each in document.get("results", [document])]

    def wait_for(self, count: int) -> None:
        """Come back once so many reports have got their answers."""
        deadline = time.monotonic() + LIMIT_S
        while len(self.statuses) < count:
            assert time.monotonic() < deadline, len(self.statuses)
            time.sleep(PAUSE_S)


def doubled(invited: InvitedSurvey, report: Report) -> Report:
    """Another report on the same token, with other answers."""
    while (other := invited.report(report.token)).values == report.values:
        pass
    return other


def parcels(reports: Sequence[Report], source: random.Random) -> Iterator[Sequence[Report]]:
    """The reports, most of them alone and some together."""
    begin = 0
    while begin < len(reports):
        size = source.choice([1, 1, 1, source.randint(2, MOST_AT_ONCE)])
        yield reports[begin : begin + size]
        begin += size


def pipes(site: Served) -> int:
    """How many pipes the supervisor has; one more while it waits for a worker to start."""
    found = 0
    for descriptor in Path(f"/proc/{site.process.pid}/fd").iterdir():
        # One that was closed after the folder was read has no name any more.
        with suppress(FileNotFoundError):
            found += str(descriptor.readlink()).startswith("pipe:")
    return found


def kill_one(sites: Sequence[Served], source: random.Random) -> None:
    """Kill one of the workers of one collector, and see another take its place."""
    site = source.choice(sites)
    before, quiet = site.workers(), pipes(site)
    victim = source.choice(before)
    os.kill(victim, signal.SIGKILL)
    deadline = time.monotonic() + LIMIT_S
    while victim in (now := site.workers()) or len(now) < len(before) or pipes(site) > quiet:
        assert time.monotonic() < deadline
        time.sleep(PAUSE_S)


def spend(
    server: PostgresServer, folder: Path, counts: tuple[int, int, int], source: random.Random
) -> None:
    """Spend tokens, some of them twice, while workers are killed; then look at the rows.

    Args:
        server: the database of both collectors.
        folder: where they log.
        counts: how many reports, how many of them on a token of another one, and how many
            kills.
        source: of what is drawn.
    """
    count, doubles, kills = counts
    invited = invited_survey(yes_no(), choice(options=30), ask="all", epsilon="0.5", slug="ward")
    first = many_reports(invited, count - doubles, source)
    reports = first + [doubled(invited, report) for report in first[:doubles]]
    source.shuffle(reports)
    location = server.schema()
    publish(location, invited.published)
    with ExitStack() as stack:
        sites = []
        for name in ("first", "second"):
            (folder / name).mkdir()
            running = served(location, folder / name, workers=2, environment=UNLIMITED)
            sites.append(stack.enter_context(running))
        spending = Spending(sites, source.random())
        with ThreadPoolExecutor(SENDERS) as senders:
            sent: list[Future[None]] = [
                senders.submit(spending.send, parcel) for parcel in parcels(reports, source)
            ]
            for number in range(kills):
                spending.wait_for(number * count // (kills + 1))
                kill_one(sites, source)
            for each in sent:
                each.result()
        assert [site.stop() for site in sites] == [0, 0]
    check(location, invited, reports, spending.statuses)


def check(
    location: str,
    invited: InvitedSurvey,
    reports: Sequence[Report],
    statuses: dict[bytes, int],
) -> None:
    """One report for each token, and everybody was told the truth."""
    assert len(statuses) == len(reports)
    accepted = {
        report.id: report for report in reports if statuses[report.to_bytes()] in (200, 201)
    }
    tokens = Counter(report.id for report in reports)
    assert accepted.keys() == tokens.keys()
    found = Counter(statuses.values())
    assert found[409] == sum(count - 1 for count in tokens.values())
    assert found.keys() <= {200, 201, 409}
    assert rows_by_id(location, invited.published) == dict.fromkeys(tokens, 1)
    with closing(open_store(location)) as store:
        stored = store.find_edition(invited.published.digest)
        assert stored is not None
        rows = store.read_rows(stored, None, len(reports))
    assert set(rows) == {row_of(report, invited.published) for report in accepted.values()}


def test_each_token_is_spent_once(
    postgres_server: PostgresServer, tmp_path: Path, random_source: random.Random
) -> None:
    """Of two reports on a token one is stored, whichever collector each of them reaches."""
    spend(postgres_server, tmp_path, (600, 60, 3), random_source)


@pytest.mark.deep
def test_each_of_many_tokens_is_spent_once(
    postgres_server: PostgresServer, tmp_path: Path, random_source: random.Random
) -> None:
    """10,000 reports, 500 of them on tokens that others are on, and 20 kills."""
    spend(postgres_server, tmp_path, (10_000, 500, 20), random_source)
