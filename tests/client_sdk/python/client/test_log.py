"""Clients that answer only surveys of a public log."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from deniable_collector.settings import LOG_KEY
from deniable_collector.signing import write_key_file
from deniable_sdk import (
    CollectorRefused,
    CollectorUnreachable,
    InvalidLog,
    NotInLog,
    open_client,
)
from deniable_sdk.client import HttpTransport, MemoryStorage
from deniable_sdk.log import check_log
from deniable_sdk.testing import RecordingTransport, open_test_client
from deniable_sdk.tokens import base64url
from live_issuer import signing_key
from live_server import LiveCollector, live_collector
from sample_definitions import survey, yes_no

LISTED, HIDDEN = (survey(yes_no(), slug=slug) for slug in ("listed", "hidden"))
KEY, OTHER = (base64url(signing_key(name).modulus) for name in ("log", "other"))


@pytest.fixture(scope="module")
def collector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveCollector]:
    """A collector with one survey and a signed log."""
    store: Path = tmp_path_factory.mktemp("log") / "store.sqlite"
    write_key_file(store.with_suffix(".key"), signing_key("log"))
    environment = {LOG_KEY: str(store.with_suffix(".key"))}
    with live_collector(store, environment=environment) as running:
        assert running.owner("POST", "/api/surveys", LISTED.document).status == 201
        yield running


@pytest.fixture(scope="module")
def log(collector: LiveCollector) -> bytes:
    """Its log."""
    return collector.send("GET", "/log").body


def test_a_survey_of_the_signed_log_is_answered(collector: LiveCollector) -> None:
    """The client fetches the log itself; with another key it refuses the survey."""
    storage = MemoryStorage()
    with open_client(collector.url, consent=True, storage=storage, log_key=KEY) as client:
        found = client.get_survey("listed")
        assert found == LISTED
        client.submit(found, {"asthma": True})
        client.flush(60)
        assert [each.state for each in client.reports()] == ["sent"]
    with (
        open_client(collector.url, consent=True, storage=storage, log_key=OTHER) as client,
        pytest.raises(InvalidLog, match="was not signed with the key that is required"),
    ):
        client.get_survey("listed")


def test_a_survey_that_is_not_in_the_log_is_refused(log: bytes) -> None:
    """A document that one person alone is shown has a digest that the log lacks."""
    transport = RecordingTransport([LISTED, HIDDEN], log=log)
    with open_test_client(transport, log_key=KEY) as client:
        assert client.get_survey("listed") == LISTED
        with pytest.raises(NotInLog, match=f"{HIDDEN.digest} is not in the public log of its"):
            client.get_survey("hidden")
    with open_test_client(transport) as client:
        assert client.get_survey("hidden") == HIDDEN


def test_a_log_that_is_not_signed_is_refused(log: bytes) -> None:
    """Nor is one whose signature was left out, or that was cut."""
    signature = check_log(log).signature
    assert signature is not None
    unsigned = log.replace(f'"{signature}"'.encode(), b"null")
    for wrong, message in (
        (unsigned, "the head of the log is not signed"),
        (log[:-1], "not a log: not JSON"),
        (b"", "not a log"),
    ):
        with (
            open_test_client(RecordingTransport([LISTED], log=wrong), log_key=KEY) as client,
            pytest.raises(InvalidLog, match=message),
        ):
            client.get_survey("listed")


@pytest.mark.parametrize("key", ["", "key", KEY[:-1], KEY + "A"])
def test_what_is_no_key_opens_no_client(key: str) -> None:
    """A mistyped key is told when the client is opened."""
    with pytest.raises(InvalidLog, match="not the key of a log; allowed are the 342 characters"):
        open_client("https://a.example", consent=True, storage=MemoryStorage(), log_key=key)


def test_without_a_key_no_log_is_asked_for() -> None:
    """Apps that require nothing send no further request."""

    class Silent(RecordingTransport):
        """Has no log."""

        def get_log(self) -> bytes:
            """Fails the test."""
            raise AssertionError

    with open_test_client(Silent([LISTED])) as client:
        assert client.get_survey("listed") == LISTED


def test_a_collector_without_a_log_is_told_apart_from_one_that_is_silent(
    collector: LiveCollector,
) -> None:
    """404 is a refusal; a log that does not come in time is no answer."""
    with pytest.raises(CollectorRefused, match="404"):
        HttpTransport(f"{collector.url}/elsewhere").get_log()
    ended = threading.Event()

    class Slow(RecordingTransport):
        """Sends its log late."""

        def get_log(self) -> bytes:
            """The log, after a while."""
            ended.wait(60)
            return b""

    with open_test_client(Slow([LISTED]), log_key=KEY) as client:
        with pytest.raises(CollectorUnreachable, match=r"no answer from .* in 0\.1 seconds"):
            client.get_survey("listed", timeout_s=0.1)
        ended.set()
