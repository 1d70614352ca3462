"""Sessions over HTTP: what a cookie opens, for which pages, and until when."""

from datetime import timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from deniable_web.accounts.sessions import (
    IDLE,
    LONGEST,
    MOST_SESSIONS,
    MOST_TOKENS,
    TOKEN_LASTS,
)
from problem_checks import assert_members
from sample_definitions import survey, yes_no
from there import there
from web.accounts.desk import PAGE, Desk, ask

SECURE = {**PAGE, "Origin": "https://localhost"}
COOKIE = "deniable_session"


def secret_of(browser: FlaskClient) -> str:
    """The secret in the browser's cookie."""
    found = browser.get_cookie(COOKIE)
    return found.value if found else ""


def renewed(browser: FlaskClient, headers: Any = PAGE) -> str:
    """A new token for the session of a browser; empty if it has none."""
    answer = ask(browser, "POST", "/manage/session/token", headers=headers)
    return str(answer.get_json()["token"]) if answer.status_code == 200 else ""


def test_a_session_opens_what_its_token_opens(desk: Desk) -> None:
    """With new tokens, while the cookie alone opens nothing; the file has no secret."""
    browser = desk.browser()
    first = desk.begin(browser)
    again = renewed(browser)
    assert first != again
    assert desk.opens(first)
    assert desk.opens(again)
    assert ask(browser, "GET", "/manage/drafts").status_code == 401
    with desk.workplace.reading() as connection:
        kept = "\n".join(connection.iterdump())
    assert not any(each in kept for each in (first, again, secret_of(browser), desk.token))


def test_the_cookie_is_for_this_host_alone(desk: Desk) -> None:
    """No script reads it, and no other site gets it; over TLS, no other host can set it."""
    said = ask(desk.browser(), "POST", "/manage/session", desk.token).headers["Set-Cookie"]
    assert {"HttpOnly", "Path=/", "SameSite=Strict"} <= set(said.split("; "))
    answer = ask(desk.browser(), "POST", "/manage/session", desk.token, SECURE)
    said = answer.headers["Set-Cookie"]
    assert said.startswith("__Host-deniable_session=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Strict"} <= set(said.split("; "))
    assert "Domain" not in said


@pytest.mark.parametrize("headers", [PAGE, SECURE])
def test_two_sessions_of_one_browser_are_refused(desk: Desk, headers: dict[str, str]) -> None:
    """A server beside this one may have planted one of them, whichever comes first."""
    browser = desk.browser()
    ask(browser, "POST", "/manage/session", desk.token, headers)
    name = f"__Host-{COOKIE}" if headers is SECURE else COOKIE
    own = f"{name}={there(browser.get_cookie(name)).value}"
    both = desk.app.test_client(use_cookies=False)
    for sent in (f"{own}; {name}=planted", f"{name}=planted; {own}"):
        for method, path in (
            ("POST", "/manage/session/token"),
            ("POST", "/manage/session"),
            ("DELETE", "/manage/session"),
        ):
            answer = ask(both, method, path, desk.token, {**headers, "Cookie": sent})
            assert answer.status_code == 400
            assert_members(answer.get_json(), "two-sessions")
            assert "Set-Cookie" not in answer.headers
    assert renewed(browser, headers)


def test_a_cookie_of_another_kind_of_connection_is_no_session(desk: Desk) -> None:
    """Whoever can set cookies without TLS plants no session for pages with it."""
    browser = desk.browser()
    desk.begin(browser)
    assert renewed(browser)
    assert ask(browser, "POST", "/manage/session/token", headers=SECURE).status_code == 204


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Deniable-Page": "1"},
        {"Deniable-Page": "1", "Origin": "http://elsewhere.example"},
        {**PAGE, "Sec-Fetch-Site": "cross-site", "Origin": "http://elsewhere.example"},
        {**PAGE, "Sec-Fetch-Site": "same-site"},
        {key: value for key, value in PAGE.items() if key != "Deniable-Page"},
    ],
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/manage/session"),
        ("POST", "/manage/session/token"),
        ("DELETE", "/manage/session"),
        ("DELETE", "/manage/sessions"),
    ],
)
def test_another_page_gets_nothing(
    desk: Desk, headers: dict[str, str], method: str, path: str
) -> None:
    """Neither a token nor an end, even with the browser's cookie and a token."""
    browser = desk.browser()
    token = desk.begin(browser)
    answer = ask(browser, method, path, token, headers)
    assert answer.status_code == 403
    assert answer.get_json()["type"].endswith(":other-page")
    assert "Set-Cookie" not in answer.headers
    assert renewed(browser)


def test_a_secret_from_before_is_never_used(desk: Desk) -> None:
    """Whoever planted a secret in a browser does not share the session that begins there."""
    browser = desk.browser()
    browser.set_cookie(COOKIE, "planted")
    desk.begin(browser)
    planted = secret_of(browser)
    assert planted not in ("", "planted")
    desk.begin(browser)
    assert secret_of(browser) != planted
    other = desk.browser()
    other.set_cookie(COOKIE, planted)
    assert renewed(other) == ""


@pytest.mark.parametrize("steps", [[IDLE], [timedelta(hours=1, minutes=59)] * 7])
def test_a_session_ends_by_itself(desk: Desk, steps: list[timedelta]) -> None:
    """Without use after two hours, and with use after twelve."""
    browser = desk.browser()
    began = desk.now
    desk.begin(browser)
    for step in steps:
        desk.now += step
        assert bool(renewed(browser)) == (step < IDLE and desk.now - began < LONGEST)


def test_a_token_of_a_session_is_short_lived(desk: Desk) -> None:
    """A new one is needed after ten minutes."""
    browser = desk.browser()
    token = desk.begin(browser)
    desk.now += TOKEN_LASTS
    assert not desk.opens(token)
    assert desk.opens(renewed(browser))


def test_the_newest_session_and_token_stay(desk: Desk) -> None:
    """However many began in the same second; of the others the oldest are forgotten."""
    for _ in range(MOST_SESSIONS + 20):
        browser = desk.browser()
        assert desk.opens(desk.begin(browser))
    for _ in range(MOST_TOKENS + 20):
        assert desk.opens(renewed(browser))
    with desk.workplace.reading() as connection:
        (sessions,) = connection.execute("SELECT count(*) FROM sessions").fetchone()
    assert sessions == MOST_SESSIONS


def test_a_revoked_token_ends_its_sessions_at_once(desk: Desk) -> None:
    """Also the tokens that they have."""
    browser = desk.browser()
    token = desk.begin(browser)
    desk.store.remove_token("anna")
    assert not desk.opens(token)
    assert renewed(browser) == ""


def test_signing_out_ends_one_session(desk: Desk) -> None:
    """The other browser stays signed in."""
    here, there = desk.browser(), desk.browser()
    token, other = desk.begin(here), desk.begin(there)
    assert ask(here, "DELETE", "/manage/session").status_code == 204
    assert (desk.opens(token), desk.opens(other)) == (False, True)
    assert (renewed(here), secret_of(here)) == ("", "")


def test_signing_out_everywhere_ends_all_at_once(desk: Desk) -> None:
    """Tokens that other tabs have are refused from the next request on; the trail says so."""
    browsers = [desk.browser() for _ in range(3)]
    tokens = [desk.begin(each) for each in browsers]
    assert ask(browsers[0], "DELETE", "/manage/sessions", tokens[0]).status_code == 204
    assert [desk.opens(each) for each in tokens] == [False] * 3
    assert [renewed(each) for each in browsers] == [""] * 3
    found = ask(desk.browser(), "GET", "/manage/trail", desk.token).get_json()["entries"]
    assert found == [
        {"day": "2026-05-01", "who": "anna", "what": "signed out everywhere", "about": ""}
    ]


def test_no_other_route_sets_or_reads_the_cookie(desk: Desk) -> None:
    """Whoever answers a survey gets no cookie, and a session changes no page."""
    published = survey(yes_no(), slug="ward", at_most_reports=1_000)
    desk.store.publish(published)
    browser = desk.browser()
    desk.begin(browser)
    at = f"/api/surveys/by-digest/{published.digest}"
    for path in (
        "/",
        "/surveys",
        "/build",
        "/s/ward",
        "/api/surveys/ward",
        at,
        "/log",
        "/healthz",
    ):
        with_it, without = (ask(each, "GET", path) for each in (browser, desk.browser()))
        assert with_it.status_code == 200
        assert "Set-Cookie" not in with_it.headers
        assert with_it.data == without.data
        assert with_it.headers.get("Vary") == without.headers.get("Vary")
