"""The builder's isolated processes, as forks of a process that has imported their libraries.

Each builder starts three of them, and importing takes them two seconds of a processor's time.
They run the program that they run otherwise; only its start is another one.
"""

import json
import os
import signal
import socket
import warnings
from collections.abc import Sequence
from functools import partial

from deniable_web.isolation import fork_server, program


class _Forked:
    """A program that ends once its socket is closed, so that nobody need wait for it."""

    def wait(self, _timeout_s: float | None = None) -> int:
        """An exit status, which nobody needs."""
        return 0

    def kill(self) -> None:
        """Do nothing: it has ended."""


def fork_isolated_processes() -> None:
    """Fork the isolated processes of this one's builder from here on.

    Call it while this process has a single thread.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        ours.close()
        _fork_for_each(theirs)
    theirs.close()
    fork_server.start_program = partial(_ask, ours)  # type: ignore[assignment]


def _ask(asked: socket.socket, modules: Sequence[str], control: socket.socket) -> _Forked:
    socket.send_fds(asked, [json.dumps(modules).encode()], [control.fileno()])
    return _Forked()


def _fork_for_each(asking: socket.socket) -> None:
    """Fork for each message until nobody can send another one; does not return."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    silent = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silent, stream)
    warnings.resetwarnings()
    while True:
        modules, descriptors, _, _ = socket.recv_fds(asking, 1 << 12, 1)
        if not modules:
            os._exit(0)
        if os.fork() == 0:
            os.setsid()
            os.dup2(descriptors[0], 0)
            for each in (*descriptors, asking.detach()):
                os.close(each)
            program.main(json.loads(modules))
            os._exit(0)
        os.close(descriptors[0])
