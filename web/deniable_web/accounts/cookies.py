"""The cookie of a session, and proof that a request about it comes from a page of this site."""

from typing import Final
from urllib.parse import urlsplit

from flask import Response, request

from deniable_collector.access import collaborators
from deniable_collector.cookies import Cookie
from deniable_collector.errors import Refused
from deniable_web.accounts.sessions import LONGEST

# No page of another origin can send it: browsers ask first, and no route allows it.
HEADER: Final = "Deniable-Page"

_COOKIE: Final = Cookie("deniable_session", int(LONGEST.total_seconds()), "Strict")


def require_own_page() -> None:
    """Refuse the request unless a page of this site sends it.

    Raises:
        Refused: it comes from elsewhere, or from no page.
    """
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin", "")
    public = urlsplit(collaborators().settings.address)
    ours = (f"{request.scheme}://{request.host}", f"{public.scheme}://{public.netloc}")
    is_own = site == "same-origin" if site is not None else origin in ours
    if HEADER not in request.headers or not origin or not is_own:
        detail = (
            f"Sessions are for the pages of this site, which send the header {HEADER}; send "
            "a token in the header Authorization: Bearer instead."
        )
        raise Refused.because("other-page", detail)


def sent_secret() -> str:
    """The secret of a session in the cookie; empty if there is none.

    Raises:
        Refused: there are several, and nobody knows whose session it is.
    """
    found = _COOKIE.sent(secure=is_secure())
    if len(found) > 1:
        detail = (
            f"Got {len(found)} sessions, and a browser has one: another program or server under "
            "this name set a cookie. Delete the cookies of this address, and sign in again."
        )
        raise Refused.because("two-sessions", detail)
    return "".join(found)


def is_secure() -> bool:
    """Whether the page that sends the request was encrypted on its way."""
    return urlsplit(request.headers.get("Origin", "")).scheme == "https"


def set_secret(response: Response, secret: str, *, secure: bool) -> None:
    """Let the browser keep a secret, or forget an empty one."""
    _COOKIE.give(response, secret, secure=secure)


def name_of(*, secure: bool) -> str:
    """The name of the cookie, for pages that were encrypted on their way or not."""
    return _COOKIE.full_name(secure=secure)
