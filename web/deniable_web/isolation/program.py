"""The process that tasks are forked from, and the work of such a fork.

Started as `python -m deniable_web.isolation.program MODULE ...` with a socket as its
standard input. Each message on it contains the descriptor of another socket, which brings
one task and returns its result. The process ends when its standard input is closed.
"""

import gc
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import PurePath
from threading import Thread
from typing import Any

from deniable_sdk.errors import DeniableError
from deniable_sdk.foreign import read_object

READY = b"."
# The first byte of a result.
DONE, REFUSED, FAILED = b"+", b"-", b"!"
# Requests with reports have priority.
_NICENESS = 5


def main(modules: Sequence[str]) -> None:
    """Fork for each task until nobody can send another one."""
    os.nice(_NICENESS)
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
            task = read_object(stream.readline())
            _limit(task["cpu_s"], task["deadline_s"], task["memory_bytes"])
            body = stream.read(task["size"])
            Thread(target=_end_with, args=(asking,), daemon=True).start()
            kind, answer = _work(task["function"], body)
            stream.write(kind + answer)
    finally:
        # A child must not run its parent's code for exiting.
        os._exit(0)


def _end_with(asking: socket.socket) -> None:
    """End this process once nobody waits for its answer: nothing else comes on the socket."""
    with suppress(OSError):
        asking.recv(1, socket.MSG_PEEK)
    os._exit(1)


def _work(function: str, body: bytes) -> tuple[bytes, bytes]:
    module, _, name = function.partition(":")
    try:
        done: bytes = getattr(import_module(module), name)(body)
    except DeniableError as error:
        return REFUSED, str(error).encode("utf-8", "replace")
    except MemoryError:
        os._exit(1)
    except Exception as error:  # noqa: BLE001 - its message may quote the file
        return FAILED, _describe(error).encode()
    return DONE, done


def _limit(cpu_s: float, deadline_s: float, memory_bytes: int) -> None:
    """Let the kernel end this process at its limits, whatever library is running."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Not every system has this limit.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    # Zero would set no alarm.
    signal.setitimer(signal.ITIMER_REAL, max(deadline_s - time.monotonic(), 0.001))


def _describe(error: Exception) -> str:
    """An error's class and place, and nothing of its content."""
    frame: Any = error.__traceback__
    while frame.tb_next:
        frame = frame.tb_next
    file = PurePath(frame.tb_frame.f_code.co_filename)
    return f"{type(error).__name__} at {'/'.join(file.parts[-2:])}:{frame.tb_lineno}"


if __name__ == "__main__":
    main(sys.argv[1:])
