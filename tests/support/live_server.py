"""A real collector in a process of its own, for tests to talk to over HTTP.

`with live_collector(path) as collector:` gives its address and its store.
"""

import argparse
import http.client
import json
import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, request

from deniable_collector import (
    Settings,
    StopRule,
    Store,
    add_reports,
    create_collector,
    open_store,
    serve,
)
from deniable_collector.access import sender_is_gone
from deniable_collector.app import opened
from deniable_collector.clock import Clock, utc_now
from deniable_collector.permissions import open_to_everybody
from deniable_collector.tokens import AccessToken, Role, digest_of
from deniable_sdk import PublishedSurvey, Report
from started import Started, started
from without_tally import store_without_tally

OWNER_TOKEN = f"deniable_owner_{'o' * 43}"  # opens nothing but test servers
ANALYST_TOKEN = f"deniable_analyst_{'a' * 43}"
# The slug of the survey that ends with --ends-with reports.
PRECISE = "precise"


@dataclass(frozen=True)
class Answer:
    """One response; its headers by lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class LiveCollector:
    """A running collector: where it listens, and where it keeps and says things."""

    url: str
    store: Path
    log: Path
    process: Started

    @property
    def address(self) -> tuple[str, int]:
        """Host and port, for sockets."""
        parts = urlsplit(self.url)
        return parts.hostname or "", parts.port or 0

    def connect(self) -> http.client.HTTPConnection:
        """A connection of one's own; close it after use."""
        return http.client.HTTPConnection(*self.address, timeout=180)

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """The answer to one request on a new connection; a dict or list is sent as JSON."""
        sent = dict(headers or {})
        if isinstance(body, dict | list):
            body = json.dumps(body).encode()
        if isinstance(body, bytes) and not any(name.lower() == "content-type" for name in sent):
            sent["Content-Type"] = "application/json"
        with closing(self.connect()) as connection:
            return exchange(connection, method, path, body, sent)

    def owner(self, method: str, path: str, body: Any = None) -> Answer:
        """The answer to a request with the owner's token."""
        return self.send(method, path, body, {"Authorization": f"Bearer {OWNER_TOKEN}"})

    def worked_s(self) -> float:
        """How long its processor has worked, which others on the machine change little."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End it as a power cut would: nothing is finished or flushed."""
        self.process.kill()
        self.process.wait()

    def wait_until_stopping(self) -> None:
        """Come back once a signal to stop has arrived; the collector begins no more requests."""
        # The store is not needed for this path, so a locked store does not delay the response.
        while self.send("GET", "/nowhere").status == 404:
            pass

    def stop(self) -> int:
        """End it as an operator would; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait()


def exchange(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """The answer to one request on this connection."""
    connection.request(method, path, body, dict(headers or {}))
    response = connection.getresponse()
    received = {name.lower(): value for name, value in response.getheaders()}
    return Answer(response.status, received, response.read())


@contextmanager
def live_collector(
    store: Path, *options: str, environment: Mapping[str, str] | None = None
) -> Iterator[LiveCollector]:
    """A collector on a free port of this machine, ended when the block is left."""
    log = store.with_suffix(".log")
    with started(serve_collector, [str(store), *options], log, environment or {}) as (
        url,
        process,
    ):
        assert url.startswith("http://"), f"it did not start:\n{log.read_text()}"
        yield LiveCollector(url, store, log, process)


def give_tokens(store: Store) -> None:
    """Add the tokens of the tests to a store; again does no harm."""
    store.add_token(AccessToken("tests-owner", Role.OWNER), digest_of(OWNER_TOKEN))
    store.add_token(AccessToken("tests-analyst", Role.ANALYST), digest_of(ANALYST_TOKEN))


def fill_site(location: str | Path, reports: Sequence[Report], *surveys: PublishedSurvey) -> None:
    """Publish surveys, with reports and with the tokens of the tests."""
    with closing(open_store(location)) as store:
        for each in surveys:
            store.publish(each)
        give_tokens(store)
        add_reports(store, reports)


def serve_collector(given: Sequence[str]) -> None:
    """The program of live_collector."""
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("--busy-timeout", type=float, default=10.0)
    parser.add_argument("--clock", type=Path, help="a file that says what time it is")
    parser.add_argument("--ends-with", type=int, help="reports that are precise enough")
    parser.add_argument("--crash-route", action="store_true", help="add a route that fails")
    parser.add_argument("--wait-route", action="store_true", help="add one that waits for ever")
    parser.add_argument("--idle-timeout", type=int, default=20)
    parser.add_argument("--location", help="of another store than the file")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--without-tally", action="store_true", help="store and do not count")
    parser.add_argument("--without-tokens", action="store_true", help="make no tokens")
    arguments = parser.parse_args(given)
    settings = Settings.from_environment(os.environ)
    if arguments.without_tally:
        store_without_tally()

    def open_it() -> Store:
        location = arguments.location or arguments.store
        return open_store(location, busy_timeout_s=arguments.busy_timeout)

    def create(store: Store) -> Flask:
        rule = arguments.ends_with and StopRule(
            lambda survey: survey.slug == PRECISE,
            lambda _, counts: counts.report_count >= arguments.ends_with,
        )
        app = create_collector(store, settings, _clock_in(arguments.clock), rule)
        if arguments.crash_route:
            app.add_url_rule("/crash/<canary>", view_func=_crash, methods=["POST"])
        if arguments.wait_route:
            app.add_url_rule("/wait", view_func=_wait_until_gone)
            app.add_url_rule("/waiting", view_func=_waiting)
        return app

    if not arguments.without_tokens:
        with closing(open_it()) as store:
            give_tokens(store)
    serve(
        partial(opened, open_it, create),
        port=0,
        workers=arguments.workers,
        threads=arguments.threads,
        idle_timeout_s=arguments.idle_timeout,
        on_ready=lambda url: print(url, flush=True),  # noqa: T201  how the test learns it
    )


def _clock_in(file: Path | None) -> Clock:
    return utc_now if file is None else lambda: datetime.fromisoformat(file.read_text())


@open_to_everybody
def _crash(canary: str) -> str:
    raise ValueError(canary, request.get_data(), dict(request.headers))


_WAITING: list[int] = []


@open_to_everybody
def _wait_until_gone() -> str:
    _WAITING.append(1)
    while not sender_is_gone():
        threading.Event().wait(0.01)
    _WAITING.append(-1)
    return ""


@open_to_everybody
def _waiting() -> list[int]:
    return _WAITING
