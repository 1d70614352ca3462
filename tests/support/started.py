"""Programs of ours in processes of their own, started fast.

Starting Python and importing a collector takes a second of a processor's time,
and hundreds of tests start one. So one process imports it, and each program is
a fork of that process; all that a program does itself is as ever.
"""

import multiprocessing
import os
import select
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from unittest.mock import patch

from compiled_templates import keep_compiled_templates

START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 60

Program = Callable[[Sequence[str]], None]

# A process that has threads cannot be forked safely.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["__main__", "imported_once"])


class Started:
    """A running program, with the methods of subprocess.Popen that tests use."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process
        assert process.pid is not None
        self.pid = process.pid

    def poll(self) -> int | None:
        """Its exit status, negative after a signal; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout_s: float = STOP_TIMEOUT_S) -> int:
        """Its exit status, once it has ended."""
        self._process.join(timeout_s)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout_s)
        return status

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


@contextmanager
def started(
    program: Program, arguments: Sequence[str], log: Path, environment: Mapping[str, str]
) -> Iterator[tuple[str, Started]]:
    """The first line that a program says and the program, ended when the block is left.

    Args:
        program: a function of a module, given the arguments.
        arguments: of its command line.
        log: where all goes that it says as errors, at the end.
        environment: variables besides those of the tests.
    """
    _start_server()
    reading, writing = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(
        target=_become,
        args=(program, list(arguments), writing, log, {**os.environ, **environment}),
    )
    process.start()
    writing.close()
    running = Started(process)
    try:
        ready, _, _ = select.select([reading], [], [], START_TIMEOUT_S)
        with os.fdopen(os.dup(reading.fileno()), encoding="utf-8") as said:
            yield said.readline().strip() if ready else "", running
    finally:
        reading.close()
        running.terminate()
        try:
            running.wait()
        finally:
            running.kill()


@cache
def _start_server() -> None:
    """Start the process that programs are forked from."""
    # In Python 3.11 that process gets no sys.path, and ignores a module that it does not find.
    tests = Path(__file__).parents[1]
    folders = [str(tests), str(tests / "support"), *filter(None, [os.environ.get("PYTHONPATH")])]
    with patch.dict(os.environ, PYTHONPATH=os.pathsep.join(folders)):
        forkserver.ensure_running()


def _become(
    program: Program,
    arguments: Sequence[str],
    writing: Connection,
    log: Path,
    environment: Mapping[str, str],
) -> None:
    assert "imported_once" in sys.modules, (
        "not found, so that each program would import its packages"
    )
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(writing.fileno(), sys.stdout.fileno())
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(descriptor, sys.stderr.fileno())
    os.close(descriptor)
    writing.close()
    warnings.simplefilter("error")
    keep_compiled_templates()
    program(arguments)
