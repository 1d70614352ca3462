"""A site in this process, and whoever asks it as its owner."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of
from deniable_web.site import create_site
from live_server import ANALYST_TOKEN, OWNER_TOKEN


class Owner:
    """A client that carries a token."""

    def __init__(self, client: FlaskClient, token: str = OWNER_TOKEN) -> None:
        self.client = client
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str) -> TestResponse:
        """The answer to a request for a path."""
        return self.client.get(path, headers=self._headers)

    def post(self, path: str, **body: Any) -> TestResponse:
        """The answer to a request with a body: `json=` or `data=`."""
        return self.client.post(path, headers=self._headers, **body)


@contextmanager
def builder_site(folder: Path) -> Iterator[FlaskClient]:
    """A site with an owner's token and an analyst's."""
    with closing(open_store(folder / "store.sqlite")) as store:
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(OWNER_TOKEN))
        store.add_token(AccessToken("analyst", Role.ANALYST), digest_of(ANALYST_TOKEN))
        yield create_site(store, Settings()).test_client()
