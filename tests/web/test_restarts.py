"""`deniable serve` on a socket that systemd keeps: a restart under load refuses nobody.

The tests keep the socket, and start the command as systemd does: with the
socket as descriptor 3, and LISTEN_PID and LISTEN_FDS in its environment.
"""

import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from deniable_sdk import Report, randomize
from sample_definitions import survey, yes_no
from sampled_params import sampled_params
from served import publish, rows_by_id
from started import START_TIMEOUT_S, STOP_TIMEOUT_S

PUBLISHED = survey(yes_no(), yes_no("smoker"), ask="all")
RESTARTS = 3
CLIENTS = 6
# What each process acknowledges at least before it is stopped.
ENOUGH = 60

# Between systemd's fork and the command: `python -c HANDOVER COUNT SOCKET COMMAND...`.
HANDOVER = """
import os, sys
count, found, *command = sys.argv[1:]
os.dup2(int(found), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=count, LISTEN_FDNAMES="http")
os.execv(command[0], command)
"""


class Process:
    """The command, started with a socket that somebody else keeps."""

    def __init__(self, kept: socket.socket, store: Path, *options: str, count: str = "1") -> None:
        number = kept.fileno()
        command = [sys.executable, "-W", "error", "-m", "deniable_web", "serve"]
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-S", "-c", HANDOVER, count, str(number)),
                *(*command, "--store", str(store), *options),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(number,),
        )

    def url(self) -> str:
        """The address that it tells once it answers."""
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], START_TIMEOUT_S)
        return self._process.stdout.readline().decode().strip() if ready else ""

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        self._process.send_signal(number)

    def end(self, number: signal.Signals | None = signal.SIGTERM) -> tuple[int, str]:
        """Its exit status and what it said, once it has ended."""
        if number:
            self.send_signal(number)
        try:
            _, said = self._process.communicate(timeout=STOP_TIMEOUT_S)
        finally:
            self._process.kill()
        return self._process.returncode, said.decode()


@contextmanager
def kept_socket() -> Iterator[socket.socket]:
    """A socket that listens for as long as the block lasts, whoever answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=1_024) as kept:
        yield kept


class Senders:
    """Clients that send single reports, each until it is acknowledged."""

    def __init__(self, port: int) -> None:
        self.acknowledged: list[str] = []
        self.sent: list[Report] = []
        self.statuses: Counter[int] = Counter()
        self.failures: list[BaseException] = []
        self._port = port
        self._progress = threading.Condition()
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(number % 2 == 0,))
            for number in range(CLIENTS)
        ]

    def __enter__(self) -> "Senders":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def wait_for_more(self) -> None:
        """Come back once so many more reports are acknowledged, or a client failed."""
        with self._progress:
            goal = len(self.acknowledged) + ENOUGH
            assert self._progress.wait_for(
                lambda: len(self.acknowledged) >= goal or self.failures, START_TIMEOUT_S
            )

    def _run(self, keeps_connection: bool) -> None:
        try:
            with closing(self._connection()) as connection:
                while not self._stopping.is_set():
                    report = randomize(PUBLISHED, {})
                    self.sent.append(report)
                    # Refused for now: the same bytes are sent again, as a device does.
                    while self._send(report, connection) != 201:
                        assert not self.failures
                    if not keeps_connection:
                        connection.close()
        except BaseException as failure:  # noqa: BLE001  told by the test
            with self._progress:
                self.failures.append(failure)
                self._progress.notify_all()

    def _connection(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self._port, timeout=60)

    def _send(self, report: Report, connection: HTTPConnection) -> int:
        headers = {"Content-Type": "application/json"}
        connection.request("POST", "/api/reports", report.to_bytes(), headers)
        response = connection.getresponse()
        response.read()
        with self._progress:
            self.statuses[response.status] += 1
            if response.status == 201:
                self.acknowledged.append(report.id)
            self._progress.notify_all()
        assert response.status in (201, 503)
        return response.status


@pytest.mark.parametrize("workers", sampled_params(["2", "1"]))
def test_a_restart_under_load_refuses_and_loses_nothing(tmp_path: Path, workers: str) -> None:
    """Three restarts: no connection is refused or reset, each report is there once."""
    store = tmp_path / "store.sqlite"
    publish(store, PUBLISHED)
    with kept_socket() as kept, ExitStack() as stack:
        port = kept.getsockname()[1]
        process = Process(kept, store, "--workers", workers)
        stack.callback(lambda: process.end(signal.SIGKILL))
        assert process.url() == f"http://127.0.0.1:{port}"
        with Senders(port) as senders:
            for _ in range(RESTARTS):
                senders.wait_for_more()
                status, said = process.end()
                assert (status, "Traceback" in said) == (0, False), said
                # Nobody answers now, and whoever connects waits.
                process = Process(kept, store, "--workers", workers)
                assert process.url() == f"http://127.0.0.1:{port}"
            senders.wait_for_more()
        assert senders.failures == []
        assert process.end()[0] == 0
    # Not even one was told to come back later.
    assert senders.statuses.keys() == {201}
    assert len(senders.acknowledged) == len(senders.sent) >= (RESTARTS + 1) * ENOUGH
    assert rows_by_id(store, PUBLISHED) == Counter(report.id for report in senders.sent)
    assert not list(tmp_path.glob("store.sqlite-*"))


def test_who_is_connected_when_it_stops_is_answered(tmp_path: Path) -> None:
    """A connection whose request comes after the signal gets its answer, and then the end."""
    store = tmp_path / "store.sqlite"
    publish(store, PUBLISHED)
    with kept_socket() as kept, ExitStack() as stack:
        process = Process(kept, store)
        stack.callback(lambda: process.end(signal.SIGKILL))
        assert process.url()
        address = kept.getsockname()
        with closing(HTTPConnection("127.0.0.1", address[1], timeout=60)) as connection:
            connection.request("GET", "/healthz")
            assert connection.getresponse().read()
            process.send_signal(signal.SIGTERM)
            with socket.create_connection(address, timeout=60) as waiting:
                waiting.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                connection.request("GET", "/healthz")
                response = connection.getresponse()
                assert (response.status, response.getheader("Connection")) == (200, "close")
                assert process.end(None)[0] == 0
                # The other one waits in the socket for the next process.
                following = Process(kept, store)
                stack.callback(lambda: following.end(signal.SIGKILL))
                assert following.url()
                assert waiting.recv(12) == b"HTTP/1.1 200"
                assert following.end()[0] == 0


@pytest.mark.parametrize(
    ("family", "kind", "count", "message"),
    [
        (socket.AF_INET, socket.SOCK_STREAM, "2", "got '2' sockets from systemd; allowed is 1"),
        (socket.AF_INET, socket.SOCK_DGRAM, "1", "from systemd something other than a listening"),
        (socket.AF_UNIX, socket.SOCK_STREAM, "1", "from systemd something other than a listening"),
    ],
    ids=["two", "UDP", "Unix"],
)
def test_what_is_no_listening_socket_is_refused(
    tmp_path: Path, family: int, kind: int, count: str, message: str
) -> None:
    """A unit that says something else is told what it should say."""
    with socket.socket(family, kind) as kept:
        status, said = Process(kept, tmp_path / "store.sqlite", count=count).end(None)
    assert status == 1
    assert message in said
    assert "Traceback" not in said


@pytest.mark.deep
def test_a_socket_for_everybody_takes_a_token(tmp_path: Path) -> None:
    """The address of the socket counts, whatever --host says."""
    with socket.create_server(("0.0.0.0", 0)) as kept:  # noqa: S104  refused
        process = Process(kept, tmp_path / "store.sqlite", "--host", "127.0.0.1")
        status, said = process.end(None)
    assert status == 1
    assert "got the host '0.0.0.0', which other machines can reach" in said


@pytest.mark.deep
def test_a_socket_for_another_process_is_left_alone(tmp_path: Path) -> None:
    """Variables that name another process, as a parent's do, change nothing."""
    environment = {**os.environ, "LISTEN_PID": "1", "LISTEN_FDS": "1"}
    command = [sys.executable, "-m", "deniable_web", "serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--store", str(tmp_path / "store.sqlite")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().decode()
        process.terminate()
        assert process.wait(STOP_TIMEOUT_S) == 0
    assert url.startswith("http://127.0.0.1:")
