"""How bodies come: lengths, chunks, codings, and what is no HTTP, over a real connection."""

import socket
from collections.abc import Iterator

import pytest

from deniable_collector.settings import Settings
from deniable_sdk import randomize
from live_server import OWNER_TOKEN, Answer, LiveCollector
from problem_checks import assert_problem
from refusing_collector import refusing_collector, stored
from sample_definitions import survey, yes_no

PUBLISHED = survey(yes_no(), ask="all", epsilon="0.5")
REPORT = randomize(PUBLISHED, {}).to_bytes()
JSON = {"Content-Type": "application/json"}
LONGEST = Settings.from_environment({}).max_body_bytes


@pytest.fixture(scope="module")
def collector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveCollector]:
    """A collector with one open survey, in which nothing may be stored."""
    with refusing_collector(tmp_path_factory.mktemp("refusals"), PUBLISHED) as running:
        yield running


def post_head(header: str) -> bytes:
    """The beginning of a POST of reports."""
    return (
        "POST /api/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Connection: close\r\n{header}\r\n\r\n"
    ).encode()


def speak(collector: LiveCollector, request_bytes: bytes) -> Answer:
    """The answer to these very bytes."""
    with socket.create_connection(collector.address, timeout=30) as connection:
        connection.sendall(request_bytes)
        received = b""
        while part := connection.recv(65_536):
            received += part
    head, _, body = received.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return Answer(
        int(status.split(" ")[1]), {name.lower(): value for name, value in headers.items()}, body
    )


@pytest.mark.parametrize(
    "headers",
    [
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: identity, chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked\r\nTE: gzip, chunked",
        "Content-Length: 2\r\nTE: chunked;q=0.5",
    ],
)
@pytest.mark.parametrize("path", ["/api/reports", "/api/surveys"])
def test_a_transfer_coding_other_than_chunks_is_refused(
    collector: LiveCollector, path: str, headers: str
) -> None:
    """What is compressed on its way is not read as if it were plain, and the connection ends."""
    begun = post_head(headers).replace(b"/api/reports", path.encode())
    kept_open = begun.replace(b"Connection: close\r\n", b"")
    answer = speak(collector, kept_open + b"%x\r\n%s\r\n0\r\n\r\n" % (len(REPORT), REPORT))
    detail = assert_problem(answer, "unsupported-media-type")
    assert "Transfer-Encoding with the one word chunked" in detail
    assert answer.headers["connection"] == "close"
    assert stored(collector, PUBLISHED) == 0


def test_a_body_of_ten_megabytes_is_refused(collector: LiveCollector) -> None:
    """A body beyond the limit gets an answer that can be read."""
    body = b"[" + REPORT + b" " * 10_000_000 + b"]"
    answer = collector.send("POST", "/api/reports", body)
    assert "send fewer reports at a time" in assert_problem(answer, "body-too-large")
    assert stored(collector, PUBLISHED) == 0


@pytest.mark.parametrize("excess", [0, 1, 1_000_000])
@pytest.mark.parametrize("is_chunked", [True, False], ids=["chunks", "a length"])
def test_a_body_may_be_as_long_as_the_limit(
    collector: LiveCollector, is_chunked: bool, excess: int
) -> None:
    """The limit is the same with and without a stated length, to the byte."""
    body = b"[" + b" " * (LONGEST - 2 + excess) + b"]"
    answer = collector.send("POST", "/api/reports", iter([body]) if is_chunked else body, JSON)
    if excess:
        assert_problem(answer, "body-too-large")
    else:
        assert answer.document["results"] == []


@pytest.mark.parametrize(("excess", "problem"), [(0, "invalid-survey"), (1, "body-too-large")])
def test_a_document_in_chunks_may_be_as_long_as_the_limit(
    collector: LiveCollector, excess: int, problem: str
) -> None:
    """Bodies that are read as a whole have the same limit."""
    body = b"{" + b" " * (LONGEST - 2 + excess) + b"}"
    owner = JSON | {"Authorization": f"Bearer {OWNER_TOKEN}"}
    assert_problem(collector.send("POST", "/api/surveys", iter([body]), owner), problem)


def test_a_short_chunked_body_is_read(collector: LiveCollector) -> None:
    """Chunked bodies within the limit are as good as others."""
    chunked = post_head("Transfer-Encoding: chunked") + b"1\r\n[\r\n1\r\n]\r\n0\r\n\r\n"
    assert speak(collector, chunked).document["results"] == []


BROKEN = {
    "no HTTP": (b"GARBAGE\r\n\r\n", 400),
    "an address without its bracket": (b"GET http://[::1/x HTTP/1.1\r\n\r\n", 400),
    "a length of 5,000 digits": (
        b"POST /api/reports HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        400,
    ),
    "a header without a colon": (b"GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
    "a length that is no number": (
        b"POST /api/reports HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
        400,
    ),
    "an unknown coding": (
        b"POST /api/reports HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
        400,
    ),
    "headers without end": (b"GET / HTTP/1.1\r\nX: " + b"x" * 300_000, 431),
}


@pytest.mark.parametrize(("request_bytes", "status"), BROKEN.values(), ids=BROKEN)
def test_what_is_not_http_gets_a_bare_refusal(
    collector: LiveCollector, request_bytes: bytes, status: int
) -> None:
    """Below the application there is a status, and not a word of what was sent."""
    answer = speak(collector, request_bytes)
    assert answer.status == status
    assert answer.body == b""
    assert answer.headers.keys() == {"connection", "content-length", "date"}


@pytest.mark.parametrize(
    ("rest", "name"),
    [
        (b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n", "not-json"),
        (b"Content-Length: 99999999999\r\n\r\n", "body-too-large"),
    ],
    ids=["a broken chunk", "a length beyond all"],
)
def test_a_body_that_cannot_be_read_gets_a_problem(
    collector: LiveCollector, rest: bytes, name: str
) -> None:
    """What is wrong with a body has the shape of all refusals."""
    head = b"POST /api/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    assert_problem(speak(collector, head + rest), name)
