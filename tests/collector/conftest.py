"""Fixtures: running collectors, and stores of every kind."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import Store, open_store
from live_server import LiveCollector, live_collector
from store_samples import Open

# Another store is one more row.
LOCATIONS: dict[str, Callable[[pytest.FixtureRequest], str]] = {
    "sqlite": lambda request: str(request.getfixturevalue("tmp_path") / "store.sqlite"),
    "postgres": lambda request: request.getfixturevalue("postgres_server").schema(),
}


@pytest.fixture(scope="module")
def collector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveCollector]:
    """One collector for all tests of a module; each publishes its own slug."""
    with live_collector(tmp_path_factory.mktemp("collector") / "store.sqlite") as running:
        yield running


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    """Where a test's own collector keeps its store."""
    return tmp_path / "store.sqlite"


@pytest.fixture(params=LOCATIONS)
def location(request: pytest.FixtureRequest) -> str:
    """Where a store of each kind may be."""
    return LOCATIONS[request.param](request)


@pytest.fixture
def reopen(location: str) -> Open:
    """A way to open the same store again."""
    return lambda: open_store(location)


@pytest.fixture
def store(reopen: Open) -> Iterator[Store]:
    """An empty store."""
    with closing(reopen()) as opened:
        yield opened
