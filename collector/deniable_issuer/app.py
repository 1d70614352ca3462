"""The issuer as a WSGI application on a store; docs/ISSUER.md is the contract of its routes."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from flask import Blueprint, Flask, Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from deniable_collector.clock import Clock, utc_now
from deniable_collector.errors import Refused, StoreUnavailable
from deniable_collector.limits import limit_of_senders
from deniable_collector.logs import ThrottledLog
from deniable_collector.permissions import open_to_everybody
from deniable_collector.responses import (
    QuietApp,
    allow_any_origin,
    http_error,
    json_response,
    problem_response,
    read_body,
)
from deniable_collector.settings import Settings
from deniable_issuer import problems
from deniable_issuer.issuing import Issuer
from deniable_issuer.sign_in.routes import SignInDesk, SigningIn, create_sign_in
from deniable_issuer.store import IssuerStore
from deniable_sdk.foreign import NotJson, read_object
from deniable_sdk.invitation import InvalidCode, read_code
from deniable_sdk.log import DIGEST
from deniable_sdk.tokens import KEY_SIZED, base64url, from_base64url

_MOST_BODY_BYTES = 4_096
_JSON_TYPE = "application/json"


def create_issuer(
    store: IssuerStore,
    settings: Settings,
    clock: Clock = utc_now,
    signing_in: SigningIn | None = None,
) -> Flask:
    """The issuer's application."""
    app = QuietApp("deniable_issuer", _MOST_BODY_BYTES, problems.issuer_problem_of)
    routes, *others = create_blueprints(store, settings, clock, signing_in)

    @routes.get("/healthz")
    @open_to_everybody
    def health() -> Response:
        """Whether a token could be recorded now."""
        store.check()
        return json_response({"status": "ok"})

    for each in (routes, *others):
        app.register_blueprint(each)
    return app


def create_blueprints(
    store: IssuerStore,
    settings: Settings,
    clock: Clock = utc_now,
    signing_in: SigningIn | None = None,
) -> Sequence[Blueprint]:
    """The routes that devices ask and, if people sign in, those of their browsers.

    Raises:
        PackageMissing: signing in needs a package that is not installed.
    """
    if signing_in is None:
        return [_create_routes(Issuer(store, clock), settings)]
    addresses = {each.survey.digest: each.address for each in signing_in.sign_ins}
    return [
        _create_routes(Issuer(store, clock, addresses), settings),
        create_sign_in(SignInDesk(store, signing_in.sign_ins, clock), signing_in.render, settings),
    ]


@contextmanager
def opened_issuer(
    open_store: Callable[[], IssuerStore], create_app: Callable[[IssuerStore], Flask]
) -> Iterator[Flask]:
    """An application on an open store, which is closed when the block ends."""
    with open_store() as store:
        yield create_app(store)


def _create_routes(issuer: Issuer, settings: Settings) -> Blueprint:
    """The three routes, with their limits, headers and refusals."""
    routes = Blueprint("issuer", __name__)

    @routes.post("/api/codes")
    @open_to_everybody
    def read_group() -> Response:
        """The group of a code."""
        sent = _members(("survey", "code"))
        return json_response({"group": issuer.group_of(_digest(sent), _code(sent))})

    @routes.post("/api/tokens")
    @open_to_everybody
    def sign() -> Response:
        """The signature of a blinded message."""
        sent = _members(("survey", "code", "blinded"))
        if not KEY_SIZED.fullmatch(sent["blinded"]):
            raise Refused(problems.invalid_request("survey, code and blinded"))
        blinded = from_base64url(sent["blinded"])
        signature = issuer.sign(_digest(sent), _code(sent), blinded)
        return json_response({"signature": base64url(signature)})

    @routes.get("/api/surveys/<digest>")
    @open_to_everybody
    def read_status(digest: str) -> Response:
        """How many are invited to a survey and, after the end, how many have collected."""
        if not DIGEST.fullmatch(digest):
            raise Refused(problems.UNKNOWN_SURVEY)
        return json_response(issuer.status(digest))

    _guard(routes, settings)
    return routes


def _guard(routes: Blueprint, settings: Settings) -> None:
    """Give the routes their limits, the refusals their format, and all responses their headers."""
    log = ThrottledLog()
    wait_of_sender = limit_of_senders(settings)

    @routes.before_request
    def limit() -> None:
        """Refuse a request if its network sends too many; preflights do not count."""
        wait_s = 0 if request.method == "OPTIONS" else wait_of_sender()
        if wait_s:
            detail = (
                f"Allowed are {settings.rate_limit} requests per minute from one network; send "
                "the same bytes again after the time in Retry-After."
            )
            raise Refused(problems.issuer_problem("too-many-requests", detail, wait_s))

    @routes.errorhandler(StoreUnavailable)
    def answer_unavailable(error: StoreUnavailable) -> Response:
        log.tell("issuer's store unavailable", error.cause)
        detail = "Send the same bytes again after the time in Retry-After."
        return problem_response(problems.issuer_problem("store-unavailable", detail))

    @routes.errorhandler(HTTPException)
    def answer_http_error(error: HTTPException) -> ResponseReturnValue:
        return http_error(error, problems.issuer_problem_of)

    routes.after_request(allow_any_origin)


def _members(names: Collection[str]) -> dict[str, str]:
    """The members of the body, which are texts.

    Raises:
        Refused: the body has others.
    """
    if request.mimetype != _JSON_TYPE:
        raise Refused(problems.issuer_problem_of(415))
    body = read_body(_MOST_BODY_BYTES)
    try:
        sent = read_object(body)
    except NotJson:
        raise Refused(problems.NOT_JSON) from None
    if sent.keys() != set(names) or not all(isinstance(value, str) for value in sent.values()):
        *first, last = names
        raise Refused(problems.invalid_request(f"{', '.join(first)} and {last}"))
    return sent


def _digest(sent: dict[str, str]) -> str:
    if not DIGEST.fullmatch(sent["survey"]):
        raise Refused(problems.UNKNOWN_CODE)
    return sent["survey"]


def _code(sent: dict[str, str]) -> str:
    try:
        return read_code(sent["code"])
    except InvalidCode:
        raise Refused(problems.UNKNOWN_CODE) from None
