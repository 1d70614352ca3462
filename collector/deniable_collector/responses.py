"""The common parts of responses: JSON bodies, problems, headers, compression."""

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import brotli
from flask import Flask, Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from deniable_collector.access import collaborators
from deniable_collector.errors import (
    ErasingUnfinished,
    ExtensionRefused,
    Refused,
    StoreUnavailable,
    TooBusy,
    UnusableKeys,
)
from deniable_collector.logs import tell_failure
from deniable_collector.problems import MEDIA_TYPE, Problem, problem, problem_of_status
from deniable_sdk.foreign import NotJson, read_object
from deniable_storage.errors import ResultsSealed

RETRY_AFTER_S = 5
_PREFLIGHT_AGE_S = 86_400
# The largest window, with the header of gzip.
_GZIP = 31
# With more memory the result is a little smaller: 30 bytes of the form's script.
_MOST_MEMORY = 9
# For bodies that are sent once, and long ones: larger by a tenth, in a small part of the time.
_QUICK = 5
_SMALLEST = {"br": 11, "gzip": 9}
_LONG = 1 << 20
# A shorter body hardly becomes shorter.
_LEAST = 500
_TEXTS = frozenset(("text/html", "text/css", "text/csv", "application/json", "image/svg+xml"))

SEND_AGAIN = (
    "Nothing of this request was stored; send the same bytes again after the time in Retry-After."
)
_SEND_AGAIN_TO_BE_SURE = (
    "Nothing of this request is sure to be stored; send the same bytes again after the time in "
    "Retry-After. No report is stored twice."
)


def json_response(
    document: Mapping[str, object], status: int = 200, media_type: str = "application/json"
) -> Response:
    """A response with a JSON object as its body."""
    body = json.dumps(document, separators=(",", ":")) + "\n"
    return Response(body, status=status, content_type=media_type)


def problem_response(refusal: Problem) -> Response:
    """A response with the reason why the request was refused."""
    response = json_response(refusal.to_document(), refusal.status, MEDIA_TYPE)
    if refusal.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    wait_s = refusal.wait_s or (RETRY_AFTER_S if refusal.status in (429, 503) else None)
    if wait_s is not None:
        response.headers["Retry-After"] = str(wait_s)
    return response


@dataclass(frozen=True, slots=True)
class Compressed:
    """A body that is sent often, in its smallest form: for phones.

    The same bytes always have the same forms, each of which is made when it is first asked for.
    """

    media_type: str
    plain: bytes
    _forms: dict[str, bytes] = field(default_factory=dict, init=False, repr=False)

    def respond(self, status: int = 200) -> Response:
        """The response with this body, which is compressed if the client accepts that."""
        coding = _accepted()
        if coding and coding not in self._forms:
            quality = _SMALLEST[coding] if len(self.plain) < _LONG else _QUICK
            self._forms[coding] = _coded(self.plain, coding, quality)
        body = self._forms[coding] if coding else self.plain
        response = Response(body, status, mimetype=self.media_type)
        response.headers["Vary"] = "Accept-Encoding"
        if coding:
            response.headers["Content-Encoding"] = coding
        return response


def compress(response: Response) -> Response:
    """The response to one request, compressed if it is long and the client accepts that."""
    body = response.get_data()
    if len(body) < _LEAST or response.mimetype not in _TEXTS:
        return response
    response.vary.add("Accept-Encoding")
    coding = _accepted()
    if coding:
        response.set_data(_coded(body, coding, _QUICK))
        response.headers["Content-Encoding"] = coding
    return response


def _accepted() -> str | None:
    """The compression that the client accepts; of two that it likes alike, the smaller one."""
    return request.accept_encodings.best_match(_SMALLEST)


def _coded(plain: bytes, coding: str, quality: int) -> bytes:
    if coding == "br":
        packed: bytes = brotli.compress(plain, quality=quality)
        return packed
    gzipping = zlib.compressobj(quality, zlib.DEFLATED, _GZIP, _MOST_MEMORY)
    return gzipping.compress(plain) + gzipping.flush()


class QuietApp(Flask):
    """A Flask application whose logs contain nothing of any request.

    Its refusals have one format, and its responses safe headers.

    Args:
        name: of the package.
        max_body_bytes: the longest body that a request may have.
        problem_of: the problem for a refusal of which only the status is known.
    """

    def __init__(
        self,
        name: str,
        max_body_bytes: int,
        problem_of: Callable[[int], Problem] = problem_of_status,
    ) -> None:
        super().__init__(name, static_folder=None)
        # Werkzeug refuses a body that reaches its limit without looking whether it ends there.
        self.config["MAX_CONTENT_LENGTH"] = max_body_bytes + 1
        # Otherwise debuggers and test clients would get the exception itself.
        self.config["PROPAGATE_EXCEPTIONS"] = False
        # A path with a needless slash gets 404 instead of a redirect.
        self.url_map.merge_slashes = False
        self.register_error_handler(HTTPException, lambda error: http_error(error, problem_of))
        self.register_error_handler(Refused, lambda error: problem_response(error.problem))
        self.after_request(add_safe_headers)

    def log_exception(self, exc_info: Any) -> None:
        """Log the exception's class and location, but not its text and nothing of the request."""
        tell_failure(exc_info[0], exc_info[2])


def http_error(error: HTTPException, problem_of: Callable[[int], Problem]) -> ResponseReturnValue:
    """The refusal for an error of HTTP."""
    if error.code is None or error.code < 400:
        # A redirect, or another response that was raised as an exception.
        return error.get_response()
    response = problem_response(problem_of(error.code))
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After", "WWW-Authenticate"):
            response.headers[name] = value
    return response


def read_body(most: int) -> bytes:
    """The whole body of the request.

    Args:
        most: how many bytes it may have.

    Raises:
        RequestEntityTooLarge: it has more.
    """
    # Werkzeug cuts a body off at its limit, so a body that is too long reaches one byte more.
    request.max_content_length = most + 1
    body = request.get_data(cache=False)
    if len(body) > most:
        raise RequestEntityTooLarge
    return body


def read_sent_object(most: int) -> dict[str, Any]:
    """The JSON object in the body of the request.

    Args:
        most: how many bytes it may have.

    Raises:
        RequestEntityTooLarge: it has more.
        Refused: it is no JSON object.
    """
    body = read_body(most)
    # Refused outside the handler, whose error knows the body.
    try:
        return read_object(body)
    except NotJson as error:
        detail = f"Nothing was changed: {error}. Send a JSON object in UTF-8."
    raise Refused.because("not-json", detail)


def register_responses(app: Flask) -> None:
    """Give the failures of a collector's store their responses."""

    @app.errorhandler(StoreUnavailable)
    def answer_unavailable(error: StoreUnavailable) -> Response:
        collaborators().metrics.store_failed(error.cause)
        detail = (
            f"Closing is not finished: {error}."
            if isinstance(error, ErasingUnfinished)
            else _SEND_AGAIN_TO_BE_SURE
        )
        return problem_response(problem("store-unavailable", detail))

    @app.errorhandler(TooBusy)
    def answer_busy(_: TooBusy) -> Response:
        collaborators().metrics.too_busy()
        return problem_response(problem("too-busy", SEND_AGAIN))

    @app.errorhandler(UnusableKeys)
    def answer_unusable(error: UnusableKeys) -> Response:
        return problem_response(problem("unusable-keys", f"Not published: {error}."))

    @app.errorhandler(ResultsSealed)
    def answer_sealed(error: ResultsSealed) -> Response:
        return problem_response(problem("results-not-released", f"Nothing was counted: {error}."))

    @app.errorhandler(ExtensionRefused)
    def answer_unextended(error: ExtensionRefused) -> Response:
        return problem_response(problem("extension-refused", f"Nothing was changed: {error}."))


def add_safe_headers(response: Response) -> Response:
    """The response, with headers against guessing its type, passing it on and storing it."""
    headers = response.headers
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "no-referrer")
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers.setdefault("Cache-Control", "no-store")
    return response


def allow_any_origin(response: Response) -> Response:
    """The response, which pages of any origin may read, without cookies."""
    headers = response.headers
    headers["Access-Control-Allow-Origin"] = "*"
    headers["Access-Control-Expose-Headers"] = "Retry-After"
    headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if request.method == "OPTIONS":
        headers["Access-Control-Allow-Methods"] = headers["Allow"]
        headers["Access-Control-Allow-Headers"] = "Content-Type"
        headers["Access-Control-Max-Age"] = str(_PREFLIGHT_AGE_S)
    return response
