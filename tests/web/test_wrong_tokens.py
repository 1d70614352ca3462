"""Invalid tokens against the whole application, as `deniable serve` runs it behind a proxy.

The tests act as the proxy: they add the sender's address.
"""

from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from sample_definitions import survey, yes_no
from served import Served, served

PUBLISHED = survey(yes_no(), slug="health")
# Every place where a token is asked for: pages, the builder, counts, the interface.
TRIED = (
    ("GET", "/manage/account"),
    ("GET", "/manage/surveys"),
    ("GET", "/manage/surveys/health/definition"),
    ("GET", "/manage/surveys/health/results/state"),
    ("POST", "/manage/definitions/check"),
    ("GET", "/manage/drafts"),
    ("POST", "/manage/surveys"),
    ("GET", "/metrics"),
    ("GET", "/api/surveys/health/results"),
    ("POST", "/api/surveys"),
)
# As many requests a minute as one wrong token counts for.
LIMIT = 10
TOKENS = {
    "owner": AccessToken("owner", Role.OWNER),
    "analyst": AccessToken("analyst", Role.ANALYST),
    "owner of it": AccessToken("owner-of-it", Role.OWNER, frozenset({"health"})),
    "analyst of it": AccessToken("analyst-of-it", Role.ANALYST, frozenset({"health"})),
}


Place = tuple[str, str]


class Guarded:
    """A site behind a proxy, and the right tokens by their kind."""

    def __init__(self, site: Served, tokens: dict[str, str]) -> None:
        self._site = site
        self.tokens = tokens

    def status(self, place: Place, token: str, address: str) -> int:
        """How a request from an address is answered."""
        method, path = place
        headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": address}
        body = b"{}" if method == "POST" else None
        with closing(self._site.connect()) as connection:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            response.read()
            return response.status

    def try_first(self, place: Place, token: str) -> tuple[str, int]:
        """An address that has asked nothing before, and how its first request is answered."""
        for number in count():
            # Of 65,536 addresses two share a place in the collector's table.
            address = f"198.51.{number}.{TRIED.index(place)}"
            status = self.status(place, token, address)
            if status != 429:
                return address, status
        raise AssertionError

    def all_statuses(self, place: Place, token: str, address: str) -> set[int]:
        """The statuses of more requests than are allowed in a minute."""
        return {self.status(place, token, address) for _ in range(4 * LIMIT)}


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Guarded]:
    """A site that lets each network try one wrong token a minute."""
    made = {kind: make_token(token.role) for kind, token in TOKENS.items()}
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(PUBLISHED)
        for kind, token in TOKENS.items():
            store.add_token(token, digest_of(made[kind]))
    environment = {"DENIABLE_PROXIES": "1", "DENIABLE_RATE_LIMIT": str(LIMIT)}
    with served(tmp_path / "store.sqlite", tmp_path, environment=environment) as site:
        yield Guarded(site, made)


def test_wrong_tokens_count_at_every_place_and_lock_out_no_right_one(guarded: Guarded) -> None:
    """One is refused as wrong, the next for its sender's haste; right ones come in as before."""
    reading = [place for place in TRIED if place[0] == "GET" and place[1] != "/metrics"]
    for place in TRIED:
        wrong = make_token(Role.OWNER)
        address, status = guarded.try_first(place, wrong)
        assert status == 401
        assert [guarded.status(each, wrong, address) for each in TRIED] == [429] * len(TRIED)
        right = [guarded.status(each, guarded.tokens["owner"], address) for each in reading]
        assert set(right) == {200}
        for token in guarded.tokens.values():
            assert guarded.status(("GET", "/manage/account"), token, address) == 200
        assert guarded.status(place, wrong, address) == 429


@pytest.mark.deep
def test_each_right_token_has_a_share_of_its_own(guarded: Guarded) -> None:
    """At the interface too: neither wrong tokens nor other right ones of its network use it up."""
    place = ("GET", "/api/surveys/health")
    address, _ = guarded.try_first(("GET", "/manage/account"), make_token(Role.OWNER))
    assert guarded.status(place, make_token(Role.ANALYST), address) == 429
    for kind in ("analyst", "analyst of it", "owner of it"):
        token = guarded.tokens[kind]
        assert guarded.status(place, token, address) == 200
        assert guarded.all_statuses(place, token, address) == {200, 429}
        assert guarded.all_statuses(("GET", "/manage/account"), token, address) == {200}
    assert guarded.all_statuses(place, guarded.tokens["owner"], address) == {200}
