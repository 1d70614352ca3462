"""Starting and stopping a collector."""

import os
import re
import signal
import socket
import sqlite3
import threading
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import pytest

from deniable_collector import AddressUnavailable, Settings, create_collector, open_store, serve
from deniable_collector.app import opened
from deniable_collector.serving.worker import OpenApp
from live_server import live_collector

HALF = b"POST /api/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


def test_a_free_port_is_told_before_the_first_request(store_path: Path) -> None:
    """Port 0 takes a free port, and the URL that is told works at once."""
    with live_collector(store_path) as collector:
        assert re.fullmatch(r"http://127\.0\.0\.1:[1-9]\d+", collector.url)
        assert collector.send("GET", "/healthz").status == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_that_has_begun_is_finished_before_stopping(
    store_path: Path, number: signal.Signals
) -> None:
    """Half a request at the moment of the signal is still answered when complete."""
    with live_collector(store_path) as collector:
        with socket.create_connection(collector.address, timeout=30) as connection:
            connection.sendall(HALF + b"Content-Length: 2\r\n\r\n[")
            assert collector.send("GET", "/healthz").status == 200
            collector.process.send_signal(number)
            collector.wait_until_stopping()
            connection.sendall(b"]")
            assert connection.recv(65_536).startswith(b"HTTP/1.1 200 OK")
        assert collector.process.wait(30) == 0
    assert collector.log.read_text() == ""


def test_idle_connections_do_not_hold_up_stopping(store_path: Path) -> None:
    """A connection that is kept alive and silent is not waited for."""
    with live_collector(store_path) as collector, closing(collector.connect()) as connection:
        connection.request("GET", "/healthz")
        assert connection.getresponse().read()
        assert collector.stop() == 0


def test_many_idle_connections_do_not_keep_others_out(store_path: Path) -> None:
    """Hundreds of silent connections leave room for the next respondent."""
    with live_collector(store_path) as collector, ExitStack() as idle:
        for _ in range(300):
            idle.enter_context(socket.create_connection(collector.address, timeout=30))
        assert collector.send("GET", "/healthz").status == 200


def test_a_silent_connection_is_closed(store_path: Path) -> None:
    """Half a request is not waited for longer than was set."""
    with (
        live_collector(store_path, "--idle-timeout", "1") as collector,
        socket.create_connection(collector.address, timeout=60) as silent,
    ):
        silent.sendall(HALF)
        assert silent.recv(1) == b""
        assert collector.send("GET", "/healthz").status == 200


def test_a_route_knows_when_its_sender_is_gone(store_path: Path) -> None:
    """While the sender waits it is told nothing; a closed connection ends its waiting."""
    with live_collector(store_path, "--wait-route") as collector:
        with socket.create_connection(collector.address, timeout=30) as connection:
            connection.sendall(b"GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
            while not collector.send("GET", "/waiting").document:
                pass
            assert collector.send("GET", "/waiting").document == [1]
        while collector.send("GET", "/waiting").document == [1]:
            pass
        assert collector.send("GET", "/waiting").document == [1, -1]
        assert collector.stop() == 0


def test_stopping_leaves_one_file_without_a_log(store_path: Path) -> None:
    """Everything is in the file itself, and the file is sound."""
    with live_collector(store_path) as collector:
        collector.send("GET", "/healthz")
        assert collector.stop() == 0
    names = {path.name for path in store_path.parent.iterdir()}
    assert names == {"store.sqlite", "store.log"}
    with closing(sqlite3.connect(store_path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_serving_gives_the_signals_back(store_path: Path) -> None:
    """After serving in this very process, its own handlers are in place again."""
    before = signal.getsignal(signal.SIGTERM)
    urls: list[str] = []

    def stop_at_once(url: str) -> None:
        urls.append(url)
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()

    serve(opening(store_path), host="localhost", port=0, on_ready=stop_at_once)
    assert urls[0].startswith("http://")
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_taken_port_is_said(store_path: Path) -> None:
    """The message names the address, the reason and the way out."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AddressUnavailable, match=rf"cannot listen on 127.0.0.1, port {port}"):
            serve(opening(store_path), port=port)


@pytest.mark.parametrize(
    ("host", "port"), [("no.such.host.invalid", 0), ("x" * 70, 0), ("127.0.0.1", 70_000)]
)
def test_an_impossible_address_is_said(store_path: Path, host: str, port: int) -> None:
    """A name that is nobody's and a port that cannot be are refused alike."""
    with pytest.raises(AddressUnavailable, match="allowed are names and addresses of this"):
        serve(opening(store_path), host=host, port=port)


def opening(path: Path) -> OpenApp:
    """Opens a collector on a store."""
    return partial(
        opened, partial(open_store, path), partial(create_collector, settings=Settings())
    )
