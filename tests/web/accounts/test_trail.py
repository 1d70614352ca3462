"""The trail has every change over HTTP, and no request that changed nothing."""

from typing import Any

from deniable_collector.tokens import AccessToken, Role
from deniable_web.accounts.trail import CHANGES, Trail, is_shown_to
from sample_definitions import definition, survey, yes_no
from there import there
from web.accounts.desk import Desk, ask

# They change nothing that outlives them, or nothing but a session, or a draft, which has a
# history of its own; a report is a respondent's.
NOT_RECORDED = {
    "accounts.begin",
    "accounts.renew",
    "accounts.end",
    "build.check_definition",
    "build.code",
    "build.export",
    "build.preview",
    "build.take_import",
    "collector.take",
    "drafts.create_draft",
    "drafts.save",
    "manage.use_link",
}
_RIGHTS = {"role": "analyst", "surveys": None}
WRITTEN = {
    slug: definition(yes_no(), slug=slug, at_most_reports=1_000) for slug in ("ward", "clinic")
}


def test_every_route_is_recorded_or_changes_nothing(desk: Desk) -> None:
    """A new route that changes something is in one of both lists."""
    changing = {
        rule.endpoint
        for rule in desk.app.url_map.iter_rules()
        if (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}
    }
    assert changing == CHANGES.keys() | NOT_RECORDED
    assert not CHANGES.keys() & NOT_RECORDED


def steps(draft: str) -> list[tuple[str, str, dict[str, Any]]]:
    """One request for every recorded route, in the order in which they succeed."""
    document = survey(yes_no(), slug="ward", at_most_reports=1_000).document
    return [
        ("POST", "/api/surveys", {"data": document, "content_type": "application/json"}),
        ("POST", "/manage/surveys", {"json": {"definition": WRITTEN["clinic"]}}),
        ("POST", "/api/surveys/ward/extend", {"json": {"at_most_reports": 2_000}}),
        ("POST", "/api/surveys/ward/close", {}),
        ("DELETE", f"/manage/drafts/{draft}", {}),
        ("DELETE", "/manage/sessions", {}),
        ("POST", "/manage/colleagues", {"json": {**_RIGHTS, "name": "ward"}}),
        ("PUT", "/manage/colleagues/ward", {"json": {"role": "editor", "surveys": ["clinic"]}}),
        ("POST", "/manage/colleagues/ward/link", {}),
        ("DELETE", "/manage/colleagues/ward/sessions", {}),
        ("DELETE", "/manage/colleagues/ward", {}),
    ]


def test_every_change_is_in_the_trail(desk: Desk) -> None:
    """With who did what on which day, about which survey; a refused request is not.

    An owner of a survey does not see what is about a person of the same name.
    """
    browser = desk.browser()
    written = {"definition": WRITTEN["ward"], "facts": []}
    made = ask(browser, "POST", "/manage/drafts", desk.token, json=written)
    for method, path, more in steps(made.get_json()["id"]):
        assert ask(browser, method, path, f"{desk.token[:-1]}!", **more).status_code == 401
        assert ask(browser, method, path, desk.token, **more).status_code < 300, path
    found = Trail(desk.workplace, lambda: desk.now).entries()
    assert {(each.day, each.who) for each in found} == {("2026-05-01", "anna")}
    assert [(each.what, each.about) for each in reversed(found)] == [
        ("published", "ward"),
        ("published", "clinic"),
        ("extended", "ward"),
        ("closed", "ward"),
        ("draft removed", "ward"),
        ("signed out everywhere", ""),
        ("token made", "ward (analyst)"),
        ("role changed", "ward (editor: clinic)"),
        ("token replaced", "ward"),
        ("signed out everywhere", "ward"),
        ("token revoked", "ward"),
    ]
    assert {each.what for each in found} == {what for what, _ in CHANGES.values()}
    of_the_survey = AccessToken("ben", Role.OWNER, frozenset({"ward"}))
    assert [each.what for each in found if is_shown_to(of_the_survey, each)] == [
        "draft removed",
        "closed",
        "extended",
        "published",
    ]


def test_a_change_that_is_not_recorded_says_so(desk: Desk) -> None:
    """Whoever closed a survey reads that it is closed, and that the trail lacks this."""
    desk.store.publish(survey(yes_no(), slug="ward", at_most_reports=1_000))
    with desk.workplace.reading() as connection:
        connection.execute("PRAGMA query_only = ON")
    answer = ask(desk.browser(), "POST", "/api/surveys/ward/close", desk.token)
    assert answer.status_code == 503
    assert "It was done, but could not be recorded" in answer.get_json()["detail"]
    assert there(desk.store.find_survey("ward")).is_closed
