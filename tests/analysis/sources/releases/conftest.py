"""A closed store, and its release."""

from pathlib import Path

import pytest

from analysis.closed_stores import write
from deniable_analysis import export_release


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A closed store of 100 reports."""
    return write(tmp_path / "store.sqlite")


@pytest.fixture
def release(store: Path) -> Path:
    """Its release."""
    path = store.with_name("north.json")
    export_release(store, path, epsilon=1, site="north")
    return path
