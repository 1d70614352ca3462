"""Signing in at a provider that is down, and by somebody who tries too often."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_web.accounts.settings import read_account_provider
from free_ports import free_port
from web.accounts.desk import PAGE, Desk, ask

ADDRESS = "https://survey.example.org"
# Not this machine, which has no limit.
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.5"}
PER_MINUTE = 20


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Desk]:
    """A site with a limit, and a provider of accounts that does not respond."""
    settings = {
        "provider": f"http://127.0.0.1:{free_port()}",
        "client_id": "survey",
        "title": "Clinic",
        "rights": [{"value": "staff", "role": "editor"}],
    }
    provider = read_account_provider(settings, ADDRESS, {})
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        made = Desk(store, tmp_path / "workplace.sqlite", PER_MINUTE, provider)
        with closing(made.workplace):
            yield made


def test_a_provider_that_is_down_is_said_on_the_page(limited: Desk) -> None:
    """On the page on which signing in began."""
    answer = ask(limited.browser(), "POST", "/manage/sign-in?to=/drafts")
    assert answer.get_json() == {"reason": "unreachable"}
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("headers", [{}, {**PAGE, "Sec-Fetch-Site": "cross-site"}])
def test_no_link_begins_to_sign_somebody_in(limited: Desk, headers: dict[str, str]) -> None:
    """A page of this site does, once its person has pressed the button."""
    assert limited.browser().get("/manage/sign-in").status_code == 405
    answer = ask(limited.browser(), "POST", "/manage/sign-in", headers=headers)
    assert answer.get_json()["type"].endswith(":other-page")


def test_coming_back_without_an_attempt_signs_nobody_in(limited: Desk) -> None:
    """A link that somebody else made, with a state and a code of theirs."""
    answer = limited.browser().get("/manage/sign-in/callback?state=theirs&code=theirs")
    assert answer.headers["Location"] == "../../surveys#sign-in=expired"
    assert "deniable_session" not in answer.headers.get("Set-Cookie", "")


def test_one_network_signs_in_only_so_often(limited: Desk) -> None:
    """After that the page says to wait, and the provider is not asked."""
    browser = limited.browser()
    found = [
        ask(browser, "POST", "/manage/sign-in", environ_overrides=ELSEWHERE).get_json()["reason"]
        for _ in range(PER_MINUTE + 2)
    ]
    assert found == ["unreachable"] * PER_MINUTE + ["busy"] * 2
    back = browser.get("/manage/sign-in/callback", environ_overrides=ELSEWHERE)
    assert back.headers["Location"] == "../../surveys#sign-in=busy"


def test_one_network_tries_only_so_many_secrets(limited: Desk) -> None:
    """A wrong one counts for ten requests; a right one does not count."""
    browser, wrong = limited.browser(), limited.browser()
    limited.begin(browser)
    found = []
    for number in range(3):
        wrong.set_cookie("deniable_session", f"guess{number}")
        asked = ask(wrong, "POST", "/manage/session/token", environ_overrides=ELSEWHERE)
        found.append(asked.status_code)
    assert found == [204, 204, 429]
    for _ in range(PER_MINUTE + 1):
        right = ask(browser, "POST", "/manage/session/token", environ_overrides=ELSEWHERE)
        assert right.status_code == 200
