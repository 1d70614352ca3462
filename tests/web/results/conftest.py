"""Fixtures: sites with stores of both kinds, each filled once."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from deniable_collector.settings import Settings
from deniable_collector.store import Store, open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_web.site import create_site
from invitations import InvitedSurvey
from postgres_server import PostgresServer
from results_site import fill
from sample_definitions import survey, yes_no
from sampled_params import sampled_params
from ward_site import WARD, fill_ward, ward


@dataclass(frozen=True)
class Site:
    """A site to ask, with the token that opens it and the place of its store."""

    client: FlaskClient
    token: str
    location: str
    store: Store

    @classmethod
    def over(cls, store: Store, location: str = "", settings: Settings | None = None) -> "Site":
        """A site over an open store, with an owner's token."""
        token = make_token(Role.OWNER)
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
        client = create_site(store, settings or Settings()).test_client()
        return cls(client, token, location, store)

    def get(self, path: str, **query: str) -> TestResponse:
        """The answer to an owner."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return self.client.get(path, query_string=query, headers=headers)

    def content(self, slug: str, **query: str) -> str:
        """The main part of a survey's results."""
        answer = self.get(f"/manage/surveys/{slug}/results/content", **{"lang": "en", **query})
        assert answer.status_code == 200, answer.text
        return answer.text


@pytest.fixture(scope="module", params=sampled_params(["sqlite", "postgres"]))
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A site over a store of either kind."""
    if request.param == "sqlite":
        location = str(tmp_path_factory.mktemp("results") / "store.sqlite")
    else:
        location = request.getfixturevalue("postgres_server").schema()
    yield from _site(location)


@pytest.fixture(scope="module")
def sqlite_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site over an SQLite store."""
    yield from _site(str(Path(tmp_path_factory.mktemp("results")) / "store.sqlite"))


def _site(location: str) -> Iterator[Site]:
    token = fill(location)
    with closing(open_store(location)) as store:
        client = create_site(store, Settings()).test_client()
        yield Site(client, token, location, store)


@pytest.fixture(scope="module")
def closed_ward() -> InvitedSurvey:
    """The survey that is closed."""
    return ward()


@pytest.fixture(scope="module", params=sampled_params(["sqlite", "postgres"]))
def ward_site(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    closed_ward: InvitedSurvey,
    postgres_server: PostgresServer,
) -> Iterator[Site]:
    """A closed survey by invitation, an open one, and one that everybody may answer."""
    location = str(tmp_path_factory.mktemp("ward") / "store.sqlite")
    if request.param == "postgres":
        location = postgres_server.schema()
    with closing(open_store(location)) as store:
        fill_ward(store, closed_ward)
        store.close_survey(WARD)
        fill_ward(store, ward("open-ward", first_key=10))
        store.publish(survey(yes_no(), slug="other"))
        yield Site.over(store, location)
