"""A store of three objects behaves as a store in one file: the same contract, and over HTTP."""

import random
from contextlib import closing
from pathlib import Path

import pytest

from apart_store import opened_apart, reports_in
from collector.test_store_contract import *  # noqa: F403 - the same tests, with this store
from collector.test_store_contract_upkeep import *  # noqa: F403 - as above
from deniable_collector import Settings, create_collector
from deniable_collector.app import opened
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from store_samples import HEALTH, Open, reports_of


@pytest.fixture
def reopen(tmp_path: Path) -> Open:
    """A way to open the same store of three objects again."""
    return lambda: opened_apart(tmp_path)


def test_a_collector_needs_the_roles_alone(tmp_path: Path, random_source: random.Random) -> None:
    """It registers, stores and counts, each in the place of that role, and ends all of them."""
    token = make_token(Role.OWNER)
    headers = {"Authorization": f"Bearer {token}"}
    reports = reports_of(HEALTH, 30, random_source)
    with closing(opened_apart(tmp_path)) as store:
        store.add_token(AccessToken("me", Role.OWNER), digest_of(token))
    with opened(
        lambda: opened_apart(tmp_path), lambda store: create_collector(store, Settings())
    ) as app:
        client = app.test_client()
        assert (
            client.post(
                "/api/surveys",
                data=HEALTH.document,
                content_type="application/json",
                headers=headers,
            ).status_code
            == 201
        )
        lines = b"".join(each.to_bytes() + b"\n" for each in reports)
        for status in (201, 200):
            sent = client.post(
                "/api/reports", data=lines, content_type="application/x-ndjson"
            ).get_json()
            assert sent["stored" if status == 201 else "already_stored"] == 30
        results = client.get("/api/surveys/health/results", headers=headers).get_json()
        assert results["reports"] == 30
        assert client.get("/healthz").status_code == 200
        closed = client.post("/api/surveys/health/close", headers=headers).get_json()
        assert (closed["is_closed"], closed["state"]) == (True, "closed")
    assert [reports_in(tmp_path / name) for name in ("registry", "reports.sqlite")] == [0, 30]
