"""A running collector for the tests of its HTTP interface."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from live_server import LiveCollector, live_collector


@pytest.fixture(scope="module")
def collector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveCollector]:
    """One collector for all tests of a module; each publishes its own slug."""
    with live_collector(tmp_path_factory.mktemp("collector") / "store.sqlite") as running:
        yield running


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    """Where a test's own collector keeps its store."""
    return tmp_path / "store.sqlite"
