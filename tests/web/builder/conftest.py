"""Fixtures: a site with an owner's token."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from builder_site import Owner, builder_site


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[Owner]:
    """Who may do everything."""
    with builder_site(tmp_path) as client:
        yield Owner(client)
