"""A site with an owner's token, and the builder's pages opened with it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from built_fieldwork import DEFINITION, MODULUS
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of
from live_server import OWNER_TOKEN
from live_site import LiveSite, live_site


@pytest.fixture
def building_site(tmp_path: Path) -> Iterator[LiveSite]:
    """A site without any survey, whose owner has a token."""
    store = tmp_path / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.add_token(AccessToken("owner", Role.OWNER), digest_of(OWNER_TOKEN))
    with live_site(store) as running:
        yield running


@pytest.fixture
def definition_file(tmp_path: Path) -> Path:
    """A definition with a window and an invitation, one of whose groups has a key."""
    file = tmp_path / "wards.yaml"
    file.write_text(DEFINITION.replace("KEY", MODULUS))
    return file
