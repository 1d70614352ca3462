"""The real site in a process of its own: `deniable serve` on a free port."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class LiveSite:
    """A running site: where it listens, and where it keeps and says things."""

    url: str
    store: Path
    log: Path

    def bytes_on_disk(self) -> bytes:
        """Everything it has written: the store, its write-ahead log, what it said."""
        files = sorted(self.store.parent.glob(f"{self.store.name}*"))
        return b"".join(file.read_bytes() for file in [*files, self.log])


@contextmanager
def live_site(store: Path) -> Iterator[LiveSite]:
    """The site over a store, ended when the block is left."""
    log = store.with_suffix(".log")
    command = [
        *(sys.executable, "-W", "error", "-m", "deniable_web", "serve"),
        *("--store", str(store), "--port", "0"),
    ]
    with (
        log.open("wb") as messages,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=messages, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url.startswith("http://127.0.0.1:"), log.read_text()
            yield LiveSite(url, store, log)
        finally:
            process.terminate()
            process.wait(60)
