"""The relay example and its app, two Node programs between a person and a real collector."""

import json
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from deniable_collector.store import open_store
from deniable_sdk import randomize
from example_apps import CANARY, COLLECTOR, PUBLISHED, commands, installed, started
from live_server import LiveCollector, live_collector
from served import rows_by_id

# The address that the README gives the relay.
RELAY = "http://127.0.0.1:8090"
# Agree; harassed; stress 4; the first region, which is the canary.
TYPED = "1\n1\n4\n1\n"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")


@pytest.fixture
def collector(tmp_path: Path) -> Iterator[LiveCollector]:
    """A real collector with the survey."""
    store = tmp_path / "store.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(PUBLISHED)
    with live_collector(store) as running:
        yield running


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example, installed."""
    return installed("relay", tmp_path, "")


@pytest.fixture
def relay(example: Path, collector: LiveCollector) -> Iterator[str]:
    """The relay, started by its README's command."""
    command = commands(example)[0].replace(COLLECTOR, collector.url)
    assert command.endswith(" 8090")
    with started(command.removesuffix("8090") + "0", example) as address:
        yield address


def ask(example: Path, relay: str, command: str, typed: str = "") -> str:
    """What a command of the README prints, when this is typed."""
    words = command.replace(RELAY, relay).split()
    ran = subprocess.run(
        words, check=True, cwd=example, input=typed, capture_output=True, text=True, timeout=120
    )
    assert ran.stderr == ""
    return ran.stdout


def posted(url: str, body: bytes, headers: Sequence[tuple[str, str]] = ()) -> tuple[int, bytes]:
    """The status and body that a request is answered with."""
    request = Request(url, body, dict(headers))  # noqa: S310  our own address
    try:
        with urlopen(request, timeout=60) as answer:  # noqa: S310  as above
            return answer.status, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.read()


@pytest.mark.deep
def test_a_person_answers_through_the_relay(
    example: Path, relay: str, collector: LiveCollector
) -> None:
    """One report arrives; asked again nothing is; and the folder holds no answer, then nothing."""
    _, answering, forgetting = commands(example)
    said = ask(example, relay, answering, TYPED)
    assert "How stressed are you?" in said
    assert said.count("Reported: ") == len(PUBLISHED.blocks)
    assert "Your report has arrived" in said
    assert list(rows_by_id(collector.store, PUBLISHED).values()) == [1]
    folder = example / "my-device"
    kept = b"".join(file.read_bytes() for file in folder.iterdir())
    assert PUBLISHED.digest.encode() in kept
    assert CANARY.encode() not in kept
    again = ask(example, relay, answering, TYPED)
    assert "Your report has arrived" in again
    assert "Reported" not in again
    assert list(rows_by_id(collector.store, PUBLISHED).values()) == [1]
    assert "kept here any more" in ask(example, relay, forgetting)
    assert not list(folder.iterdir())


def test_without_consent_nothing_is_opened(
    example: Path, relay: str, collector: LiveCollector
) -> None:
    """Whoever says no leaves no folder and no report."""
    ask(example, relay, commands(example)[1], "2\n")
    assert not (example / "my-device").exists()
    assert not rows_by_id(collector.store, PUBLISHED)


def test_a_report_waits_while_the_relay_is_away(example: Path, collector: LiveCollector) -> None:
    """Answered as the connection goes, it is kept; asked to go on later, one report arrives."""
    relaying, answering, _ = commands(example)
    relaying = relaying.replace(COLLECTOR, collector.url).removesuffix("8090")
    with started(f"{relaying}0", example) as relay:
        person = subprocess.Popen(
            answering.replace(RELAY, relay).split(),
            cwd=example,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert person.stdin is not None
        assert person.stdout is not None
        print("1\n1\n4", file=person.stdin, flush=True)
        while "Where do you work?" not in person.stdout.readline():
            assert person.poll() is None
    with person:
        said, _ = person.communicate("1\n", timeout=120)
    assert "Your report is kept here" in said
    assert not rows_by_id(collector.store, PUBLISHED)
    with started(relaying + relay.rpartition(":")[2], example) as relay:
        assert "Your report has arrived" in ask(example, relay, answering, "1\n")
    assert list(rows_by_id(collector.store, PUBLISHED).values()) == [1]


def test_headers_of_a_device_stay_behind(example: Path) -> None:
    """The collector is sent the report's bytes and the relay's own headers, and nothing else."""
    report = randomize(PUBLISHED, {"harassed": True}).to_bytes()
    got: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                while report not in b"".join(got):
                    got.append(connection.recv(65_536))
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

        thread = threading.Thread(target=answer)
        thread.start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        command = commands(example)[0].replace(COLLECTOR, address).removesuffix("8090")
        told = [("Cookie", CANARY), ("X-Forwarded-For", CANARY), ("User-Agent", CANARY)]
        with started(f"{command}0", example) as relay:
            assert posted(f"{relay}/api/reports", report, told) == (200, b"{}")
        thread.join(60)
    head, _, body = b"".join(got).partition(b"\r\n\r\n")
    assert body == report
    assert head.startswith(b"POST /api/reports HTTP/1.1\r\n")
    assert CANARY.encode() not in head
    names = {line.split(b":")[0].lower() for line in head.splitlines()[1:]}
    assert not names & {
        b"forwarded",
        b"x-forwarded-for",
        b"x-real-ip",
        b"via",
        b"origin",
        b"cookie",
    }


@pytest.mark.deep
def test_the_relay_says_when_the_collector_is_away(relay: str, collector: LiveCollector) -> None:
    """A device is told to try again, and never that its report has arrived."""
    report = randomize(PUBLISHED, {"harassed": True}).to_bytes()
    assert posted(f"{relay}/api/reports", report)[0] == 201
    collector.stop()
    status, said = posted(f"{relay}/api/reports", report)
    assert status == 503
    assert "try again" in json.loads(said)["detail"]


def test_the_relay_passes_on_nothing_but_reports(relay: str, collector: LiveCollector) -> None:
    """What has not the form of a report is refused unread, and headers stay behind."""
    answers = json.dumps({"survey": PUBLISHED.digest, "values": {"region": CANARY}}).encode()
    status, said = posted(f"{relay}/api/reports", answers, [("Cookie", CANARY)])
    assert status == 400
    assert CANARY.encode() not in said
    assert posted(f"{relay}/api/reports", b"[" * 70_000)[0] == 413
    assert posted(f"{relay}/api/surveys", b"{}")[0] == 404
    assert not rows_by_id(collector.store, PUBLISHED)
    assert CANARY not in collector.log.read_text()
