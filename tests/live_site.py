"""The real site in a process of its own: `deniable serve` on a free port."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deniable_web.command_line import main
from started import started


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
    with started(_serve, ["--store", str(store), "--port", "0"], log, {}) as (url, _):
        assert url.startswith("http://127.0.0.1:"), log.read_text()
        yield LiveSite(url, store, log)


def _serve(arguments: Sequence[str]) -> None:
    sys.argv = ["deniable", "serve", *arguments]
    main()
