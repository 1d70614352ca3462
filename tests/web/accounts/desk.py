"""A site with accounts, and browsers that ask it as its pages do."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from deniable_collector.settings import Settings
from deniable_collector.store import Store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_web.accounts.settings import AccountProvider
from deniable_web.site import create_site
from deniable_web.workplace import open_workplace

PAGE = {"Deniable-Page": "1", "Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}


class Desk:
    """A site with an owner's token, whose clock stands still.

    Args:
        store: the store of surveys and reports.
        path: of the workplace.
        rate_limit: requests per minute of one network; 0 if there is no limit.
        provider: where people sign in; None if nobody can.
    """

    def __init__(
        self,
        store: Store,
        path: Path,
        rate_limit: int = 0,
        provider: AccountProvider | None = None,
    ) -> None:
        self.now = datetime(2026, 5, 1, 8, tzinfo=UTC)
        self.store = store
        self.workplace = open_workplace(path)
        self.token = make_token(Role.OWNER)
        store.add_token(AccessToken("anna", Role.OWNER), digest_of(self.token))
        settings = Settings(rate_limit=rate_limit)
        self.app = create_site(store, settings, self.workplace, provider, lambda: self.now)

    def browser(self) -> FlaskClient:
        """A new browser."""
        return self.app.test_client()

    def begin(self, browser: FlaskClient) -> str:
        """Stay signed in; returns the session's token."""
        answer = ask(browser, "POST", "/manage/session", self.token)
        assert answer.status_code == 200
        return str(answer.get_json()["token"])

    def opens(self, token: str) -> bool:
        """Whether a token opens an owner's route."""
        return ask(self.browser(), "GET", "/manage/drafts", token).status_code == 200


def ask(
    browser: FlaskClient,
    method: str,
    path: str,
    token: str = "",
    headers: Any = PAGE,
    **more: Any,
) -> TestResponse:
    """The answer to a request of a page; `more` is for Flask's client."""
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    return browser.open(path, method=method, headers={**headers, **bearer}, **more)
