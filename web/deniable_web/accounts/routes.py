"""The routes of accounts: signing in, sessions, what an account is, the audit trail, pages."""

from dataclasses import asdict
from functools import partial
from typing import Final

from flask import Blueprint, Response, current_app, request

from deniable_collector.access import bearer
from deniable_collector.clock import Clock
from deniable_collector.errors import Refused
from deniable_collector.limits import WRONG_TOKEN_COST, lets_through
from deniable_collector.logs import ThrottledLog
from deniable_collector.permissions import open_to, open_to_everybody, present_token
from deniable_collector.responses import compress, json_response
from deniable_collector.tokens import Role, digest_of, is_session_token
from deniable_issuer.errors import NotSignedIn
from deniable_web.accounts.colleagues import add_colleagues
from deniable_web.accounts.cookies import is_secure, require_own_page, sent_secret, set_secret
from deniable_web.accounts.sessions import Opened, Sessions
from deniable_web.accounts.settings import SIGN_IN, AccountProvider
from deniable_web.accounts.signing_in import AccountDesk
from deniable_web.accounts.trail import MOST_SHOWN, Trail, is_shown_to
from deniable_web.pages import policy
from deniable_web.pages.organiser_frame import described, render_page

_SESSION: Final = "/manage/session"


def create_accounts(
    sessions: Sessions, trail: Trail, clock: Clock, provider: AccountProvider | None = None
) -> Blueprint:
    """All routes of accounts; without a provider, all people have personal tokens."""
    accounts = Blueprint("accounts", __name__)
    _add_reading(accounts, trail)
    _add_sessions(accounts, sessions)
    _add_ends(accounts, sessions)
    _add_pages(accounts)
    add_colleagues(accounts, sessions)
    if provider is not None:
        _add_sign_in(accounts, AccountDesk(provider, sessions, trail, clock))
    accounts.after_request(policy.protect)
    accounts.after_request(compress)
    return accounts


def _add_pages(accounts: Blueprint) -> None:
    """The pages for owners; their scripts say to others why they do not see them."""
    for name in ("colleagues", "trail"):
        page = partial(
            render_page,
            f"accounts/{name}.html",
            here=name,
            script=f"accounts/{name}.js",
            surface="accounts",
            most=MOST_SHOWN,
        )
        accounts.add_url_rule(f"/{name}", name, open_to_everybody(page))


def _add_reading(accounts: Blueprint, trail: Trail) -> None:
    @accounts.get("/manage/trail")
    @open_to(Role.OWNER)
    def show_trail() -> Response:
        owner = present_token()
        found = trail.entries(lambda entry: is_shown_to(owner, entry), MOST_SHOWN)
        return json_response({"entries": [asdict(each) for each in found], "most": MOST_SHOWN})


def _add_sessions(accounts: Blueprint, sessions: Sessions) -> None:
    @accounts.post(_SESSION)
    @open_to(*Role)
    def begin() -> Response:
        """Stay signed in with a personal token."""
        require_own_page()
        rights, token = present_token(), bearer()
        if is_session_token(token):
            detail = "A session begins with a personal token; send one."
            raise Refused.because("token-refused", detail)
        # The secret that the browser had before is never used again.
        _end_sent(sessions)
        secret = sessions.begin(rights.name, digest_of(token))
        opened = sessions.open(secret)
        response = _answer(opened) if opened else Response(status=204)
        set_secret(response, secret, secure=is_secure())
        return response

    @accounts.post(f"{_SESSION}/token")
    @open_to_everybody
    def renew() -> Response:
        """A token for the session of the browser; 204 if it has no session."""
        require_own_page()
        secret = sent_secret()
        opened = sessions.open(secret) if secret else None
        if opened:
            return _answer(opened)
        if not secret:
            return Response(status=204)
        _count_wrong()
        return _ended()


def _add_ends(accounts: Blueprint, sessions: Sessions) -> None:
    @accounts.delete(_SESSION)
    @open_to_everybody
    def end() -> Response:
        """Sign out in this browser."""
        require_own_page()
        _end_sent(sessions)
        return _ended()

    @accounts.delete("/manage/sessions")
    @open_to(*Role)
    def end_all() -> Response:
        """Sign out everywhere."""
        require_own_page()
        sessions.end_all(present_token().name)
        return _ended()


def _add_sign_in(accounts: Blueprint, desk: AccountDesk) -> None:
    log = ThrottledLog()

    @accounts.post(SIGN_IN)
    @open_to_everybody
    def leave() -> Response:
        """The way to the provider, for a page of this site: no link begins to sign somebody in."""
        require_own_page()
        _count()
        return desk.leave()

    @accounts.get(f"{SIGN_IN}/callback")
    @open_to_everybody
    def come_back() -> Response:
        """Back from the provider."""
        _count()
        return desk.come_back()

    @accounts.errorhandler(NotSignedIn)
    def explain(error: NotSignedIn) -> Response:
        if error.cause:
            log.tell("nobody was signed in", error.cause)
        return desk.explain(error.page)

    @accounts.after_request
    def end_attempt(response: Response) -> Response:
        if request.endpoint == "accounts.come_back":
            desk.end_attempt(response)
        return response


def _count() -> None:
    """Let one network send only so many requests."""
    if not lets_through(current_app, request.environ):
        raise NotSignedIn("busy")


def _count_wrong() -> None:
    """Let one network try only so many secrets."""
    if not lets_through(current_app, request.environ, WRONG_TOKEN_COST):
        detail = "Got too many requests from your network; wait a minute."
        raise Refused.because("too-many-requests", detail, 60)


def _answer(opened: Opened) -> Response:
    return json_response({"token": opened.token, **described(opened.rights)})


def _end_sent(sessions: Sessions) -> None:
    """End the session of the browser, if it has one."""
    secret = sent_secret()
    if secret:
        sessions.end(secret)


def _ended() -> Response:
    response = Response(status=204)
    set_secret(response, "", secure=is_secure())
    return response
