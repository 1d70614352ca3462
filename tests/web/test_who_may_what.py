"""The access rights of every kind of token on every route of the whole application."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.errors import UndeclaredAccess
from deniable_collector.permissions import access_of
from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_collector.tokens import (
    AccessToken,
    Role,
    digest_of,
    make_token,
)
from deniable_web.site import create_site
from problem_checks import assert_members
from web.access_rights import (
    ABSENT,
    ANOTHER,
    IT,
    KINDS,
    ROUTES,
    TOKENS,
    WARD,
    WRITTEN,
    Route,
)
from web.rights_site import Site, open_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One application for all."""
    with open_site(tmp_path_factory.mktemp("tokens")) as opened:
        yield opened


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
