"""What several benchmarks share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from postgres_server import PostgresServer, running_server


@pytest.fixture(scope="module")
def quiet_server() -> Iterator[PostgresServer]:
    """A server that does not log each statement."""
    with running_server() as server:
        server.stop()
        server.start("log_statement=none")
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """A function that gives the location of a new store of a kind."""
    if request.param == "sqlite":
        return lambda name: str(tmp_path / f"{name}.sqlite")
    server: PostgresServer = request.getfixturevalue("quiet_server")
    return lambda _name: server.schema()
