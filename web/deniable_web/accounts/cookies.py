"""The cookie of a session, and proof that a request about it comes from a page of this site."""

from typing import Final
from urllib.parse import urlsplit

from flask import Response, request

from deniable_collector.access import collaborators
from deniable_collector.errors import Refused
from deniable_web.accounts.sessions import LONGEST

# No page of another origin can send it: browsers ask first, and no route allows it.
HEADER: Final = "Deniable-Page"
PATH: Final = "/manage"

_NAME: Final = "deniable_session"
# Browsers refuse such a cookie from a page that was not encrypted.
_SECURE_NAME: Final = f"__Secure-{_NAME}"


def require_own_page() -> None:
    """Refuse the request unless a page of this site sends it.

    Raises:
        Refused: it comes from elsewhere, or from no page.
    """
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin", "")
    ours = (f"{request.scheme}://{request.host}", collaborators().settings.address)
    is_own = site == "same-origin" if site is not None else origin in ours
    if HEADER not in request.headers or not origin or not is_own:
        detail = (
            f"Sessions are for the pages of this site, which send the header {HEADER}; send "
            "a token in the header Authorization: Bearer instead."
        )
        raise Refused.because("other-page", detail)


def sent_secret() -> str:
    """The secret of a session in the cookie; empty if there is none."""
    return request.cookies.get(name_of(secure=is_secure()), "")


def is_secure() -> bool:
    """Whether the page that sends the request was encrypted on its way."""
    return urlsplit(request.headers.get("Origin", "")).scheme == "https"


def set_secret(response: Response, secret: str, *, secure: bool) -> None:
    """Let the browser keep a secret, or forget an empty one."""
    response.set_cookie(
        name_of(secure=secure),
        secret,
        max_age=int(LONGEST.total_seconds()) if secret else 0,
        path=PATH,
        secure=secure,
        httponly=True,
        samesite="Strict",
    )


def name_of(*, secure: bool) -> str:
    """The name of the cookie, for pages that were encrypted on their way or not."""
    return _SECURE_NAME if secure else _NAME
