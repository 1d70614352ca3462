"""A server that the demo runs."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from deniable_web.commands.program import NotDone


@contextmanager
def running_server(*arguments: str) -> Iterator[str]:
    """The address of a server, which one of our commands runs until the block ends.

    Raises:
        NotDone: it did not start.
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
                raise NotDone(
                    f"deniable {' '.join(arguments)} did not start: {messages.read().strip()}"
                )
            yield url
        finally:
            server.terminate()
