"""Passes tasks to a process that forks for each of them."""

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Final

from deniable_collector.system import CAN_FORK
from deniable_sdk import DeniableError
from deniable_web.isolation.program import ALONE, DONE, FAILED, READY, REFUSED

_PROGRAM: Final = "deniable_web.isolation.program"
_PIECE_BYTES: Final = 1 << 16
# Longer than any reasonable result of a task on one megabyte.
_MOST_BYTES: Final = 16 << 20
_START_TIMEOUT_S: Final = 30.0
_END_TIMEOUT_S: Final = 5.0
# Whoever waits is asked so often whether they are still there.
_LOOK_S: Final = 0.5


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one task.

    Args:
        cpu_s: seconds of processor time, so that other load does not count.
        wall_s: seconds until its result must be ready. The first task has at least half of
            them after the process that it is forked from has started.
        memory_bytes: address space, including that of its libraries.
    """

    cpu_s: float
    wall_s: float
    memory_bytes: int


class OverLimit(DeniableError):
    """The task used more time or memory than allowed, and was ended."""


class TaskRefused(DeniableError):
    """The task raised a DeniableError; the message is the task's own."""


class TaskFailed(DeniableError):
    """The task failed unexpectedly; the message is a class and a place."""


class NobodyWaits(DeniableError):
    """Whoever asked for the result is gone, and the task was ended."""


class TooManyTasks(DeniableError):
    """The allowed number of tasks is running; try again soon."""


class ForkServer:
    """Runs tasks in forks of a process that has already done all imports.

    The process is started for the first task. May be used from any thread. Where nothing can be
    forked, each task has a process of its own.

    Args:
        modules: imported once, before the first fork.
        at_once: how many tasks run at the same time.
        waiting: how many more tasks may wait for their turn.
    """

    def __init__(self, *modules: str, at_once: int = 2, waiting: int = 6) -> None:
        self._modules = modules
        self._at_once = threading.Semaphore(at_once)
        self._admitted = threading.Semaphore(at_once + waiting)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._owner = 0
        self._is_ready = False

    def run(
        self, function: str, body: bytes, limits: Limits, is_gone: Callable[[], bool] = _never
    ) -> bytes:
        """The result of a function of bytes, named as module:name, called in a separate process.

        Args:
            function: the function's name.
            body: what it is called with.
            limits: the limits of the task.
            is_gone: whether nobody waits for the result any more; it is asked again and again.
        Raises:
            NobodyWaits: is_gone was true.
            TaskRefused: the function raised a DeniableError.
            TaskFailed: it raised another exception.
            OverLimit: it had not returned when its limits were reached.
            TooManyTasks: the allowed number of tasks is running and waiting.
        """
        if not self._admitted.acquire(blocking=False):
            raise TooManyTasks("too many tasks wait; send it again in a few seconds")
        began_s = time.monotonic()
        try:
            if not self._has_turn(began_s + limits.wall_s / 2, is_gone):
                raise TooManyTasks("other tasks take long; send it again in a few seconds")
            try:
                answer = self._ask(function, body, limits, (began_s, is_gone))
            finally:
                self._at_once.release()
        finally:
            self._admitted.release()
        return _read_answer(answer)

    def start(self) -> None:
        """Begin to start the process, so that the first task need not wait for it."""
        if CAN_FORK:
            with self._lock:
                self._connected()

    def close(self) -> None:
        """End the process; the next task starts another one."""
        with self._lock:
            self._end()

    def _has_turn(self, deadline_s: float, is_gone: Callable[[], bool]) -> bool:
        """Whether it is this task's turn before the deadline."""
        while not self._at_once.acquire(timeout=_next_look_s(deadline_s, is_gone)):
            if time.monotonic() >= deadline_s:
                return False
        return True

    def _ask(
        self,
        function: str,
        body: bytes,
        limits: Limits,
        asking: tuple[float, Callable[[], bool]],
    ) -> bytes:
        began_s, is_gone = asking
        if not CAN_FORK:
            deadline_s = time.monotonic() + _START_TIMEOUT_S + limits.wall_s
            return _ask_alone(_task(function, body, limits, deadline_s), deadline_s, is_gone)
        ours, theirs = socket.socketpair()
        with closing(ours), closing(theirs):
            self._hand_over(theirs)
            theirs.close()
            deadline_s = max(began_s, time.monotonic() - limits.wall_s / 2) + limits.wall_s
            # A result that breaks off or is late counts as no result.
            with suppress(OSError):
                ours.settimeout(_left_s(deadline_s))
                ours.sendall(_task(function, body, limits, deadline_s))
                return _receive(ours, deadline_s, is_gone)
        return b""

    def _hand_over(self, asking: socket.socket) -> None:
        with self._lock:
            try:
                self._send(asking)
            except OSError:
                # The process has ended for some reason: try once more with a new one.
                self._end()
                self._send(asking)

    def _send(self, asking: socket.socket) -> None:
        control = self._connected()
        if not self._is_ready:
            control.settimeout(_START_TIMEOUT_S)
            self._is_ready = control.recv(len(READY)) == READY
            control.settimeout(None)
        socket.send_fds(control, [READY], [asking.fileno()])

    def _connected(self) -> socket.socket:
        """The socket to the process, which is started if it is not running."""
        # A fork of this process must not use its parent's process for tasks.
        if self._control is not None and self._owner == os.getpid():
            return self._control
        control, theirs = socket.socketpair()
        with closing(theirs):
            self._process = start_program(self._modules, theirs)
        self._control, self._owner, self._is_ready = control, os.getpid(), False
        atexit.register(self.close)
        return control

    def _end(self) -> None:
        control, process = self._control, self._process
        self._control = self._process = None
        if control is None or process is None or self._owner != os.getpid():
            return
        control.close()
        try:
            process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def start_program(modules: Sequence[str], control: socket.socket) -> subprocess.Popen[bytes]:
    """Start the process that imports the modules, and forks for each task."""
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-P", "-m", _PROGRAM, *modules],
        stdin=control.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Ctrl-C at a terminal must reach only the server, which then ends this process.
        start_new_session=True,
    )


def _task(function: str, body: bytes, limits: Limits, deadline_s: float) -> bytes:
    """A task as the process reads it."""
    head = {
        "function": function,
        "cpu_s": limits.cpu_s,
        "deadline_s": deadline_s,
        "memory_bytes": limits.memory_bytes,
        "size": len(body),
    }
    return json.dumps(head).encode() + b"\n" + body


def _ask_alone(task: bytes, deadline_s: float, is_gone: Callable[[], bool]) -> bytes:
    """The answer of a process for this task alone; empty if it is late or breaks off."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-P", "-m", _PROGRAM, ALONE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    left: bytes | None = task
    try:
        while time.monotonic() < deadline_s:
            with suppress(subprocess.TimeoutExpired):
                answer, _ = process.communicate(left, _next_look_s(deadline_s, is_gone))
                return answer if len(answer) <= _MOST_BYTES else b""
            left = None
    finally:
        process.kill()
        process.communicate()
    return b""


def _left_s(deadline_s: float) -> float:
    """The time left, always above 0, because a timeout of 0 would mean not to wait."""
    return max(deadline_s - time.monotonic(), 0.001)


def _next_look_s(deadline_s: float, is_gone: Callable[[], bool]) -> float:
    """How long to wait before asking again whether somebody waits; NobodyWaits if not."""
    if is_gone():
        raise NobodyWaits("whoever asked for it is gone")
    return min(_left_s(deadline_s), _LOOK_S)


def _receive(connection: socket.socket, deadline_s: float, is_gone: Callable[[], bool]) -> bytes:
    answer = bytearray()
    while len(answer) <= _MOST_BYTES:
        connection.settimeout(_next_look_s(deadline_s, is_gone))
        try:
            piece = connection.recv(_PIECE_BYTES)
        except TimeoutError:
            if time.monotonic() >= deadline_s:
                return b""
            continue
        if not piece:
            return bytes(answer)
        answer += piece
    return b""


def _read_answer(answer: bytes) -> bytes:
    kind, content = answer[:1], answer[1:]
    if kind == DONE:
        return content
    if kind == REFUSED:
        raise TaskRefused(content.decode())
    if kind == FAILED:
        raise TaskFailed(content.decode())
    raise OverLimit("it took more time or memory than allowed")
