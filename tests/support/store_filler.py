"""Filling a store from a process of its own."""

import random
from contextlib import closing
from multiprocessing.queues import Queue
from pathlib import Path

from deniable_collector.clock import utc_now
from deniable_collector.store import add_reports, open_store
from deniable_collector.store.base import ReportOutcome, row_of
from deniable_sdk import PublishedSurvey, randomize


def fill_store(path: Path, document: bytes, seed: int, outcomes: "Queue[int]") -> None:
    """Publish and add 100 reports, one at a time; how many were new is put."""
    survey = PublishedSurvey.from_bytes(document)
    read_bytes = random.Random(seed).randbytes
    with closing(open_store(path, busy_timeout_s=60)) as store:
        store.publish(survey)
        reports = [randomize(survey, {}, read_bytes=read_bytes) for _ in range(100)]
        stored = [add_reports(store, [report]) for report in reports]
    outcomes.put(stored.count((ReportOutcome.STORED,)))


def fill_to_the_limit(location: str, document: bytes, size: int, outcomes: "Queue[int]") -> None:
    """Add commits of this size until the survey is full; how many reports were new is put."""
    survey = PublishedSurvey.from_bytes(document)
    count = 0
    with closing(open_store(location, busy_timeout_s=60)) as store:
        while True:
            rows = [row_of(randomize(survey, {}), survey) for _ in range(size)]
            found = store.add_rows({survey.digest: rows}, utc_now())[survey.digest]
            if set(found) == {ReportOutcome.FULL}:
                break
            assert set(found) == {ReportOutcome.STORED}
            count += size
    outcomes.put(count)
