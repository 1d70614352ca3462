"""Counts for operators: reports, requests, commits, failures, and what the machine gives.

No label reveals anything about a survey, a client or an answer, and no number reveals when
anything was first counted. The workers of one collector count in files of a private folder;
the worker that receives a request for the counts adds them up.
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from deniable_collector.clock import utc_now
from deniable_collector.intake.commits import IntakeObserver
from deniable_collector.logs import ThrottledLog
from deniable_collector.store.base import ReportOutcome

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge
    from prometheus_client.core import GaugeMetricFamily

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
    "line-too-long": "unreadable",
}
OUTCOMES: Final = tuple(
    dict.fromkeys((*(each.value.replace(" ", "_") for each in ReportOutcome), *_REFUSALS.values()))
)
# Every request is answered within 15 seconds.
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15)
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


@dataclass(frozen=True, slots=True)
class Usage:
    """What one worker uses of the machine; not a number where that is unknown.

    Args:
        open_connections: how many connections it has.
        memory_bytes: how much memory is resident.
        processor_s: for how long processors have worked for it.
    """

    open_connections: float
    memory_bytes: float
    processor_s: float


class Metrics(IntakeObserver):
    """Counts events, and returns the sum of all workers' counts.

    Events that an operator must act on are also logged.

    Args:
        backups: the folder of the store's backups; empty if it is not known.
    """

    def __init__(self, backups: str = "") -> None:
        # Imported here, so that a process that does not serve need not load it.
        import prometheus_client as prometheus  # noqa: PLC0415 - see above

        # These series would reveal when the first report arrived.
        prometheus.disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = registry = prometheus.CollectorRegistry()
        counter = partial(prometheus.Counter, registry=registry)
        histogram = partial(prometheus.Histogram, registry=registry)
        # Of a worker that has ended, such a number goes.
        gauge = partial(prometheus.Gauge, registry=registry, multiprocess_mode="livesum")
        reports = counter("deniable_reports", "Reports by outcome.", ["outcome"])
        self._reports = {outcome: reports.labels(outcome) for outcome in OUTCOMES}
        self._refused_lines = counter("deniable_refused_lines", "Lines that were refused.")
        self._requests = counter(
            "deniable_requests", "Answers by route and status.", ["route", "status"]
        )
        self._answers: dict[tuple[str, int], prometheus.Counter] = {}
        self._request_times = histogram(
            "deniable_request_seconds",
            "Requests by how long they waited for their answer after they had arrived.",
            buckets=_SECONDS,
        )
        self._waiting = gauge("deniable_waiting_reports", "Reports waiting to be stored.")
        self._commits = histogram(
            "deniable_commit_reports",
            "Commits by how many reports each made durable.",
            buckets=_GROUP_SIZES,
        )
        self._commit_times = histogram(
            "deniable_commit_seconds", "Commits by how long each took.", buckets=_SECONDS
        )
        self._failures = counter(
            "deniable_store_failures", "Requests that the store failed, by cause.", ["cause"]
        )
        self.uses = _Machine(gauge, counter).uses
        self._facts = _Facts(backups)
        self._repeated = ThrottledLog()
        self._waiting.set(0)

    def waits(self, more: int) -> None:
        self._waiting.inc(more)

    def committed(self, outcomes: Mapping[ReportOutcome, int], seconds: float) -> None:
        for outcome, count in outcomes.items():
            self._reports[outcome.value.replace(" ", "_")].inc(count)
        self._commits.observe(sum(outcomes.values()))
        self._commit_times.observe(seconds)

    def refused(self, problem: str) -> None:
        self._reports[_REFUSALS[problem]].inc()

    def lines_refused(self, count: int) -> None:
        self._refused_lines.inc(count)

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

    def took(self, seconds: float) -> None:
        """Count a request by how long it waited for its response."""
        self._request_times.observe(seconds)

    def to_text(self) -> bytes:
        """All counts, in the text format of Prometheus."""
        from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415 - as above
        from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415 - as above

        registry = CollectorRegistry()
        registry.register(self._facts)
        folder = os.environ.get(FOLDER)
        if folder is None:
            return generate_latest(self._registry) + generate_latest(registry)
        _forget_dead_workers(Path(folder))
        MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


class _Machine:
    """What all workers use of the machine.

    Args:
        gauge: makes one that adds up the workers.
        counter: makes a counter.
    """

    def __init__(self, gauge: "Callable[..., Gauge]", counter: "Callable[..., Counter]") -> None:
        self._connections = gauge("deniable_open_connections", "Connections that are open.")
        self._memory = gauge("deniable_memory_bytes", "Memory of all workers.")
        self._processor = counter("deniable_processor_seconds", "Processor time of all workers.")
        self._processor_s = 0.0

    def uses(self, usage: Usage) -> None:
        """Replace what this worker uses."""
        self._connections.set(usage.open_connections)
        self._memory.set(usage.memory_bytes)
        self._processor.inc(usage.processor_s - self._processor_s)
        self._processor_s = usage.processor_s


class _Facts:
    """What no worker counts: the version, and the age of the last backup.

    Args:
        backups: the folder of the store's backups; empty if it is not known.
    """

    def __init__(self, backups: str) -> None:
        self._backups = backups

    def collect(self) -> "Iterator[GaugeMetricFamily]":
        """The facts as they are now."""
        from prometheus_client.core import GaugeMetricFamily  # noqa: PLC0415 - as above

        facts = GaugeMetricFamily("deniable_version", "The version that runs.", labels=["version"])
        facts.add_metric([version("deniable")], 1)
        yield facts
        age_s = _backup_age_s(self._backups) if self._backups else None
        if age_s is not None:
            yield GaugeMetricFamily(
                "deniable_backup_age_seconds", "Age of the last backup.", age_s
            )


def _backup_age_s(folder: str) -> float | None:
    """How old the newest file in a folder is; None if there is none, or nobody may look.

    Files that are being written have .partial in their names, and do not count.
    """
    try:
        found = [entry for entry in os.scandir(folder) if ".partial" not in entry.name]
        written = [entry.stat().st_mtime for entry in found if entry.is_file()]
    except OSError:
        return None
    return utc_now().timestamp() - max(written) if written else None


def _forget_dead_workers(folder: Path) -> None:
    """Remove what they had waiting and open; what they counted stays."""
    for file in folder.glob("gauge_live*_*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            with suppress(FileNotFoundError):
                file.unlink()
        except PermissionError:
            continue
