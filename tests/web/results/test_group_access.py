"""Nothing by group is returned before a survey is closed, or without a token for it."""

import json
import re
from contextlib import closing
from html import unescape
from pathlib import Path

from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from problem_checks import assert_members
from ward_site import INVITED, WARD, fill_ward, ward, ward_rows
from web.results.conftest import Site
from web.results.group_pages import OPEN, OTHER, TEXTS, ask, own, page_tables, part

BY_GROUP = re.compile(r"results/(content|response|groups|estimates)|group=")
ROUTES = (
    "/manage/surveys",
    *(
        f"/manage/surveys/{WARD}/results/{name}"
        for name in (
            "state",
            "content",
            "response",
            "groups",
            "plan",
            "estimates.csv",
            "estimates.json",
            "figures/harassed.svg",
        )
    ),
    f"/api/surveys/{WARD}/editions",
    f"/api/surveys/{WARD}/results",
    f"/api/surveys/{WARD}/results?group=nurses",
    f"/api/surveys/{WARD}/tuples?blocks=harassed",
    f"/api/surveys/{WARD}/tuples?blocks=harassed&group=nurses",
)


def test_groups_of_an_open_survey_are_refused(ward_site: Site) -> None:
    """The refusal says to close it; its page says when groups appear."""
    answer = ward_site.get(f"/manage/surveys/{OPEN}/results/groups")
    assert answer.status_code == 409
    assert_members(json.loads(answer.data), "survey-not-closed")
    response = part(ward_site, "response", OPEN)
    (table,) = page_tables(response)["part"]
    assert table[0] == ["Group", "Invited", "Collected"]
    people = [*INVITED.items(), ("all invited", sum(INVITED.values()))]
    assert table[1:] == [[own(name), str(count), "–"] for name, count in people]
    assert TEXTS["response"]["closing"] in unescape(response)
    assert 'id="by-group"' not in ward_site.content(OPEN)
    assert 'id="by-group"' in ward_site.content(WARD)


def test_nothing_depends_on_groups_before_closing(tmp_path: Path) -> None:
    """With the same reports from other groups, every response is the same until then."""
    published, found = ward(first_key=20), {}
    for name in ("", "nurses"):
        rows = ward_rows(published, stored_as=name)
        with closing(open_store(tmp_path / f"{name or 'own'}.sqlite")) as store:
            store.publish(published.published)
            store.add_rows({published.published.digest: rows})
            site = Site.over(store, settings=Settings(started="one collector"))
            before = [ask(site, route) for route in ROUTES]
            assert not any(b"group_option" in each or b'by_group": {' in each for each in before)
            store.close_survey(WARD)
            found[name] = before, [ask(site, route) for route in ROUTES]
    one, other = found.values()
    assert one[0] == other[0]
    differ = {
        route for route, *both in zip(ROUTES, one[1], other[1], strict=True) if len({*both}) > 1
    }
    assert differ == {route for route in ROUTES if BY_GROUP.search(route)}


def test_a_purged_survey_has_no_groups(tmp_path: Path) -> None:
    """Its people were invited; nothing of their reports is left."""
    published = ward(first_key=60)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        fill_ward(store, published)
        store.close_survey(WARD)
        site = Site.over(store)
        assert ">36<" in part(site, "response")
        store.purge_reports(published.published.digest)
        markup = part(site, "response")
        assert ">36<" not in markup
        assert TEXTS["response"]["closing"] not in unescape(markup)
        assert 'id="by-group"' not in site.content(WARD)
        assert site.get(f"/manage/surveys/{WARD}/results/groups").status_code == 409


def test_a_token_for_other_surveys_sees_nothing(ward_site: Site) -> None:
    """Neither in the list nor in any part; and a survey for everybody has no groups."""
    token = make_token(Role.ANALYST)
    access = AccessToken("analyst", Role.ANALYST, frozenset({OTHER}))
    ward_site.store.add_token(access, digest_of(token))
    limited = Site(ward_site.client, token, ward_site.location, ward_site.store)
    for name in ("response", "groups", "content", "estimates.json"):
        answer = limited.get(f"/manage/surveys/{WARD}/results/{name}")
        assert answer.status_code == 404
        assert b"nurses" not in answer.data
    assert WARD not in limited.get("/manage/surveys").text
    for name in ("response", "groups"):
        assert limited.get(f"/manage/surveys/{OTHER}/results/{name}").status_code == 404
    assert 'id="response"' not in limited.content(OTHER)
    ward_site.store.remove_token("analyst")
