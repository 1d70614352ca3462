"""Starts several processes that answer requests, and watches them."""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from tempfile import TemporaryFile

from flask import Flask

from deniable_collector.errors import WorkerFailed
from deniable_collector.logs import LOGGER, describe_failure
from deniable_collector.serving.worker import (
    DRAIN_TIMEOUT_S,
    STOP_SIGNALS,
    OpenApp,
    WorkerLimits,
    work,
)
from deniable_collector.system import wait_for_lock
from deniable_sdk import DeniableError

_READY = b"ready"
_LONGEST_MESSAGE = 1 << 16
# A worker closes its store after the last request.
_STOP_TIMEOUT_S = DRAIN_TIMEOUT_S + 20
_RESPAWN_PAUSE_S = 1.0
_SIGNALS = {*STOP_SIGNALS, signal.SIGCHLD}


def supervise(
    open_app: OpenApp,
    listening: socket.socket,
    limits: WorkerLimits,
    count: int,
    on_ready: Callable[[], None],
) -> None:
    """Run the workers until a stop signal arrives and all of them have finished.

    Once one of them answers, none ends the others: whoever cannot start is tried again.

    Raises:
        WorkerFailed: the first one could not start.
    """
    # Blocked signals stay pending until sigwait, so that none is missed.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    crew = _WorkerPool(open_app, listening, limits)
    try:
        crew.start_one()
        for _ in range(count - 1):
            crew.try_to_start_one()
        on_ready()
        while signal.sigwait(_SIGNALS) == signal.SIGCHLD:
            for _ in range(crew.reap()):
                LOGGER.error("a worker ended unexpectedly; another takes its place")
                if signal.sigtimedwait(STOP_SIGNALS, _RESPAWN_PAUSE_S):
                    return
                crew.try_to_start_one()
    finally:
        crew.stop()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _WorkerPool:
    """The workers of one supervisor, by their process ids."""

    def __init__(self, open_app: OpenApp, listening: socket.socket, limits: WorkerLimits) -> None:
        self._open_app = open_app
        self._listening = listening
        self._limits = limits
        self._pids: set[int] = set()
        # Nobody writes to this pipe. It closes when the supervisor ends, which its workers notice.
        self._watched, self._held = os.pipe()
        # Only the lock of this file is used, for workers to take turns.
        self._turns = TemporaryFile()  # noqa: SIM115  closed when all have ended

    def start_one(self) -> None:
        """Start another worker, and wait until it accepts requests.

        Raises:
            WorkerFailed: it could not start.
        """
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            os.close(self._held)
            self._be_worker(writing)
        os.close(writing)
        self._pids.add(pid)
        with os.fdopen(reading, "rb") as told:
            message = told.read(_LONGEST_MESSAGE)
        if message != _READY:
            raise WorkerFailed(message.decode("utf-8", "replace") or "it ended without a message")

    def try_to_start_one(self) -> None:
        """Start another worker; if it cannot start, its end is noticed like that of any other."""
        try:
            self.start_one()
        except WorkerFailed as error:
            LOGGER.error("a worker could not start: %s", error)

    def reap(self) -> int:
        """How many workers have ended since the last call."""
        ended = {pid for pid in self._pids if os.waitpid(pid, os.WNOHANG)[0]}
        self._pids -= ended
        return len(ended)

    def stop(self) -> None:
        """Accept no more connections, and wait until all workers have ended."""
        self._listening.close()
        self._signal(signal.SIGTERM)
        deadline = time.monotonic() + _STOP_TIMEOUT_S
        while self._pids and time.monotonic() < deadline:
            signal.sigtimedwait({signal.SIGCHLD}, 0.1)
            self.reap()
        self._signal(signal.SIGKILL)
        for pid in self._pids:
            os.waitpid(pid, 0)
        os.close(self._held)
        os.close(self._watched)
        self._turns.close()

    def _signal(self, number: signal.Signals) -> None:
        for pid in self._pids:
            os.kill(pid, number)

    def _be_worker(self, writing: int) -> None:
        status = 1
        ready = partial(_tell, writing, _READY)
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
            threading.Thread(target=self._end_with_supervisor, daemon=True).start()
            work(self._open_app_in_turn, self._listening, self._limits, ready)
            status = 0
        except DeniableError as error:
            _tell(writing, str(error).encode())
        except BaseException as error:  # noqa: BLE001  its traceback may contain too much
            text = describe_failure(type(error), error.__traceback__)
            LOGGER.error("%s", text)
            _tell(writing, text.encode())
        finally:
            # A worker must not run the supervisor's code for exiting.
            os._exit(status)

    @contextmanager
    def _open_app_in_turn(self) -> Iterator[Flask]:
        with self._open_app() as app:
            yield app
            # The lock lasts until this process has ended, so stores are closed one after
            # another. If all closed at the same time, none could empty the log that they
            # share.
            wait_for_lock(self._turns)

    def _end_with_supervisor(self) -> None:
        os.read(self._watched, 1)
        os._exit(1)


def _tell(writing: int, message: bytes) -> None:
    # If the pipe is closed, a message was already sent.
    with suppress(OSError):
        os.write(writing, message)
        os.close(writing)
