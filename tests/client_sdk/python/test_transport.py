"""The connection to a collector, over real HTTP."""

import socket
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_sdk import BudgetExceeded, DigestMismatch, PublishedSurvey, Report, randomize
from deniable_sdk.addresses import InvalidAddress
from deniable_sdk.transport import (
    CollectorConnection,
    CollectorRefused,
    CollectorUnreachable,
)
from live_server import LiveCollector, live_collector
from sample_definitions import survey, yes_no


@pytest.fixture(scope="module")
def published() -> PublishedSurvey:
    """The survey that the collector has."""
    return survey(yes_no("a"))


@pytest.fixture(scope="module")
def collector(
    tmp_path_factory: pytest.TempPathFactory, published: PublishedSurvey
) -> Iterator[LiveCollector]:
    """A running collector with one survey."""
    store: Path = tmp_path_factory.mktemp("transport") / "store.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(published)
    with live_collector(store) as running:
        yield running


def test_a_survey_is_fetched_and_checked(
    collector: LiveCollector, published: PublishedSurvey
) -> None:
    """The survey that comes is the published one, and the caller's limits hold."""
    with CollectorConnection(collector.url + "/") as connection:
        assert connection.fetch_survey(published.slug, digest=published.digest) == published
        with pytest.raises(DigestMismatch, match="asked for was 0000"):
            connection.fetch_survey(published.slug, digest="0" * 64)
        with pytest.raises(BudgetExceeded, match=r"allowed here is 0\.01"):
            connection.fetch_survey(published.slug, epsilon_cap=Fraction(1, 100))


def test_what_the_collector_refuses_is_said(collector: LiveCollector) -> None:
    """An error of the collector has its status and its reason."""
    with CollectorConnection(collector.url) as connection:
        with pytest.raises(CollectorRefused, match="the collector answered 404: ") as caught:
            connection.fetch_survey("no-such-survey")
        assert caught.value.status == 404


def test_every_report_gets_a_receipt(collector: LiveCollector, published: PublishedSurvey) -> None:
    """Stored, stored before and refused reports are told apart, in their order."""
    report = randomize(published, {"a": "yes"})
    foreign = Report("0" * 64, "1" * 32, {"a": 0})
    with CollectorConnection(collector.url) as connection:
        first, again, other = connection.submit([report, report, foreign])
    assert (first.status, again.status, other.status) == (201, 200, 404)
    assert [receipt.is_stored for receipt in (first, again, other)] == [True, True, False]
    assert "survey" in other.detail


def test_more_reports_than_fit_a_request_have_a_receipt_each(
    collector: LiveCollector, published: PublishedSurvey
) -> None:
    """They are sent some at a time, and keep their order."""
    reports = [randomize(published, {}) for _ in range(2_500)]
    with CollectorConnection(collector.url) as connection:
        receipts = connection.submit(reports)
        assert connection.submit([]) == []
    assert [receipt.report for receipt in receipts] == [report.id for report in reports]
    assert {receipt.status for receipt in receipts} == {201}


def test_a_request_that_is_refused_as_a_whole_is_an_error(
    collector: LiveCollector, published: PublishedSurvey
) -> None:
    """The status says why."""
    with (
        CollectorConnection(f"{collector.url}/elsewhere") as connection,
        pytest.raises(CollectorRefused, match="the collector answered 404: ") as caught,
    ):
        connection.submit([randomize(published, {})])
    assert caught.value.status == 404


def test_nobody_answers() -> None:
    """A collector that is not there is unreachable, and its address is named."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(CollectorUnreachable, match=rf"no answer from 127.0.0.1:{port}"):
        CollectorConnection(f"http://127.0.0.1:{port}").fetch_survey("a")


@pytest.mark.parametrize("url", ["", "localhost:80", "ftp://h", "http://", "http://h:99999"])
def test_what_is_no_address(url: str) -> None:
    """A URL that cannot be used is named with one that can."""
    with pytest.raises(InvalidAddress, match="allowed is an address like"):
        CollectorConnection(url)
