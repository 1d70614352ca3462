"""A running collector that is sent only what it has to refuse."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey
from live_server import LiveCollector, live_collector


@contextmanager
def refusing_collector(folder: Path, published: PublishedSurvey) -> Iterator[LiveCollector]:
    """A collector with one open survey; afterwards its log is empty."""
    with live_collector(folder / "store.sqlite") as running:
        assert running.owner("POST", "/api/surveys", published.document).status == 201
        yield running
        assert running.log.read_text() == ""


def stored(collector: LiveCollector, published: PublishedSurvey) -> int:
    """How many reports the survey has."""
    with closing(open_store(collector.store)) as store:
        return store.count_reports(published.digest)
