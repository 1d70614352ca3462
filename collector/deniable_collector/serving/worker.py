"""One process that responds to requests until a stop signal."""

# The server has annotations for only a part of its interface.
# pyright: reportPrivateImportUsage=false, reportCallIssue=false

import asyncio
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask
from granian.constants import HTTPModes
from granian.http import HTTP1Settings
from granian.net import SocketHolder  # type: ignore[attr-defined]
from granian.server.embed import Server

from deniable_collector.logs import tell
from deniable_collector.serving.bridge import Bridge
from deniable_collector.serving.connections import keep_room, room_for_connections
from deniable_collector.serving.handover import stop_accepting, wait_until_left
from deniable_collector.serving.usage import watch_usage

try:
    from uvloop import new_event_loop
except ImportError:
    # There is none for Windows.
    from asyncio import new_event_loop  # type: ignore[assignment]

OpenApp = Callable[[], AbstractContextManager[Flask]]

BACKLOG = 1_024
DRAIN_TIMEOUT_S = 10.0
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
# The storing thread releases Python's lock in each statement, and would wait 5 ms to get it back.
_SWITCH_S = 0.0005
_END_TIMEOUT_S = 2.0
_END_STEP_S = 0.1
_MOST_HEADER_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """The limits of one worker, and how it stops.

    Args:
        threads: how many requests are processed at once.
        idle_timeout_s: how long a connection may be silent before it is closed.
        is_kept: whether systemd keeps the listening socket, so that new connections can
            wait there for the next process.
    """

    threads: int
    idle_timeout_s: int
    is_kept: bool = False


def work(
    open_app: OpenApp, listening: socket.socket, limits: WorkerLimits, on_ready: Callable[[], None]
) -> None:
    """Serve until a stop signal arrives and all requests that have begun are finished.

    Call it from the main thread.
    """
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    switch_s = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    with open_app() as app:
        try:
            with asyncio.Runner(loop_factory=new_event_loop) as runner:
                runner.run(_answer_requests(app, listening, limits, on_ready))
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            sys.setswitchinterval(switch_s)


async def _answer_requests(
    app: Flask, listening: socket.socket, limits: WorkerLimits, on_ready: Callable[[], None]
) -> None:
    bridge = Bridge(app, threads=limits.threads, idle_timeout_s=limits.idle_timeout_s)
    connections = room_for_connections()
    server = _OnSocket(bridge, listening, limits.idle_timeout_s, connections)
    stopping = _stop_signal()
    threads = _foreign_threads()
    serving = asyncio.create_task(server.serve())
    port = listening.getsockname()[1]
    is_behind = bridge.is_behind_proxies
    watching = [
        asyncio.create_task(watch)
        for watch in (
            keep_room(connections, port, bridge.busy_ports, is_behind_proxies=is_behind),
            watch_usage(port, bridge.uses),
        )
    ]
    try:
        on_ready()
        await stopping.wait()
        tell("stopping")
        if limits.is_kept:
            server.stop_accepting()
            bridge.leave()
            await wait_until_left(listening)
        await bridge.drain(DRAIN_TIMEOUT_S)
        # Not earlier: the server would drop requests that it is still reading.
        server.stop()  # type: ignore[no-untyped-call]
        await serving
        await _wait_until_ended(threads)
    finally:
        for watch in watching:
            watch.cancel()
        bridge.close()


def _stop_signal() -> asyncio.Event:
    """What a stop signal sets from now on."""
    stopping, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        try:
            loop.add_signal_handler(number, stopping.set)
        except NotImplementedError:
            # No loop of Windows has signals.
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopping.set))
    return stopping


async def _wait_until_ended(threads: int) -> None:
    """Give the server's threads time to end; they must not outlive the interpreter."""
    deadline = time.monotonic() + _END_TIMEOUT_S
    await asyncio.sleep(_END_STEP_S)
    while _foreign_threads() > threads and time.monotonic() < deadline:
        await asyncio.sleep(_END_STEP_S)


def _foreign_threads() -> int:
    """How many threads of this process were not started by Python; 0 if that is unknown."""
    try:
        return len(list(Path("/proc/self/task").iterdir())) - threading.active_count()
    except OSError:
        return 0


class _OnSocket(Server):
    """The server on a socket that is already listening."""

    def __init__(
        self, bridge: Bridge, listening: socket.socket, idle_timeout_s: int, connections: int
    ) -> None:
        super().__init__(
            bridge,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(
                header_read_timeout=1_000 * idle_timeout_s, max_buffer_size=_MOST_HEADER_BYTES
            ),
            websockets=False,
            backlog=BACKLOG,
            backpressure=connections,
            # The server's messages contain addresses and paths.
            log_enabled=False,
        )
        # The server closes the descriptor that it gets.
        self._descriptor = os.dup(listening.fileno())

    def stop_accepting(self) -> None:
        """Accept no more connections, but respond on the open ones."""
        stop_accepting(self._descriptor)

    def _init_shared_socket(self) -> None:
        state: tuple[int, ...] = (self._descriptor, False)
        if sys.platform == "linux" or sys.platform.startswith("freebsd"):
            state = (*state, BACKLOG)
        self._shd: Any = SocketHolder(*state)
