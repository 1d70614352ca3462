"""Counts for operators: reports, requests, commits and failures.

No label reveals anything about a survey, a client or an answer, and no number reveals when
anything was first counted. The workers of one collector count in files of a private folder;
the worker that receives a request for the counts adds them up.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from deniable_collector.intake.commits import IntakeObserver
from deniable_collector.logs import ThrottledLog
from deniable_collector.store.base import ReportOutcome

# prometheus_client reads this variable when it is imported, so it is imported later.
FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
NO_ROUTE: Final = "none"
_MEMORY: Final = "/dev/shm"  # noqa: S108 - a new folder is made in it

_REFUSALS: Final = {
    "unknown-survey": "unknown_survey",
    "other-site": "other_site",
    "invalid-report": "invalid",
    "not-json": "unreadable",
}
OUTCOMES: Final = tuple(
    dict.fromkeys((*(each.value.replace(" ", "_") for each in ReportOutcome), *_REFUSALS.values()))
)
_GROUP_SIZES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)


@contextmanager
def shared_metrics() -> Iterator[None]:
    """A block; all processes started in it add to the same counts.

    The counts are deleted at its end.
    """
    before = os.environ.get(FOLDER)
    # In memory if possible: on a full disk, writing to a mapped file kills the process.
    parent = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="deniable-metrics-", dir=parent) as folder:
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[FOLDER]
            else:
                os.environ[FOLDER] = before


class Metrics(IntakeObserver):
    """Counts events, and returns the sum of all workers' counts.

    Events that an operator must act on are also logged.
    """

    def __init__(self) -> None:
        # Imported here, so that a process that does not serve need not load it.
        import prometheus_client as prometheus  # noqa: PLC0415 - see above

        # These series would reveal when the first report arrived.
        prometheus.disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = registry = prometheus.CollectorRegistry()
        counter = partial(prometheus.Counter, registry=registry)
        reports = counter("deniable_reports", "Reports by outcome.", ["outcome"])
        self._reports = {outcome: reports.labels(outcome) for outcome in OUTCOMES}
        self._requests = counter(
            "deniable_requests", "Answers by route and status.", ["route", "status"]
        )
        self._answers: dict[tuple[str, int], prometheus.Counter] = {}
        self._waiting = prometheus.Gauge(
            "deniable_waiting_reports",
            "Reports waiting to be stored.",
            registry=registry,
            multiprocess_mode="livesum",
        )
        self._commits = prometheus.Histogram(
            "deniable_commit_reports",
            "Commits by how many reports each made durable.",
            registry=registry,
            buckets=_GROUP_SIZES,
        )
        self._failures = counter(
            "deniable_store_failures",
            "Requests that failed because of the store, by cause.",
            ["cause"],
        )
        self._repeated = ThrottledLog()
        self._waiting.set(0)

    def waits(self, more: int) -> None:
        self._waiting.inc(more)

    def committed(self, outcomes: Mapping[ReportOutcome, int]) -> None:
        for outcome, count in outcomes.items():
            self._reports[outcome.value.replace(" ", "_")].inc(count)
        self._commits.observe(sum(outcomes.values()))

    def refused(self, problem: str) -> None:
        self._reports[_REFUSALS[problem]].inc()

    def too_busy(self) -> None:
        self._repeated.tell("too busy", "too many reports wait to be stored")

    def store_failed(self, cause: str) -> None:
        self._failures.labels(cause).inc()
        self._repeated.tell("store unavailable", cause)

    def answered(self, route: str | None, status: int) -> None:
        """Count the response to a request; the route is None if no route has its path."""
        key = (route or NO_ROUTE, status)
        counter = self._answers.get(key)
        if counter is None:
            counter = self._answers[key] = self._requests.labels(key[0], str(status))
        counter.inc()

    def to_text(self) -> bytes:
        """All counts, in the text format of Prometheus."""
        from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415 - as above
        from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415 - as above

        folder = os.environ.get(FOLDER)
        if folder is None:
            return generate_latest(self._registry)
        _forget_what_dead_workers_had_waiting(Path(folder))
        registry = CollectorRegistry()
        MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def _forget_what_dead_workers_had_waiting(folder: Path) -> None:
    for file in folder.glob("gauge_live*_*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            with suppress(FileNotFoundError):
                file.unlink()
        except PermissionError:
            continue
