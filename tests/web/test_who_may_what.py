"""The access rights of every kind of token on every route of the whole application."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from deniable_collector.clock import utc_now
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
from deniable_web.accounts import read_account_provider
from deniable_web.drafts import DraftStore
from deniable_web.pages.static_files import EMBED
from deniable_web.site import create_site
from deniable_web.workplace import open_workplace
from invitations import invited_survey, many_reports
from problem_checks import assert_members
from sample_definitions import choice, definition, survey, yes_no
from store_samples import reports_of

IT, ANOTHER, ABSENT = "ours", "theirs", "nobodys"
# By invitation, and closed.
WARD = "ward"
FACT = choice("decade", 5, fixed=True)
WRITTEN = {
    slug: definition(FACT, yes_no(), slug=slug, ask="all", at_most_reports=1_000)
    for slug in (IT, ANOTHER, ABSENT)
}
# A larger number of reports at each call.
MORE = count(1_001)
# Far from the machine: what it may do without a token is tested elsewhere.
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.5"}

NO_TOKENS = ("none", "wrong", "revoked")
TOKENS = {
    "analyst of it": (Role.ANALYST, {IT, WARD}),
    "analyst of another": (Role.ANALYST, {ANOTHER}),
    "analyst of all": (Role.ANALYST, None),
    "editor of it": (Role.EDITOR, {IT, WARD}),
    "editor of another": (Role.EDITOR, {ANOTHER}),
    "editor of all": (Role.EDITOR, None),
    "owner of it": (Role.OWNER, {IT, WARD}),
    "owner of another": (Role.OWNER, {ANOTHER}),
    "owner of all": (Role.OWNER, None),
    "reader of it": (Role.READER, {IT, WARD}),
    "reader of another": (Role.READER, {ANOTHER}),
}
# Each survey has more reports.
RELEASE = Release(FEWEST_REPORTS)
KINDS = (*NO_TOKENS, *TOKENS)

OPEN, SIGN_IN, SEE_IT, READ, READ_IT, RUN, RUN_IT = range(7)
RUN_ALL, PUBLISH_IT, COUNT, WRITE, EDIT_IT, DRAFT_IT = range(7, 13)
# The refusal that each kind of token gets; "" where it may come in. In the order of KINDS: of
# analysts, editors, owners and readers, for it, for another one and for all.
REFUSED, UNKNOWN, FORBIDDEN = "token-refused", "unknown-survey", "survey-not-allowed"
OUT = (REFUSED,) * len(NO_TOKENS)
NONE, ANY, IT_ONLY = (REFUSED,) * 3, ("",) * 3, ("", UNKNOWN, "")
WHO_MAY = {
    OPEN: ("",) * len(KINDS),
    SIGN_IN: (*OUT, *ANY, *ANY, *ANY, "", ""),
    SEE_IT: (*OUT, *IT_ONLY, *NONE, *IT_ONLY, "", UNKNOWN),
    READ: (*OUT, *ANY, *NONE, *ANY, REFUSED, REFUSED),
    READ_IT: (*OUT, *IT_ONLY, *NONE, *IT_ONLY, REFUSED, REFUSED),
    RUN: (*OUT, *NONE, *NONE, *ANY, REFUSED, REFUSED),
    RUN_IT: (*OUT, *NONE, *NONE, *IT_ONLY, REFUSED, REFUSED),
    RUN_ALL: (*OUT, *NONE, *NONE, REFUSED, REFUSED, "", REFUSED, REFUSED),
    PUBLISH_IT: (*OUT, *NONE, *NONE, "", FORBIDDEN, "", REFUSED, REFUSED),
    COUNT: (
        *OUT,
        REFUSED,
        REFUSED,
        "",
        REFUSED,
        REFUSED,
        "",
        REFUSED,
        REFUSED,
        "",
        REFUSED,
        REFUSED,
    ),
    WRITE: (*OUT, *NONE, *ANY, *ANY, REFUSED, REFUSED),
    EDIT_IT: (*OUT, *NONE, *IT_ONLY, *IT_ONLY, REFUSED, REFUSED),
    DRAFT_IT: (*OUT, *NONE, *("", "unknown-draft", "") * 2, REFUSED, REFUSED),
}
PROVIDER = {
    "provider": "http://127.0.0.1:9",
    "client_id": "deniable",
    "title": "Clinic",
    "rights": [{"value": "staff", "role": "editor"}],
}
# What a page of this site sends.
PAGE = {"Deniable-Page": "1", "Origin": "https://example.org", "Sec-Fetch-Site": "same-origin"}


@dataclass(frozen=True)
class Route:
    """What a route is asked, and which row of the table says who may ask it.

    Args:
        who: a key of WHO_MAY.
        parts: of its address, besides the slug.
        query: what stands after its address.
        body: its body for a slug.
        slug: the survey that it is about.
    """

    who: int
    parts: dict[str, str] = field(default_factory=dict)
    query: str = ""
    body: Callable[[str], dict[str, Any]] = lambda _slug: {}
    slug: str = IT


def _as_json(make: Callable[[str], object], slug: str) -> dict[str, Any]:
    return {"json": make(slug)}


def _definition(slug: str) -> object:
    return {"definition": WRITTEN[slug]}


DRAFT = partial(_as_json, _definition)
DOCUMENT = {
    slug: survey(*written["questions"], slug=slug, ask="all", at_most_reports=1_000)
    for slug, written in WRITTEN.items()
}
EXTENSION = partial(_as_json, lambda _slug: {"at_most_reports": next(MORE)})
INVITATIONS = invited_survey(slug=WARD)
INVITED = INVITATIONS.published
REPORT = reports_of(DOCUMENT[IT], 1, random.Random(1))[0].to_bytes()

ROUTES = {
    ("collector.health", "GET"): Route(OPEN),
    ("collector.read_survey", "GET"): Route(OPEN),
    ("collector.read_edition", "GET"): Route(OPEN, {"digest": DOCUMENT[IT].digest}),
    ("collector.read_fieldwork", "GET"): Route(OPEN, {"digest": DOCUMENT[IT].digest}),
    ("collector.read_log", "GET"): Route(OPEN),
    ("collector.take", "POST"): Route(
        OPEN, body=lambda _: {"data": REPORT, "content_type": "application/json"}
    ),
    ("collector.publish", "POST"): Route(
        PUBLISH_IT,
        body=lambda slug: {"data": DOCUMENT[slug].document, "content_type": "application/json"},
    ),
    ("results.list_editions", "GET"): Route(READ_IT),
    ("results.read_results", "GET"): Route(READ_IT),
    ("results.read_tuples", "GET"): Route(READ_IT, query="?blocks=asthma"),
    ("metrics.read_metrics", "GET"): Route(COUNT),
    ("openapi.read_interface", "GET"): Route(OPEN),
    ("pages.form", "GET"): Route(OPEN),
    ("pages.code", "GET"): Route(OPEN),
    ("pages.file", "GET"): Route(OPEN),
    ("pages.worker", "GET"): Route(OPEN),
    ("manage.check_token", "GET"): Route(SIGN_IN),
    ("accounts.account", "GET"): Route(SIGN_IN),
    ("accounts.show_trail", "GET"): Route(RUN),
    ("accounts.begin", "POST"): Route(SIGN_IN),
    ("accounts.renew", "POST"): Route(OPEN),
    ("accounts.end", "DELETE"): Route(OPEN),
    ("accounts.end_all", "DELETE"): Route(SIGN_IN),
    ("accounts.colleagues", "GET"): Route(OPEN),
    ("accounts.trail", "GET"): Route(OPEN),
    ("accounts.list_colleagues", "GET"): Route(RUN_ALL),
    ("accounts.add_colleague", "POST"): Route(
        RUN_ALL, body=lambda _: {"json": {"name": "new", "role": "analyst", "surveys": None}}
    ),
    ("accounts.change_colleague", "PUT"): Route(
        RUN_ALL, {"name": "other"}, body=lambda _: {"json": {"role": "editor", "surveys": [IT]}}
    ),
    ("accounts.replace_secret", "POST"): Route(RUN_ALL, {"name": "other"}),
    ("accounts.sign_out_colleague", "DELETE"): Route(RUN_ALL, {"name": "other"}),
    ("accounts.remove_colleague", "DELETE"): Route(RUN_ALL, {"name": "other"}),
    ("accounts.leave", "GET"): Route(OPEN),
    ("accounts.come_back", "GET"): Route(OPEN),
    ("build.home", "GET"): Route(OPEN),
    ("build.builder", "GET"): Route(OPEN),
    ("build.drafts", "GET"): Route(OPEN),
    ("build.begin", "GET"): Route(OPEN),
    ("drafts.list_drafts", "GET"): Route(WRITE),
    ("drafts.create_draft", "POST"): Route(WRITE, body=DRAFT),
    ("drafts.state", "GET"): Route(DRAFT_IT),
    ("drafts.newest", "GET"): Route(DRAFT_IT),
    ("drafts.versions", "GET"): Route(DRAFT_IT),
    ("drafts.document", "GET"): Route(DRAFT_IT, {"version": "1"}),
    ("drafts.save", "PUT"): Route(
        DRAFT_IT, body=partial(_as_json, lambda slug: {"definition": WRITTEN[slug], "version": 1})
    ),
    ("drafts.remove", "DELETE"): Route(DRAFT_IT),
    ("build.share", "GET"): Route(OPEN),
    ("build.check_definition", "POST"): Route(WRITE, body=DRAFT),
    ("build.definition", "GET"): Route(EDIT_IT),
    ("build.preview", "POST"): Route(WRITE, body=DRAFT),
    ("build.export", "POST"): Route(WRITE, body=DRAFT),
    ("build.take_import", "POST"): Route(
        WRITE, {"kind": "text"}, body=lambda slug: {"data": json.dumps(WRITTEN[slug]).encode()}
    ),
    ("build.publish_survey", "POST"): Route(PUBLISH_IT, body=DRAFT),
    ("build.code", "POST"): Route(
        READ_IT,
        {"kind": "svg"},
        body=partial(_as_json, lambda _slug: {"origin": "https://example.org"}),
    ),
    ("results_pages.surveys", "GET"): Route(OPEN),
    ("results_pages.results", "GET"): Route(OPEN),
    ("results_pages.cards", "GET"): Route(READ),
    ("results_pages.state", "GET"): Route(SEE_IT),
    ("results_pages.content", "GET"): Route(SEE_IT),
    ("results_pages.response", "GET"): Route(SEE_IT, slug=WARD),
    ("results_pages.groups", "GET"): Route(SEE_IT, slug=WARD),
    ("results_pages.collected", "GET"): Route(OPEN, {"digest": INVITED.digest}),
    ("results_pages.plan", "GET"): Route(SEE_IT),
    ("results_pages.estimates", "GET"): Route(SEE_IT, {"suffix": "csv"}),
    ("results_pages.report", "GET"): Route(SEE_IT, {"suffix": "html"}),
    ("results_pages.figure", "GET"): Route(SEE_IT, {"name": "asthma", "suffix": "svg"}),
    ("static_files.versioned", "GET"): Route(OPEN, {"version": "0", "name": EMBED}),
    ("static_files.newest", "GET"): Route(OPEN, {"name": EMBED}),
    ("collector.extend", "POST"): Route(RUN_IT, body=EXTENSION),
    # Last, because others answer differently after it.
    ("collector.close", "POST"): Route(RUN_IT),
}


class Site:
    """The application over a store with two surveys and a token of every kind."""

    def __init__(self, app: Flask, drafts: DraftStore, headers: dict[str, dict[str, str]]) -> None:
        self.app = app
        self._drafts = drafts
        self._client: FlaskClient = app.test_client()
        self._headers = headers

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
        _, path = rule.build({part: parts[part] for part in rule.arguments}) or ("", "")
        return self._client.open(
            path + route.query,
            method=method,
            headers={**PAGE, **self._headers[kind]},
            environ_overrides=ELSEWHERE,
            **route.body(slug),
        )


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
        store.add_token(AccessToken("other", Role.ANALYST), digest_of("other"))
        store.add_token(AccessToken("gone", Role.OWNER), digest_of(made["revoked"]))
        store.remove_token("gone")
        headers = {kind: {"Authorization": f"Bearer {token}"} for kind, token in made.items()}
        yield Site(
            create_site(
                store,
                Settings(rate_limit=0, address="https://example.org"),
                workplace,
                read_account_provider(PROVIDER, "https://example.org", {}),
            ),
            DraftStore(workplace),
            {**headers, "none": {}},
        )


def named(document: bytes) -> str:
    """The name of a refusal."""
    found = json.loads(document)
    name = str(found["type"]).rpartition(":")[2]
    assert_members(found, name)
    return name


def test_every_route_has_its_row(site: Site) -> None:
    """A new route is here, or this fails."""
    routes = {
        (rule.endpoint, method)
        for rule in site.app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }
    assert routes == ROUTES.keys()


@pytest.mark.parametrize("name", ROUTES, ids=lambda name: f"{name[1]} {name[0]}")
def test_each_kind_of_token_opens_what_it_should(site: Site, name: tuple[str, str]) -> None:
    """What the table says, no more and no less, with the refusal that it says."""
    found = {}
    for kind in KINDS:
        answer = site.ask(name, kind)
        found[kind] = "" if answer.status_code < 400 else named(answer.data)
        assert answer.status_code < 500
    assert found == dict(zip(KINDS, WHO_MAY[ROUTES[name].who], strict=True))


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, route in ROUTES.items()
        if route.who in (SEE_IT, READ_IT, RUN_IT, PUBLISH_IT, EDIT_IT)
    ],
    ids=lambda name: f"{name[1]} {name[0]}",
)
@pytest.mark.parametrize(
    "kind", ["analyst of another", "editor of another", "owner of another", "reader of another"]
)
def test_a_token_learns_nothing_of_other_surveys(
    site: Site, name: tuple[str, str], kind: str
) -> None:
    """Byte for byte, the answer is the same for a survey that is there and one that is not."""
    there, absent = (site.ask(name, kind, slug) for slug in ("", ABSENT))
    assert there.status_code in (401, 403, 404)
    assert (there.status, there.data) == (absent.status, absent.data)
    assert list(there.headers) == list(absent.headers)


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
        patch.setitem(
            ROUTES, route, Route(WRITE, body=lambda _: {"json": {"definition": changed}})
        )
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
