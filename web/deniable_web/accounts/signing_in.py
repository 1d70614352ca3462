"""Signs people in at their organisation's provider, and begins their sessions."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from flask import Response, request

from deniable_collector.access import collaborators
from deniable_collector.clock import Clock
from deniable_collector.cookies import Cookie
from deniable_collector.errors import InvalidTokenName
from deniable_collector.responses import json_response
from deniable_collector.tokens import AccessToken, check_name
from deniable_issuer.errors import NotSignedIn
from deniable_issuer.sign_in.attempts import LASTS_S, Attempts, begin_attempt, returned_code
from deniable_issuer.sign_in.clients import require_authlib
from deniable_web.accounts.cookies import set_secret
from deniable_web.accounts.sessions import NameTaken, Sessions
from deniable_web.accounts.settings import AccountProvider
from deniable_web.accounts.trail import Act, Trail, with_rights
from deniable_web.pages.roots import root_of

FIRST_PAGE: Final = "/surveys"
# A path of this site: a second slash would begin the name of another one.
_PAGE: Final = re.compile(r"/[\w-]+(/[\w-]+)*(\?[\w=&-]*)?", re.ASCII)
# A provider sends the browser back from another site.
_COOKIE: Final = Cookie("deniable_account_sign_in", LASTS_S, "Lax")
_LONGEST_CLAIM: Final = 1_000


class AccountDesk:
    """Signs people in.

    Raises:
        PackageMissing: a package is not installed.
    """

    def __init__(
        self, settings: AccountProvider, sessions: Sessions, trail: Trail, clock: Clock
    ) -> None:
        require_authlib()
        # Imported here, so that a site without accounts does not load Authlib.
        from deniable_issuer.sign_in.provider import Provider  # noqa: PLC0415 - see above

        self._settings = settings
        self._provider = Provider(settings)
        self._attempts = Attempts(settings.secret)
        self._sessions = sessions
        self._trail = trail
        self._clock = clock
        self._is_secure = urlsplit(settings.address).scheme == "https"

    def leave(self) -> Response:
        """Tell a page where its browser finds the provider.

        Raises:
            NotSignedIn: the provider cannot be used.
        """
        attempt = begin_attempt(_page(request.args.get("to", "")), self._clock())
        response = json_response({"address": self._provider.address(attempt)})
        self._set_cookie(response, self._attempts.write(attempt))
        return response

    def come_back(self) -> Response:
        """Begin the session of a person who comes from the provider.

        Raises:
            NotSignedIn: the person is not signed in.
            StoreUnavailable: the workplace cannot be written now.
        """
        said, now = request.args, self._clock()
        attempt = self._attempts.returned(self._sent_cookie(), said.get("state", ""), now)
        code = returned_code(said, self._settings.provider)
        claims = self._provider.claims(attempt, code, now)
        subject, rights = self._person(claims)
        try:
            has_changed = self._sessions.admit(self._settings.provider, subject, rights)
        except NameTaken:
            raise NotSignedIn("name", "two people of the provider have the same name") from None
        if has_changed:
            self._trail.record(rights.name, Act.ROLE_CHANGED, with_rights(rights))
        response = _redirect(attempt.purpose)
        set_secret(response, self._sessions.begin(rights.name), secure=self._is_secure)
        return response

    def explain(self, name: str) -> Response:
        """Let the page on which signing in began say why it failed."""
        if request.method == "POST":
            return json_response({"reason": name})
        attempt = self._attempts.read(self._sent_cookie())
        page = _page(attempt.purpose if attempt else "")
        return _redirect(f"{page}#sign-in={name}")

    def end_attempt(self, response: Response) -> None:
        """One attempt comes back once: its cookie is removed, whatever the answer is."""
        self._set_cookie(response, "")

    def _person(self, claims: Mapping[str, object]) -> tuple[str, AccessToken]:
        """The provider's name for a person, and their rights.

        Raises:
            NotSignedIn: the person has no rights here, or no name that can be used.
        """
        right, subject = self._settings.right_of(claims), claims.get("sub")
        if right is None:
            raise NotSignedIn("uninvited")
        claim = claims.get(self._settings.name)
        if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_CLAIM:
            raise NotSignedIn("untrusted", "the provider does not say who it is")
        try:
            name = check_name(claim if isinstance(claim, str) else "")
        except InvalidTokenName:
            raise NotSignedIn(
                "name", f"the claim {self._settings.name} is no name for an account"
            ) from None
        # A draft belongs to whoever has the name of its author.
        if any(token.name == name for token in collaborators().registry.list_tokens()):
            raise NotSignedIn("name", "a token and a person of the provider have the same name")
        return subject, AccessToken(name, right.role, right.surveys)

    def _sent_cookie(self) -> str:
        """The cookie of the attempt; empty if there is none, or several."""
        found = _COOKIE.sent(secure=self._is_secure)
        return found[0] if len(found) == 1 else ""

    def _set_cookie(self, response: Response, value: str) -> None:
        _COOKIE.give(response, value, secure=self._is_secure)


def _page(wanted: str) -> str:
    """The wanted page, if it is one of this site; otherwise the first one."""
    return wanted if _PAGE.fullmatch(wanted) else FIRST_PAGE


def _redirect(page: str) -> Response:
    """The way to a page of this site. Not Flask's, whose body repeats the address."""
    address = root_of(request.path) + page.removeprefix("/")
    return Response(status=303, headers={"Location": address})
