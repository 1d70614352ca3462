"""The whole application over a store with two surveys, and a token of every kind."""

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from deniable_collector.access import EXTENSION
from deniable_collector.clock import utc_now
from deniable_collector.permissions import access_of
from deniable_collector.settings import Settings
from deniable_collector.store import add_reports, open_store
from deniable_collector.tokens import (
    FEWEST_REPORTS,
    AccessToken,
    Release,
    Role,
    digest_of,
    make_token,
)
from deniable_web.accounts.sessions import Sessions
from deniable_web.accounts.settings import read_account_provider
from deniable_web.drafts.store import DraftStore
from deniable_web.site import create_site
from deniable_web.workplace import open_workplace
from invitations import many_reports
from store_samples import reports_of
from there import there
from web.access_rights import (
    ANOTHER,
    DOCUMENT,
    INVITATIONS,
    INVITED,
    IT,
    NO_TOKENS,
    ROUTES,
    SESSION,
    TOKENS,
    WARD,
    WRITTEN,
    refusal,
)

# Far from the machine: what it may do without a token is tested elsewhere.
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.5"}
PROVIDER = {
    "provider": "http://127.0.0.1:9",
    "client_id": "deniable",
    "title": "Clinic",
    "rights": [{"value": "staff", "role": "editor"}],
}
# What a page of this site sends.
PAGE = {"Deniable-Page": "1", "Origin": "https://example.org", "Sec-Fetch-Site": "same-origin"}
# Each survey has more reports.
RELEASE = Release(FEWEST_REPORTS)


class Site:
    """The application over a store with two surveys and a token of every kind."""

    def __init__(
        self, app: Flask, drafts: DraftStore, sessions: Sessions, tokens: dict[str, str]
    ) -> None:
        self.app = app
        self._drafts = drafts
        self._sessions = sessions
        self._client: FlaskClient = app.test_client()
        self._tokens = tokens

    def expected(self, name: tuple[str, str], kind: str) -> str:
        """The refusal that follows from what is declared beside a route."""
        endpoint, _ = name
        rule = next(self.app.url_map.iter_rules(endpoint))
        return refusal(access_of(self.app, endpoint), kind, ROUTES[name], rule.arguments)

    def ask(self, name: tuple[str, str], kind: str, asked: str = "") -> TestResponse:
        """What a route answers to a token about a survey; by default the one it is about."""
        endpoint, method = name
        route = ROUTES[name]
        slug = asked or route.slug
        rule = next(self.app.url_map.iter_rules(endpoint))
        parts = {"slug": slug, **route.parts}
        if "draft_id" in rule.arguments:
            parts["draft_id"] = self.make_draft(slug)
        # Somebody else, whom one of the routes removes.
        registry = self.app.extensions[EXTENSION].registry
        registry.add_token(AccessToken("other", Role.ANALYST), digest_of("other"))
        _, path = rule.build({part: parts[part] for part in rule.arguments}) or ("", "")
        return self._client.open(
            path + route.query,
            method=method,
            headers={**PAGE, **self._authorization(kind)},
            environ_overrides=ELSEWHERE,
            **route.body(slug),
        )

    def token(self, kind: str) -> str:
        """The token of a kind."""
        return self._tokens[kind]

    def make_draft(self, slug: str) -> str:
        """A new draft of a survey, by its id."""
        document = {"definition": WRITTEN[slug], "facts": []}
        return self._drafts.create(document, "somebody else", utc_now()).id

    def _authorization(self, kind: str) -> dict[str, str]:
        if kind == "none":
            return {}
        token = self._tokens[kind.removeprefix(SESSION)]
        if kind.startswith(SESSION):
            rights = there(self.app.extensions[EXTENSION].registry.find_token(digest_of(token)))
            secret = self._sessions.begin(rights.name, digest_of(token))
            token = there(self._sessions.open(secret)).token
        return {"Authorization": f"Bearer {token}"}


@contextmanager
def open_site(folder: Path) -> Iterator[Site]:
    """The application; its surveys have reports, and one is by invitation and closed."""
    location = folder / "store.sqlite"
    made = {kind: make_token(role) for kind, (role, _) in TOKENS.items()}
    made |= {kind: make_token(Role.OWNER) for kind in NO_TOKENS}
    with (
        closing(open_store(location)) as store,
        closing(open_workplace(location.with_name("workplace.sqlite"))) as workplace,
    ):
        for slug in (IT, ANOTHER):
            store.publish(DOCUMENT[slug])
            add_reports(store, reports_of(DOCUMENT[slug], 40, random.Random(slug)))
        store.publish(INVITED)
        add_reports(store, many_reports(INVITATIONS, 30, random.Random(WARD)))
        store.close_survey(WARD)
        for number, (kind, (role, surveys)) in enumerate(TOKENS.items()):
            allowed = None if surveys is None else frozenset(surveys)
            release = RELEASE if role is Role.READER else None
            token = AccessToken(f"token{number}", role, allowed, release)
            store.add_token(token, digest_of(made[kind]))
        store.add_token(AccessToken("gone", Role.OWNER), digest_of(made["revoked"]))
        store.remove_token("gone")
        yield Site(
            create_site(
                store,
                Settings(rate_limit=0, address="https://example.org"),
                workplace,
                read_account_provider(PROVIDER, "https://example.org", {}),
            ),
            DraftStore(workplace),
            Sessions(workplace, store.find_token, utc_now),
            made,
        )
