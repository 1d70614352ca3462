"""`deniable serve` as an operator runs it: a group of processes on any store.

`with served(location, folder) as site:` gives its address and its processes;
the store is read beside it, as any other program would.
"""

import http.client
import os
import re
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey
from deniable_web.command_line import main
from started import Started, started


@dataclass(frozen=True)
class Served:
    """A running site: where it listens, what it says, and its processes."""

    url: str
    log: Path
    process: Started

    def connect(self, source: str = "") -> http.client.HTTPConnection:
        """A connection of one's own, from an address of this machine; close it after use."""
        parts = urlsplit(self.url)
        source_address = (source, 0) if source else None
        return http.client.HTTPConnection(
            parts.hostname or "", parts.port, timeout=60, source_address=source_address
        )

    def status(self, path: str = "/healthz") -> int:
        """What a request on a new connection is answered with."""
        with closing(self.connect()) as connection:
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            return response.status

    def workers(self) -> list[int]:
        """The process ids of the workers, where there are several."""
        number = self.process.pid
        children = Path(f"/proc/{number}/task/{number}/children").read_text()
        return sorted(map(int, children.split()))

    def kill(self) -> None:
        """End all processes at once, as a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """End it as an operator would; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait()


@contextmanager
def served(
    location: str | Path,
    folder: Path,
    *,
    workers: int = 1,
    environment: Mapping[str, str] | None = None,
    is_forked: bool = True,
) -> Iterator[Served]:
    """The command on a free port of this machine, ended when the block is left.

    Args:
        location: of the store.
        folder: where its log goes.
        workers: how many processes answer.
        environment: variables besides those of the tests.
        is_forked: whether the site is a fork of a process that has imported its packages.
            Otherwise Python starts first, which takes a second: for tests that read the
            command line or change where packages are found.
    """
    log = folder / "served.log"
    arguments = ["serve", "--port", "0", "--store", str(location), "--workers", str(workers)]
    program = _serve if is_forked else _serve_in_new_python
    with started(program, arguments, log, environment or {}) as (url, process):
        assert url.startswith("http://"), f"it did not start:\n{log.read_text()}"
        yield Served(url, log, process)


def _serve(arguments: Sequence[str]) -> None:
    """The program deniable, which leads a group of processes."""
    os.setsid()
    sys.argv = ["deniable", *arguments]
    main()


def _serve_in_new_python(arguments: Sequence[str]) -> None:
    os.setsid()
    command = [sys.executable, "-W", "error", "-m", "deniable_web", *arguments]
    os.execv(command[0], command)  # noqa: S606  our own command


def publish(location: str | Path, *surveys: PublishedSurvey) -> None:
    """Put surveys into a store, as `deniable publish` does."""
    with closing(open_store(str(location))) as store:
        for survey in surveys:
            store.publish(survey)


def rows_by_id(location: str | Path, published: PublishedSurvey) -> Counter[str]:
    """How many rows there are with each report id, as any tool reads them."""
    slug = re.sub(r"\W", "_", published.slug)
    table = f"reports_{slug}_{published.digest[:12]}"
    # Whole rows, so that no index decides in which order they come.
    statement = f"SELECT * FROM {table}"  # noqa: S608  our name
    if str(location).startswith("postgresql:"):
        with psycopg.connect(str(location)) as database:
            return Counter(row[0].hex for row in database.execute(statement.encode()))
    with closing(sqlite3.connect(location, timeout=60)) as connection:
        return Counter(row[0].hex() for row in connection.execute(statement))
