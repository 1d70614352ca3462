"""/metrics returns counts, only to those who may know when reports are sent."""

import json
import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest

from deniable_collector.metrics import FOLDER, shared_metrics
from deniable_collector.store import open_store
from deniable_collector.store.backup import back_up
from deniable_sdk import PublishedSurvey, Report, randomize
from live_server import ANALYST_TOKEN, Answer, LiveCollector, live_collector
from problem_checks import assert_problem, assert_safe_headers
from sample_definitions import survey, yes_no

ReadBytes = Callable[[int], bytes]
Series = dict[str, float]

OPEN = survey(yes_no(), slug="open")
ENDED = survey(yes_no(), slug="ended")
EARLY = survey(yes_no(), slug="early", opens="2095-01-01T00:00Z")
OVER = survey(yes_no(), slug="over", closes="2020-01-01T00:00Z")
FULL = survey(yes_no(), slug="full", at_most_reports=1)
DAY_S = 86_400
NDJSON = {"Content-Type": "application/x-ndjson"}


@contextmanager
def workers(store: Path, count: int) -> Iterator[list[LiveCollector]]:
    """So many collectors that count together, on one store."""
    with shared_metrics(), live_collector(store) as first:
        if count == 1:
            yield [first]
            return
        with live_collector(store) as second:
            yield [first, second]


def counts_of(collector: LiveCollector) -> Series:
    """What the collector says it counted, series by series."""
    answer = collector.send("GET", "/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert_safe_headers(answer)
    lines = (line for line in answer.body.decode().splitlines() if line[0] != "#")
    return {name: float(count) for name, _, count in (line.rpartition(" ") for line in lines)}


def labelled(counted: Series, pattern: str) -> Series:
    """The counts of a series by its one label that differs."""
    found = ((re.fullmatch(pattern, name), count) for name, count in counted.items())
    return {match[1]: count for match, count in found if match}


def changed(report: Report, published: PublishedSurvey) -> dict[str, object]:
    """The report with its id and another legal value."""
    document = json.loads(report.to_bytes())
    (block,) = published.blocks
    document["values"][block.id] = (document["values"][block.id] + 1) % 3
    return dict(document)


def send_everything(take: Callable[[bytes, dict[str, str]], Answer], read_bytes: ReadBytes) -> int:
    """Send each outcome a number of times of its own; how many requests it took."""
    reports = [randomize(OPEN, {}, read_bytes=read_bytes) for _ in range(14)]
    late, early, over, full = (
        [randomize(published, {}, read_bytes=read_bytes).to_bytes() for _ in range(count)]
        for published, count in ((ENDED, 3), (EARLY, 6), (OVER, 7), (FULL, 9))
    )
    strange = [{**json.loads(report.to_bytes()), "survey": "0" * 64} for report in reports[:4]]
    first = [report.to_bytes() for report in reports]
    bodies: list[tuple[bytes, dict[str, str]]] = [
        (first[0], {}),
        (first[0], {}),
        (json.dumps([json.loads(text) for text in first[1:8]]).encode(), {}),
        (b"\n".join([*first[8:], first[1]]), NDJSON),
        (json.dumps(changed(reports[2], OPEN)).encode(), {}),
        (b"\n".join(late), NDJSON),
        (b"\n".join([*early, *over]), NDJSON),
        (full[0], {}),
        (b"\n".join(full[1:]), NDJSON),
        (json.dumps(strange).encode(), {}),
        (b"{}\n[1]\n{}\n{}\n5", NDJSON),
        (b"broken\n{", NDJSON),
        (b"[", {}),
        (b"{", {}),
    ]
    for body, headers in bodies:
        take(body, headers)
    return len(bodies)


@pytest.mark.parametrize("count", [1, 2])
def test_the_counts_are_those_of_what_was_sent(
    count: int, store_path: Path, read_bytes: ReadBytes
) -> None:
    """Every report and request is counted once, whichever worker took it."""
    with workers(store_path, count) as running:
        with closing(open_store(store_path)) as store:
            for published in (OPEN, ENDED, EARLY, OVER, FULL):
                store.publish(published)
        assert running[0].owner("POST", "/api/surveys/ended/close").status == 200
        turns = iter(range(1_000))
        sent = send_everything(
            lambda body, headers: running[next(turns) % count].send(
                "POST", "/api/reports", body, headers
            ),
            read_bytes,
        )
        assert running[-1].send("GET", "/nowhere/at/all").status == 404
        found = [counts_of(each) for each in running]
    counted = found[-1]
    assert labelled(counted, r'deniable_reports_total\{outcome="(\w+)"\}') == {
        "stored": 15,
        "already_stored": 2,
        "conflict": 1,
        "closed": 3,
        "not_open": 6,
        "over": 7,
        "full": 8,
        "precise": 0,
        "unknown_survey": 4,
        "other_site": 0,
        "invalid": 5,
        "unreadable": 4,
    }
    posted = labelled(counted, r'deniable_requests_total\{route="/api/reports",status="(\d+)"\}')
    assert posted == {"200": sent - 5, "201": 2, "400": 2, "409": 1}
    assert counted['deniable_requests_total{route="none",status="404"}'] == 1
    assert counted["deniable_waiting_reports"] == 0
    assert counted["deniable_commit_reports_count"] == 9
    assert counted["deniable_commit_reports_sum"] == 15 + 2 + 1 + 3 + 6 + 7 + 8
    assert counted["deniable_commit_seconds_count"] == counted["deniable_commit_reports_count"]
    assert counted["deniable_refused_lines_total"] == 3 + 6 + 7 + 8 + 5 + 2
    # All that was sent, and the requests of this test itself but the last.
    assert counted["deniable_request_seconds_count"] == sent + 2 + len(found) - 1


def test_no_series_names_a_survey_a_path_or_a_time(
    store_path: Path, read_bytes: ReadBytes
) -> None:
    """Labels are outcomes, routes, statuses and causes, and nothing says when."""
    with live_collector(store_path) as running:
        running.owner("POST", "/api/surveys", OPEN.document)
        running.send("POST", "/api/reports", randomize(OPEN, {}, read_bytes=read_bytes).to_bytes())
        running.send("GET", "/api/surveys/open")
        running.send("GET", "/canary5309?canary5309=1")
        text = running.send("GET", "/metrics").body.decode()
    assert set(re.findall(r'(\w+)="', text)) == {"outcome", "route", "status", "le", "version"}
    assert set(re.findall(r"^(\w+?)(?:_bucket|_count|_sum)?[{ ]", text, re.MULTILINE)) == {
        "deniable_reports_total",
        "deniable_refused_lines_total",
        "deniable_requests_total",
        "deniable_request_seconds",
        "deniable_waiting_reports",
        "deniable_commit_reports",
        "deniable_commit_seconds",
        "deniable_open_connections",
        "deniable_memory_bytes",
        "deniable_processor_seconds_total",
        "deniable_version",
    }
    labelled_histograms = re.findall(r"_(?:seconds|reports)_(?:sum|count|bucket)\{(.*)\}", text)
    assert {label.partition("=")[0] for label in labelled_histograms} == {"le"}
    assert "canary" not in text
    assert OPEN.digest[:12] not in text
    counts = [float(line.rpartition(" ")[2]) for line in text.splitlines() if line[0] != "#"]
    # Seconds and milliseconds since 1970, from 2001 on.
    assert not [count for count in counts if 1e9 < count < 1e10 or count > 1e12]


def test_the_version_is_told(collector: LiveCollector) -> None:
    """Whoever watches sees which version runs."""
    assert counts_of(collector)[f'deniable_version{{version="{version("deniable")}"}}'] == 1


@pytest.mark.parametrize("count", [1, 2])
def test_what_all_workers_use_is_added(count: int, store_path: Path) -> None:
    """Connections that say nothing are counted while they are open, of every worker."""
    with workers(store_path, count) as running, ExitStack() as opened:

        def wait_for(connections: int) -> Series:
            # Not the one that asks.
            while (found := counts_of(running[-1]))["deniable_open_connections"] < connections:
                time.sleep(0.1)
            return found

        for each in running:
            for _ in range(7):
                opened.enter_context(socket.create_connection(each.address))
        used = wait_for(7 * count)
        resident = sum(resident_bytes(each) for each in running)
        assert 0.5 * resident < used["deniable_memory_bytes"] < 2 * resident
        assert used["deniable_processor_seconds_total"] > 0
        opened.close()
        while counts_of(running[-1])["deniable_open_connections"] > count:
            time.sleep(0.1)


def resident_bytes(collector: LiveCollector) -> int:
    """How much memory a collector uses, as the system says."""
    status = Path(f"/proc/{collector.process.pid}/status").read_text()
    return 1_024 * int(status.partition("VmRSS:")[2].split()[0])


def test_the_age_of_the_last_backup_is_that_of_the_newest_whole_file(
    store_path: Path, tmp_path: Path
) -> None:
    """Where nobody knows of a backup there is no number, and one that is written is none."""
    folder = tmp_path / "backups"
    name = "deniable_backup_age_seconds"
    with live_collector(store_path, environment={"DENIABLE_BACKUPS": str(folder)}) as running:
        assert name not in counts_of(running)
        (folder / "folder").mkdir(parents=True)
        (folder / "today.sqlite.partial").touch()
        (folder / "today.sqlite.partial-journal").touch()
        assert name not in counts_of(running)
        for days in (9, 5, 7):
            backup = folder / f"{days}.sqlite"
            backup.touch()
            os.utime(backup, (time.time() - days * DAY_S,) * 2)
        assert 5 * DAY_S <= counts_of(running)[name] < 6 * DAY_S
        back_up(str(store_path), folder / "today.sqlite")
        assert counts_of(running)[name] < DAY_S


@pytest.mark.parametrize(
    ("ends", "is_lines"),
    [
        (b"x" * 2_000, True),
        (b"{}\n" * 10_000, True),
        (b",".join([b"{}"] * 10_000) + b"]", False),
        (b"]]", False),
        (b",".join([b"5"] * 30) + b"]", False),
    ],
    ids=["long line", "many lines", "many of an array", "broken array", "long array"],
)
def test_what_was_refused_before_a_body_ended_early_is_counted(
    ends: bytes, is_lines: bool, store_path: Path
) -> None:
    """However a body ends, whoever watches sees what was refused of it."""
    first = b"{}\n{}\n" if is_lines else b"[{},{}" + b"," * (ends != b"]]")
    limits = {"DENIABLE_MAX_BODY_BYTES": "1024"} if ends[:1] == b"x" else {}
    if ends[:1] == b"5":
        limits = {"DENIABLE_MAX_BATCH_REPORTS": "20"}
    with live_collector(store_path, environment=limits) as running:
        headers = NDJSON if is_lines else {}
        sent = running.send("POST", "/api/reports", first + ends, headers)
        counted = counts_of(running)
    assert sent.status >= 400
    refused = sum(
        counted[f'deniable_reports_total{{outcome="{outcome}"}}']
        for outcome in ("invalid", "unreadable")
    )
    lines = counted["deniable_refused_lines_total"]
    assert refused >= 3
    assert lines == (refused if is_lines else 0)


def test_what_the_server_itself_refuses_is_counted(collector: LiveCollector) -> None:
    """A refusal that no route makes has no route."""
    with closing(socket.create_connection(collector.address)) as connection:
        connection.sendall(
            b"POST /api/reports HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
        )
        assert b" 415 " in connection.recv(1_000)
    assert counts_of(collector)['deniable_requests_total{route="none",status="415"}'] == 1


def test_a_store_that_fails_is_counted_by_its_cause(store_path: Path) -> None:
    """Each request that the store could not answer is one failure."""
    with live_collector(store_path) as running:
        store_path.rename(store_path.with_name("moved.sqlite"))
        for _ in range(3):
            assert_problem(running.send("GET", "/healthz"), "store-unavailable")
        counted = counts_of(running)
    failures = {name: count for name, count in counted.items() if "store_failures" in name}
    (name,) = failures
    assert "its file was removed or replaced" in name
    assert failures[name] == 3


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1"},
        {"Via": "1.1 proxy"},
        {"X-Real-IP": "127.0.0.1"},
        {"Host": "collector.example"},
        {"Host": "127.0.0.1.collector.example:8000"},
        {"X-Forwarded-For": "127.0.0.1", "Authorization": "Bearer deniable_owner_wrong"},
    ],
    ids=" ".join,
)
def test_who_may_come_from_elsewhere_needs_a_token(
    collector: LiveCollector, headers: dict[str, str]
) -> None:
    """What a proxy passes on, or another name leads here, is not this machine's own request."""
    refused = collector.send("GET", "/metrics", headers=headers)
    assert "Send the analyst's token for all surveys" in assert_problem(refused, "token-refused")
    token = {**headers, "Authorization": f"Bearer {ANALYST_TOKEN}"}
    assert collector.send("GET", "/metrics", headers=token).status == 200


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.2", "[::1]:8000"])
def test_this_machine_may_ask_by_any_name_of_its_own(collector: LiveCollector, host: str) -> None:
    """Loopback addresses and localhost are this machine."""
    assert collector.send("GET", "/metrics", headers={"Host": host}).status == 200


def test_the_folder_of_counts_is_private_and_goes_with_the_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only the operator may read the counts' files, and nothing of them stays."""
    for before in (None, "somewhere"):
        if before:
            monkeypatch.setenv(FOLDER, before)
        with shared_metrics():
            folder = Path(os.environ[FOLDER])
            assert folder.stat().st_mode & 0o777 == 0o700
        assert not folder.exists()
        assert os.environ.get(FOLDER) == before


def test_what_a_dead_worker_had_waiting_does_not_stay(store_path: Path) -> None:
    """Of a worker that was killed the counts stay, and nothing waits in it."""
    with shared_metrics(), live_collector(store_path) as first:
        assert first.send("GET", "/healthz").status == 200
        with live_collector(store_path) as second:
            assert second.send("GET", "/healthz").status == 200
            second.kill()
        (gauge,) = Path(os.environ[FOLDER]).glob(f"gauge_livesum_{second.process.pid}.db")
        counted = counts_of(first)
        assert counted['deniable_requests_total{route="/healthz",status="200"}'] == 2
        assert not gauge.exists()
