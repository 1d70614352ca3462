"""The routes of the issuer; docs/ISSUER.md is their contract."""

import json
from collections.abc import Collection

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from deniable_collector.errors import Refused, StoreUnavailable
from deniable_collector.limits import RateLimiter, sender_network
from deniable_collector.logs import ThrottledLog
from deniable_collector.responses import (
    allow_any_origin,
    http_error,
    json_response,
    problem_response,
    read_body,
)
from deniable_collector.settings import Settings
from deniable_issuer import problems
from deniable_issuer.issuing import Issuer
from deniable_sdk.invitation import InvalidCode, read_code
from deniable_sdk.log import DIGEST
from deniable_sdk.tokens import KEY_SIZED, base64url, from_base64url

MOST_BODY_BYTES = 4_096

_JSON_TYPE = "application/json"


def create_routes(issuer: Issuer, settings: Settings) -> Blueprint:
    """The three routes, with their limits, headers and refusals."""
    routes = Blueprint("issuer", __name__)

    @routes.post("/api/codes")
    def read_group() -> Response:
        """The group of a code."""
        sent = _members(("survey", "code"))
        return json_response({"group": issuer.group_of(_digest(sent), _code(sent))})

    @routes.post("/api/tokens")
    def sign() -> Response:
        """The signature of a blinded message."""
        sent = _members(("survey", "code", "blinded"))
        if not KEY_SIZED.fullmatch(sent["blinded"]):
            raise Refused(problems.invalid_request("survey, code and blinded"))
        blinded = from_base64url(sent["blinded"])
        signature = issuer.sign(_digest(sent), _code(sent), blinded)
        return json_response({"signature": base64url(signature)})

    @routes.get("/api/surveys/<digest>")
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
    limiter = RateLimiter(settings.rate_limit) if settings.rate_limit else None

    @routes.before_request
    def limit() -> None:
        if limiter:
            _refuse_if_too_many(limiter, settings)

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
    body = read_body(MOST_BODY_BYTES)
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        raise Refused(problems.NOT_JSON)
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


def _refuse_if_too_many(limiter: RateLimiter, settings: Settings) -> None:
    """Refuse the request if its network sends too many; preflights do not count."""
    network = sender_network(request.environ, settings.proxies)
    wait_s = 0 if network is None or request.method == "OPTIONS" else limiter.wait_s(network)
    if wait_s:
        detail = (
            f"Allowed are {settings.rate_limit} requests per minute from one network; send the "
            "same bytes again after the time in Retry-After."
        )
        raise Refused(problems.issuer_problem("too-many-requests", detail, wait_s))
