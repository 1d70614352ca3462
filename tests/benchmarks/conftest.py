"""What several benchmarks share."""

from collections.abc import Iterator

import pytest

from postgres_server import PostgresServer, running_server


@pytest.fixture(scope="module")
def quiet_server() -> Iterator[PostgresServer]:
    """A server that does not log each statement."""
    with running_server() as server:
        server.stop()
        server.start("log_statement=none")
        yield server
