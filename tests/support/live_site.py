"""The real site in a process of its own: `deniable serve` on a free port."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey
from deniable_web.command_line import main
from forked_isolation import fork_isolated_processes
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
def live_site(
    store: Path, *surveys: PublishedSurvey, environment: Mapping[str, str] | None = None
) -> Iterator[LiveSite]:
    """The site over a store that these surveys are published in, ended when the block is left."""
    if surveys:
        with closing(open_store(store)) as opened:
            for survey in surveys:
                opened.publish(survey)
    log = store.with_suffix(".log")
    arguments = ["serve", "--store", str(store), "--port", "0"]
    with started(run_deniable, arguments, log, environment or {}) as (url, _):
        assert url.startswith("http://127.0.0.1:"), log.read_text()
        yield LiveSite(url, store, log)


def run_deniable(arguments: Sequence[str]) -> None:
    """The program deniable, as somebody starts it."""
    sys.argv = ["deniable", *arguments]
    fork_isolated_processes()
    main()
