"""The process that tasks are forked from, and the work of such a fork.

Started as `python -m deniable_web.isolation.program MODULE ...` with a socket as its
standard input. Each message on it contains the descriptor of another socket, which brings
one task and returns its result. The process ends when its standard input is closed.

Where nothing can be forked, each task has a process of its own (ALONE): standard input
brings the task, and standard output returns its result.
"""

import gc
import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import BufferedRWPair
from pathlib import PurePath
from threading import Thread
from typing import IO, Any

from deniable_collector.system import end_at_limits, give_way
from deniable_sdk.errors import DeniableError
from deniable_sdk.foreign import read_object

READY = b"."
# The first byte of a result.
DONE, REFUSED, FAILED = b"+", b"-", b"!"
# The first argument of a process for one task.
ALONE = "--alone"
# Requests with reports have priority.
_NICENESS = 5


def main(modules: Sequence[str]) -> None:
    """Fork for each task until nobody can send another one."""
    give_way(_NICENESS)
    if modules[:1] == [ALONE]:
        _work_alone()
    # Nobody needs to collect the exit status of a child.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for module in modules:
        # The task that needs a missing module reports it.
        with suppress(ImportError):
            import_module(module)
    gc.freeze()
    with socket.socket(fileno=0) as control:
        control.sendall(READY)
        while True:
            message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            if not message:
                return
            with socket.socket(fileno=descriptors[0]) as asking:
                if os.fork() == 0:
                    control.close()
                    _be_child(asking)


def _be_child(asking: socket.socket) -> None:
    try:
        with asking.makefile("rwb") as stream:
            function, body = _read_task(stream)
            Thread(target=_end_with, args=(asking,), daemon=True).start()
            stream.write(_work(function, body))
    finally:
        # A child must not run its parent's code for exiting.
        os._exit(0)


def _work_alone() -> None:
    # What a library prints is no part of the result.
    result, sys.stdout = sys.stdout.buffer, sys.stderr
    result.write(_work(*_read_task(sys.stdin.buffer)))
    result.flush()
    os._exit(0)


def _read_task(stream: "IO[bytes] | BufferedRWPair") -> tuple[str, bytes]:
    """The function of a task and what it is called with; from now on its limits hold."""
    task = read_object(stream.readline())
    end_at_limits(task["cpu_s"], task["deadline_s"], task["memory_bytes"])
    return task["function"], stream.read(task["size"])


def _end_with(asking: socket.socket) -> None:
    """End this process once nobody waits for its answer: nothing else comes on the socket."""
    with suppress(OSError):
        asking.recv(1, socket.MSG_PEEK)
    os._exit(1)


def _work(function: str, body: bytes) -> bytes:
    module, _, name = function.partition(":")
    try:
        done: bytes = getattr(import_module(module), name)(body)
    except DeniableError as error:
        return REFUSED + str(error).encode("utf-8", "replace")
    except MemoryError:
        os._exit(1)
    except Exception as error:  # noqa: BLE001 - its message may quote the file
        return FAILED + _describe(error).encode()
    return DONE + done


def _describe(error: Exception) -> str:
    """An error's class and place, and nothing of its content."""
    frame: Any = error.__traceback__
    while frame.tb_next:
        frame = frame.tb_next
    file = PurePath(frame.tb_frame.f_code.co_filename)
    return f"{type(error).__name__} at {'/'.join(file.parts[-2:])}:{frame.tb_lineno}"


if __name__ == "__main__":
    main(sys.argv[1:])
