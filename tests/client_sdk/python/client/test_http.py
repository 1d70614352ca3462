"""What the client says and believes over HTTP, byte by byte."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_sdk import (
    BudgetExceeded,
    Client,
    CollectorRefused,
    CollectorUnreachable,
    DigestMismatch,
    InvalidSurvey,
    PublishedSurvey,
    canonical,
    open_client,
)
from deniable_sdk import transport as plain
from deniable_sdk.addresses import read_address
from deniable_sdk.client import HttpTransport, MemoryStorage, Outcome
from live_server import LiveCollector, live_collector
from sample_definitions import survey, yes_no

SURVEY = survey(yes_no("a"))
STORED = b"HTTP/1.1 201 Created\r\nContent-Length: %d\r\nSet-Cookie: id=7\r\n\r\n%b"


class Peer:
    """A server that answers each connection as it is told, and keeps what it got."""

    def __init__(self, answer: Callable[[socket.socket, bytes], None]) -> None:
        self.requests: list[bytes] = []
        self._answer = answer
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def run(self) -> None:
        """Answer until closed."""
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with connection:
                request = _read_request(connection)
                self.requests.append(request)
                try:
                    self._answer(connection, request)
                except OSError:
                    continue

    def close(self) -> None:
        """Listen no more."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()


def _read_request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65_536)
        if not data.startswith((b"GET ", b"POST ")):
            return data
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        (int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length:")), 0
    )
    while len(body) < length:
        body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body


@contextmanager
def peer(answer: Callable[[socket.socket, bytes], None]) -> Iterator[Peer]:
    """A running peer."""
    running = Peer(answer)
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        yield running
    finally:
        running.close()
        thread.join()


def says(answer: bytes) -> Callable[[socket.socket, bytes], None]:
    """The same answer to everything."""
    return lambda connection, _: connection.sendall(answer)


def test_all_that_is_sent() -> None:
    """A report goes with these headers and no others, a cookie is not brought back."""
    body = b'{"report": "%b"}' % (b"0" * 32)
    with peer(says(STORED % (len(body), body))) as collector:
        transport = HttpTransport(collector.url)
        for _ in range(2):
            assert transport.send(b"{}") == Outcome(201, "0" * 32)
        host = collector.url.removeprefix("http://").encode()
    wanted = (
        b"POST /api/reports HTTP/1.1\r\nHost: " + host + b"\r\nAccept-Encoding: identity\r\n"
        b"Content-Length: 2\r\nUser-Agent: deniable\r\nAccept: application/json\r\n"
        b"Accept-Language: *\r\n"
        b"Content-Type: application/json\r\n\r\n{}"
    )
    assert collector.requests == [wanted, wanted]


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "ALL_PROXY"])
def test_no_proxy_is_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Proxies of the environment, and their passwords, are left alone."""
    monkeypatch.setenv(name, "http://user:secret@127.0.0.1:9")
    with peer(says(STORED % (2, b"{}"))) as collector:
        assert HttpTransport(collector.url).send(b"{}") == Outcome(201)
    assert b"secret" not in collector.requests[0]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(status: int) -> None:
    """A report goes nowhere else; the answer counts as one that comes to nothing."""
    with peer(says(STORED % (2, b"{}"))) as elsewhere:
        answer = (
            f"HTTP/1.1 {status} Away\r\nLocation: {elsewhere.url}\r\nContent-Length: 0\r\n\r\n"
        )
        with peer(says(answer.encode())) as collector:
            assert HttpTransport(collector.url).send(b"{}") == Outcome(status)
            with pytest.raises(CollectorRefused, match=f"answered {status}: without saying why"):
                HttpTransport(collector.url).get_survey("a", None)
        assert elsewhere.requests == []


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"hello\r\n\r\n",
        b"HTTP/1.1 201 Created\r\nContent-Length: 50\r\n\r\n{}",
        b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}",
        b"HTTP/1.1 201 Created\r\n" + b"A: b\r\n" * 999 + b"\r\n",
    ],
)
def test_half_an_answer_is_none(answer: bytes) -> None:
    """What breaks off, or is no HTTP, means that nobody answered."""
    with (
        peer(says(answer)) as collector,
        pytest.raises(CollectorUnreachable, match="no answer from 127"),
    ):
        HttpTransport(collector.url).send(b"{}")


def test_an_answer_without_end_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an endless body nor one that comes byte by byte is read for ever."""

    def endless(connection: socket.socket, _: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            connection.sendall(bytes(65_536))

    def trickling(connection: socket.socket, _: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while True:
            connection.sendall(b"x")
            time.sleep(0.01)

    monkeypatch.setattr(plain, "_MOST_BYTES", 1 << 20)
    monkeypatch.setattr("deniable_sdk.client.transport.REQUEST_TIMEOUT_S", 0.5)
    for answer in (endless, trickling):
        with peer(answer) as collector, pytest.raises(CollectorUnreachable, match="TimeoutError"):
            HttpTransport(collector.url).get_survey("a", None)


@pytest.mark.parametrize(
    "host",
    ["a..b", "x" * 300, "\N{CJK UNIFIED IDEOGRAPH-96EA}" * 99, "no-such-host.invalid"],
    ids=["dots", "long", "snow", "unknown"],
)
def test_hosts_that_are_none(host: str) -> None:
    """A name that cannot be looked up is a collector that cannot be reached."""
    with pytest.raises(CollectorUnreachable, match="no answer from "):
        HttpTransport(f"http://{host}").send(b"{}")


def test_a_stranger_on_https_is_no_collector() -> None:
    """Where the certificate is not trusted nothing is sent."""
    with (
        peer(says(b"HTTP/1.1 200 OK\r\n\r\n")) as collector,
        pytest.raises(CollectorUnreachable, match="SSL"),
    ):
        HttpTransport(collector.url.replace("http:", "https:")).send(b"secret")
    assert b"secret" not in b"".join(collector.requests)


def test_one_collector_has_one_address() -> None:
    """Addresses are compared without a slash at the end and in lower case."""
    assert read_address("HTTPS://Example.ORG/Base/") == "https://example.org/Base"
    assert read_address("http://h:81") == "http://h:81"


@pytest.fixture(scope="module")
def collector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveCollector]:
    """A real collector with one survey."""
    store: Path = tmp_path_factory.mktemp("http") / "store.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(SURVEY)
    with live_collector(store) as running:
        yield running


def test_a_real_collector(collector: LiveCollector) -> None:
    """Surveys come by slug and by digest, and a closed survey refuses with its reason."""
    with open_client(collector.url, consent=True, storage=MemoryStorage()) as client:
        assert client.get_survey("health") == SURVEY
        assert client.get_survey("health", digest=SURVEY.digest) == SURVEY
        with pytest.raises(CollectorRefused, match="answered 404: "):
            client.get_survey("nothing")
        with pytest.raises(CollectorRefused, match="answered 404: "):
            client.get_survey("health", digest="0" * 64)
        client.submit(SURVEY, {"a": "yes"})
        assert client.flush().waiting == 0
        assert [entry.state for entry in client.reports()] == ["sent"]
    assert collector.owner("POST", "/api/surveys/health/close").status == 200
    with open_client(collector.url, consent=True, storage=MemoryStorage()) as client:
        client.submit(SURVEY, {"a": "yes"})
        client.flush()
        (state,) = client.reports()
        assert (state.state, state.status) == ("refused", 410)
        assert "accepts no more reports" in state.reason


def _served(document: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(document), document)


def _overclaiming(published: PublishedSurvey) -> bytes:
    document = canonical.decode(published.document)
    assert isinstance(document, dict)
    privacy = document["privacy"]
    assert isinstance(privacy, dict)
    return canonical.encode({**document, "privacy": {**privacy, "epsilon": "0.1"}})


@contextmanager
def client_of_one_that_serves(document: bytes) -> Iterator[Client]:
    """A client of a collector that gives these bytes for every survey."""
    with (
        peer(says(_served(document))) as lying,
        open_client(lying.url, consent=True, storage=MemoryStorage()) as client,
    ):
        yield client


def test_a_collector_that_lies() -> None:
    """Who claims less than the survey takes, or gives another one, gets no answers."""
    with (
        client_of_one_that_serves(_overclaiming(SURVEY)) as client,
        pytest.raises(BudgetExceeded, match=r"claims epsilon 0\.1 and takes more"),
    ):
        client.get_survey("health")
    with client_of_one_that_serves(SURVEY.document) as client:
        with pytest.raises(DigestMismatch, match="asked for was 0000"):
            client.get_survey("health", digest="0" * 64)
        with pytest.raises(InvalidSurvey, match="instead of 'other'"):
            client.get_survey("other")
    with (
        client_of_one_that_serves(b"<html>Please log in</html>") as client,
        pytest.raises(InvalidSurvey, match="not a published survey"),
    ):
        client.get_survey("health")
