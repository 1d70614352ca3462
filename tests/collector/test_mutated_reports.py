"""However reports are changed, nothing fails and no illegal report is stored."""

import io
import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from deniable_collector import Settings, Store, open_store
from deniable_collector.errors import Refused
from deniable_collector.intake import GroupCommit, Readers, ReportReceipt, take_json, take_lines
from deniable_collector.problems import MEDIA_TYPE
from deniable_sdk import PublishedSurvey, Report, check_report
from live_server import LiveCollector, exchange, live_collector
from mutated_bodies import JSON_TYPE, NDJSON_TYPE, Body, mutated_bodies
from sample_definitions import choice, multiple, number, scale, survey, yes_no

SURVEYS = [
    survey(yes_no(), scale(), slug="single"),
    survey(choice(options=30), yes_no(), ask="all", epsilon="0.5", slug="sets"),
    survey(multiple(options=8), number(), scale(target="mean"), ask=2, slug="mixed"),
    survey(multiple(options=12, at_most=2), epsilon=1, slug="few"),
]
SETTINGS = Settings()


def check_rows(store: Store) -> int:
    """How many rows there are, after every one was found legal."""
    count = 0
    for published in SURVEYS:
        stored = store.find_edition(published.digest)
        assert stored is not None
        rows = store.read_rows(stored, None, 1_000_000)
        for row in rows:
            check_report(report_of(row, published), published)
        count += len(rows)
    return count


def report_of(
    row: tuple[bytes, *tuple[int | str | None, ...]], published: PublishedSurvey
) -> Report:
    """The report that a row holds."""
    values = zip(published.blocks, row[1:], strict=True)
    answers = {
        block.id: json.loads(value) if isinstance(value, str) else value
        for block, value in values
        if value is not None
    }
    return Report(published.digest, row[0].hex(), answers)


def send_over_http(collector: LiveCollector, bodies: Iterator[Body]) -> Counter[int]:
    """How often each status was answered, for reports of batches too."""
    found: Counter[int] = Counter()
    with closing(collector.connect()) as connection:
        for body in bodies:
            headers = {"Content-Type": body.media_type}
            answer = exchange(connection, "POST", "/api/reports", body.content, headers)
            assert answer.status < 500, answer
            if answer.status >= 400:
                assert answer.headers["content-type"] == MEDIA_TYPE
            document = answer.document
            found.update(each["status"] for each in document.get("results", [document]))
    return found


def take_directly(store: Store, bodies: Iterator[Body]) -> Counter[int]:
    """The same without a server in between."""
    found: Counter[int] = Counter()
    readers = Readers(store.find_edition)
    with closing(GroupCommit(store)) as commits:
        for body in bodies:
            try:
                found.update(_take(body, readers, commits))
            except Refused as refused:
                found[refused.problem.status] += 1
    return found


def _take(body: Body, readers: Readers, commits: GroupCommit) -> list[int]:
    if body.media_type == NDJSON_TYPE:
        stream = io.BytesIO(body.content)
        taken = take_lines(stream, readers, commits, most_receipts=100, longest=1 << 20)
        results = json.loads(taken.to_json())["results"]
        return [each["status"] for each in results]
    assert body.media_type == JSON_TYPE
    receipts = take_json(io.BytesIO(body.content), readers, commits, 100)
    return [
        each.status for each in ([receipts] if isinstance(receipts, ReportReceipt) else receipts)
    ]


def run(path: Path, source: random.Random, count: int) -> None:
    """Send half of the bodies over HTTP and half directly, and check all rows."""
    with closing(open_store(path)) as store:
        for published in SURVEYS:
            store.publish(published)
        with live_collector(path, environment={"DENIABLE_RATE_LIMIT": "0"}) as collector:
            found = send_over_http(collector, islice(mutated_bodies(SURVEYS, source), count // 2))
            assert collector.stop() == 0
        assert collector.log.read_text() == ""
        found += take_directly(store, islice(mutated_bodies(SURVEYS, source), count // 2))
        assert check_rows(store) == found[201]
    # Otherwise the bodies would be too wild, or too tame, to show anything.
    assert found.keys() == {200, 201, 400, 404, 409, 422}
    assert found[201] > count / 20
    assert found[400] + found[422] > count / 4


def test_mutated_bodies_store_nothing_illegal(
    tmp_path: Path, random_source: random.Random
) -> None:
    """Nearly legal bodies never fail the collector, and what is stored is legal."""
    run(tmp_path / "store.sqlite", random_source, 1_500)


@pytest.mark.deep
def test_200_000_mutated_bodies_store_nothing_illegal(
    tmp_path: Path, random_source: random.Random
) -> None:
    """The same with many more bodies."""
    run(tmp_path / "store.sqlite", random_source, 200_000)
