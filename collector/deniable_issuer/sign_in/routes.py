"""The two addresses at which people sign in: they leave for the provider, and come back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Blueprint, Response, request
from werkzeug.exceptions import HTTPException, TooManyRequests

from deniable_collector.clock import Clock, utc_now
from deniable_collector.cookies import Cookie
from deniable_collector.errors import StoreUnavailable
from deniable_collector.limits import limit_of_senders
from deniable_collector.logs import ThrottledLog
from deniable_collector.permissions import open_to_everybody
from deniable_collector.responses import RETRY_AFTER_S
from deniable_collector.settings import Settings
from deniable_issuer.codes import code_digest, link_of
from deniable_issuer.errors import NotSignedIn
from deniable_issuer.inviting import MailState
from deniable_issuer.issuing import is_over
from deniable_issuer.sign_in.attempts import LASTS_S, Attempts, begin_attempt, returned_code
from deniable_issuer.sign_in.clients import require_authlib
from deniable_issuer.sign_in.settings import PATH, SignIn
from deniable_issuer.store import IssuerStore
from deniable_sdk.survey.groups import group_of

# A provider sends the browser back from another site.
_COOKIE = Cookie("deniable_sign_in", LASTS_S, "Lax")

# A page as HTML: of the name of its text, the reader's languages, best first, and the address
# of the survey, empty if it is not known.
RenderPage = Callable[[str, Sequence[str], str], str]

STATUSES: Mapping[str, int] = {
    "expired": 400,
    "denied": 403,
    "uninvited": 403,
    "full": 403,
    "unknown": 404,
    "over": 410,
    "failed": 500,
    "unreachable": 502,
    "untrusted": 502,
    "busy": 503,
}
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


@dataclass(frozen=True, slots=True)
class SigningIn:
    """How people sign in at an issuer."""

    sign_ins: Sequence[SignIn]
    render: RenderPage


class SignInDesk:
    """Signs people in for the surveys of an issuer.

    Raises:
        PackageMissing: a package is not installed.
    """

    def __init__(
        self, store: IssuerStore, sign_ins: Sequence[SignIn], clock: Clock = utc_now
    ) -> None:
        require_authlib()
        # Imported here, so that an issuer without sign-in does not load Authlib.
        from deniable_issuer.sign_in.provider import Provider  # noqa: PLC0415 - see above

        self._store = store
        self._sign_ins = {each.survey.digest: each for each in sign_ins}
        self._providers = {each.survey.digest: Provider(each) for each in sign_ins}
        self._attempts = Attempts(b"".join(each.key for each in sign_ins))
        self._clock = clock
        self._is_secure = any(urlsplit(each.callback).scheme == "https" for each in sign_ins)

    @open_to_everybody
    def leave(self, digest: str) -> Response:
        """Send a browser to the provider.

        Raises:
            NotSignedIn: there is no such survey, it is over, or the provider cannot be used.
        """
        self._open(digest)
        attempt = begin_attempt(digest, self._clock())
        response = _redirect(self._providers[digest].address(attempt))
        self.set_cookie(response, self._attempts.write(attempt))
        return response

    @open_to_everybody
    def come_back(self) -> Response:
        """Send a browser that comes from the provider to the form, with the person's code.

        Raises:
            NotSignedIn: the person is not signed in.
            StoreUnavailable: the store cannot be written now.
        """
        said, now = request.args, self._clock()
        attempt = self._attempts.returned(self._sent_cookie(), said.get("state", ""), now)
        sign_in = self._open(attempt.purpose)
        code = returned_code(said, sign_in.provider)
        claims = self._providers[attempt.purpose].claims(attempt, code, now)
        invitation = _hand_out(self._store, sign_in, claims)
        return _redirect(link_of(sign_in.collector, sign_in.survey.slug, invitation))

    def sign_in_of_request(self) -> SignIn | None:
        """The settings of the survey that the present request is about, if that is known."""
        digest = (request.view_args or {}).get("digest")
        attempt = None if digest else self._attempts.read(self._sent_cookie())
        return self._sign_ins.get(digest or (attempt.purpose if attempt else ""))

    def set_cookie(self, response: Response, value: str) -> None:
        """Let the browser keep an attempt, or forget it if the value is empty."""
        _COOKIE.give(response, value, secure=self._is_secure)

    def _sent_cookie(self) -> str:
        """The cookie of the attempt; empty if there is none, or several."""
        found = _COOKIE.sent(secure=self._is_secure)
        return found[0] if len(found) == 1 else ""

    def _open(self, digest: str) -> SignIn:
        sign_in = self._sign_ins.get(digest)
        if sign_in is None:
            raise NotSignedIn("unknown")
        if is_over(sign_in.survey, self._clock()):
            raise NotSignedIn("over")
        return sign_in


def _hand_out(store: IssuerStore, sign_in: SignIn, claims: Mapping[str, object]) -> str:
    """The code of a person, which the store knows from now on.

    A person keeps the group in which they first signed in.

    Raises:
        NotSignedIn: the person is not invited, or as many people as are invited have codes.
        StoreUnavailable: the store cannot be written now.
    """
    code = sign_in.code_of(claims)
    digest, survey = code_digest(code), sign_in.survey.digest
    with store.writing() as connection:
        if connection.execute("SELECT 1 FROM codes WHERE code_digest = ?", (digest,)).fetchone():
            return code
        group = sign_in.group_of(claims)
        if group is None:
            raise NotSignedIn("uninvited")
        counted = "SELECT count(*) FROM codes WHERE survey = ? AND group_id = ?"
        (people,) = connection.execute(counted, (survey, group)).fetchone()
        if people >= group_of(sign_in.survey.groups, group).people:
            raise NotSignedIn("full", "more people sign in than are invited")
        connection.execute(
            "INSERT INTO codes (code_digest, survey, group_id, mail) VALUES (?, ?, ?, ?)",
            (digest, survey, group, MailState.SIGNED_IN),
        )
    return code


def create_sign_in(desk: SignInDesk, render: RenderPage, settings: Settings) -> Blueprint:
    """The two routes, with their limit, headers and pages."""
    routes = Blueprint("sign_in", __name__)
    routes.add_url_rule(f"{PATH}/<digest>", view_func=desk.leave)
    routes.add_url_rule(f"{PATH}/callback", view_func=desk.come_back)

    wait_of_sender = limit_of_senders(settings)

    @routes.before_request
    def limit() -> None:
        if wait_of_sender():
            raise TooManyRequests

    @routes.after_request
    def end_attempt(response: Response) -> Response:
        """One attempt comes back once: its cookie is removed, whatever the answer is."""
        if request.endpoint == "sign_in.come_back":
            desk.set_cookie(response, "")
        return response

    _explain(routes, desk, render)
    return routes


def _explain(routes: Blueprint, desk: SignInDesk, render: RenderPage) -> None:
    """Let every refusal be a page in words."""
    log = ThrottledLog()

    @routes.errorhandler(NotSignedIn)
    def explain(error: NotSignedIn) -> Response:
        if error.cause:
            log.tell("nobody was signed in", error.cause)
        return _page(desk, render, error.page)

    @routes.errorhandler(StoreUnavailable)
    def explain_store(error: StoreUnavailable) -> Response:
        log.tell("issuer's store unavailable", error.cause)
        return _page(desk, render, "busy")

    @routes.errorhandler(HTTPException)
    def explain_other(error: HTTPException) -> Response:
        return _page(desk, render, "busy" if isinstance(error, TooManyRequests) else "failed")


def _page(desk: SignInDesk, render: RenderPage, name: str) -> Response:
    """A page in words."""
    languages = [language for language, _ in request.accept_languages]
    sign_in = desk.sign_in_of_request()
    text = render(name, languages, sign_in.form if sign_in else "")
    response = Response(text, STATUSES[name], content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = _POLICY
    if name == "busy":
        response.headers["Retry-After"] = str(RETRY_AFTER_S)
    return response


def _redirect(address: str) -> Response:
    """Not Flask's, whose body repeats the address."""
    return Response(status=302, headers={"Location": address})
