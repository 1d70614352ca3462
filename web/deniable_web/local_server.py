"""Servers of our own commands on free ports of this machine, for the demo."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from deniable_sdk import DeniableError


class ServerNotStarted(DeniableError):
    """A server of the demo ended before it listened; the message contains its own."""


@contextmanager
def running_server(*arguments: str) -> Iterator[str]:
    """The address of a server that runs until the block ends.

    Args:
        arguments: of `deniable`: a command that serves, with its store.
    Raises:
        ServerNotStarted: it did not start.
    """
    command = [sys.executable, "-m", "deniable_web", *arguments, "--port", "0"]
    with (
        tempfile.TemporaryFile("w+") as messages,
        subprocess.Popen(  # noqa: S603 - our own command, no shell
            command, stdout=subprocess.PIPE, stderr=messages, text=True
        ) as server,
    ):
        try:
            url = server.stdout.readline().strip() if server.stdout else ""
            if not url:
                messages.seek(0)
                raise ServerNotStarted(
                    f"deniable {' '.join(arguments)} did not start: {messages.read().strip()}"
                )
            yield url
        finally:
            server.terminate()
