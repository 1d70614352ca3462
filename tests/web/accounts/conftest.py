"""A site with accounts."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from web.accounts.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A site."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        made = Desk(store, tmp_path / "workplace.sqlite")
        with closing(made.workplace):
            yield made
