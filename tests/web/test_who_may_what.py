"""The access rights of every kind of token on every route of the whole application."""

import json
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from deniable_collector.access import EXTENSION
from deniable_collector.clock import utc_now
from deniable_collector.errors import UndeclaredAccess
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
from problem_checks import assert_members
from store_samples import reports_of
from there import there
from web.access_rights import (
    ABSENT,
    ANOTHER,
    DOCUMENT,
    INVITATIONS,
    INVITED,
    IT,
    KINDS,
    NO_TOKENS,
    ROUTES,
    SESSION,
    TOKENS,
    WARD,
    WRITTEN,
    Route,
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
            document = {"definition": WRITTEN[slug], "facts": []}
            parts["draft_id"] = self._drafts.create(document, "somebody else", utc_now()).id
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

    def _authorization(self, kind: str) -> dict[str, str]:
        if kind == "none":
            return {}
        token = self._tokens[kind.removeprefix(SESSION)]
        if kind.startswith(SESSION):
            rights = there(self.app.extensions[EXTENSION].registry.find_token(digest_of(token)))
            secret = self._sessions.begin(rights.name, digest_of(token))
            token = there(self._sessions.open(secret)).token
        return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One application for all."""
    location = tmp_path_factory.mktemp("tokens") / "store.sqlite"
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


def named(document: bytes) -> str:
    """The name of a refusal."""
    found = json.loads(document)
    name = str(found["type"]).rpartition(":")[2]
    assert_members(found, name)
    return name


def test_every_route_is_asked_and_says_who_may_use_it(site: Site) -> None:
    """A new route is in ROUTES and has a declaration, or this fails."""
    routes = {
        (rule.endpoint, method)
        for rule in site.app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }
    assert routes == ROUTES.keys()
    for endpoint, _ in routes:
        access_of(site.app, endpoint)


@pytest.mark.parametrize("name", ROUTES, ids=lambda name: f"{name[1]} {name[0]}")
def test_each_kind_of_token_opens_what_is_declared(site: Site, name: tuple[str, str]) -> None:
    """No more and no less, with the refusal that follows from the declaration."""
    found = {}
    for kind in KINDS:
        answer = site.ask(name, kind)
        found[kind] = "" if answer.status_code < 400 else named(answer.data)
        assert answer.status_code < 500
    assert found == {kind: site.expected(name, kind) for kind in KINDS}


def test_a_route_that_declares_nothing_refuses_everybody(tmp_path: Path) -> None:
    """The log has the reason; the owner of all is refused as well."""
    token = make_token(Role.OWNER)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.add_token(AccessToken("anna", Role.OWNER), digest_of(token))
        app = create_site(store, Settings())
        app.add_url_rule("/new-route", "new", lambda: "secret")
        headers = {"Authorization": f"Bearer {token}"}
        answer = app.test_client().get("/new-route", headers=headers)
        assert (answer.status_code, b"secret" in answer.data) == (500, False)
        with pytest.raises(UndeclaredAccess, match="the route new does not say who may use it"):
            access_of(app, "new")


def test_a_token_of_another_role_is_told_which_one_opens_the_route(site: Site) -> None:
    """The least one."""
    answer = site.ask(("drafts.list_drafts", "GET"), "analyst of all")
    assert "Send the editor's token" in answer.get_json()["detail"]


@pytest.mark.parametrize("name", ROUTES, ids=lambda name: f"{name[1]} {name[0]}")
def test_a_token_learns_nothing_of_other_surveys(site: Site, name: tuple[str, str]) -> None:
    """Byte for byte, the answer is the same for a survey that is there and one that is not."""
    for kind in KINDS:
        if site.expected(name, kind) in ("unknown-survey", "survey-not-allowed"):
            present, absent = (site.ask(name, kind, slug) for slug in ("", ABSENT))
            assert present.status_code in (403, 404)
            assert (present.status, present.data) == (absent.status, absent.data)
            assert list(present.headers) == list(absent.headers)


def test_the_list_has_the_surveys_of_the_token_alone(site: Site) -> None:
    """Others are neither listed nor counted."""
    for kind, (role, surveys) in TOKENS.items():
        listed = site.ask(("results_pages.cards", "GET"), kind).text
        shown = {slug for slug in (IT, ANOTHER, WARD) if f'"survey-{slug}"' in listed}
        assert shown == (
            set() if role in (Role.READER, Role.EDITOR) else surveys or {IT, ANOTHER, WARD}
        )


def test_a_draft_is_compared_with_surveys_of_the_token_alone(site: Site) -> None:
    """What a next edition would draw anew is said to whoever may read the last one."""
    changed = {**WRITTEN[IT], "epsilon": 1}
    route = ("build.check_definition", "POST")
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ROUTES, route, Route(body=lambda _: {"json": {"definition": changed}}))
        for kind in ("owner of it", "owner of another", "owner of all"):
            found[kind] = site.ask(route, kind).get_json()["redrawn"]
    assert found == {
        "owner of it": ["decade"],
        "owner of another": [],
        "owner of all": ["decade"],
    }


def test_an_owner_of_some_surveys_publishes_their_editions_and_no_other(tmp_path: Path) -> None:
    """A first edition, its end, and the next one; a new name is refused, and nothing is stored."""
    token = make_token(Role.OWNER)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.add_token(AccessToken("anna", Role.OWNER, frozenset({IT})), digest_of(token))
        client = create_site(store, Settings()).test_client()
        headers = {"Authorization": f"Bearer {token}"}

        def publish(**changes: object) -> int:
            written = {"definition": {**WRITTEN[IT], **changes}}
            answer = client.post("/manage/surveys", json=written, headers=headers)
            return answer.status_code

        assert publish() == 201
        assert client.post(f"/api/surveys/{IT}/close", headers=headers).status_code == 200
        assert publish(title="The next one") == 201
        assert publish(slug=ABSENT) == 403
        assert [(each.survey.slug, each.edition) for each in store.list_surveys()] == [
            (IT, 1),
            (IT, 2),
        ]
