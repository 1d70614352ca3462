"""Several worker processes of one collector."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from deniable_sdk import randomize
from live_server import LiveCollector, live_collector
from sample_definitions import survey, yes_no
from there import there

PUBLISHED = survey(yes_no(), yes_no("smoker"), ask="all")


def workers_of(collector: LiveCollector) -> set[int]:
    """The process ids of its workers."""
    pid = collector.process.pid
    return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def is_running(pid: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def test_workers_share_a_store(store_path: Path) -> None:
    """Reports that come to all of them at once are each stored once."""
    reports = [randomize(PUBLISHED, {}).to_bytes() for _ in range(100)]
    with live_collector(store_path, "--workers", "3") as collector:
        assert len(workers_of(collector)) == 3
        assert collector.owner("POST", "/api/surveys", PUBLISHED.document).status == 201

        def send(body: bytes) -> int:
            return collector.send("POST", "/api/reports", body).status

        with ThreadPoolExecutor(8) as threads:
            statuses = list(threads.map(send, reports * 2))
        assert collector.stop() == 0
    assert sorted(statuses) == [200] * 100 + [201] * 100
    assert collector.log.read_text() == ""


def test_a_worker_that_dies_is_replaced(store_path: Path) -> None:
    """Another answers in its place, and the log has a line without its number."""
    with live_collector(store_path, "--workers", "2") as collector:
        before = workers_of(collector)
        killed = min(before)
        os.kill(killed, signal.SIGKILL)
        while len(workers_of(collector) - {killed}) < 2:
            pass
        assert collector.send("GET", "/healthz").status == 200
        assert collector.stop() == 0
    assert "another takes its place" in collector.log.read_text()
    assert str(killed) not in collector.log.read_text()


def test_workers_end_with_the_process_that_watches_them(store_path: Path) -> None:
    """After kill -9 of one, none goes on answering."""
    with live_collector(store_path, "--workers", "2") as collector:
        workers = workers_of(collector)
        assert len(workers) == 2
        assert all(map(is_running, workers))
        collector.kill()
        while any(map(is_running, workers)):
            pass


FAILING = """
import os, sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from deniable_collector import Settings, create_collector, open_store, serve
from deniable_collector.app import opened
from deniable_collector.errors import StoreUnavailable
from deniable_collector.logs import set_up_logging

store, starts, how = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
set_up_logging()

@contextmanager
def open_app():
    # Only one worker starts at a time.
    number = int(starts.read_text()) if starts.exists() else 0
    starts.write_text(str(number + 1))
    if number in (1, 2):
        if how == "killed":
            os.kill(os.getpid(), 9)
        raise {"unavailable": StoreUnavailable("it is not there yet"), "broken": OSError}[how]
    create = partial(create_collector, settings=Settings())
    with opened(partial(open_store, store), create) as app:
        yield app

serve(open_app, port=0, workers=2, on_ready=partial(print, flush=True))
"""


@pytest.mark.parametrize("how", ["killed", "unavailable", "broken"])
def test_a_worker_that_cannot_start_ends_no_other(store_path: Path, how: str) -> None:
    """The first one answers, and the other is tried until it starts."""
    starts = store_path.with_name("starts")
    command = [sys.executable, "-c", FAILING, str(store_path), str(starts), how]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as serving:
        try:
            url = there(serving.stdout).readline().strip()
            while starts.read_text() != "4":
                assert requests.get(f"{url}/healthz", timeout=60).status_code == 200
                assert serving.poll() is None
        finally:
            serving.terminate()
        _, log = serving.communicate(timeout=60)
    assert serving.returncode == 0
    assert log.count("a worker could not start: ") == 2
    assert log.count("another takes its place") == 2
    assert ("it is not there yet" in log) == (how == "unavailable")
    assert "Traceback" not in log


def test_a_store_that_cannot_be_opened_ends_the_command(store_path: Path) -> None:
    """The workers' own words are told, and none is started again and again."""
    store_path.write_bytes(b"no database " * 1_000)
    script = f"""
from functools import partial
from deniable_collector import Settings, create_collector, open_store, serve
from deniable_collector.app import opened
create = partial(create_collector, settings=Settings())
serve(partial(opened, partial(open_store, {str(store_path)!r}), create), port=0, workers=2)
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1
    last = ended.stderr.strip().splitlines()[-1]
    assert last.startswith("deniable_collector.errors.WorkerFailed: ")
    assert "is not an SQLite file; choose another path" in last
