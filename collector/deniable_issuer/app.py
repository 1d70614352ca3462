"""The issuer as a WSGI application on a store."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from types import TracebackType
from typing import Any

from flask import Blueprint, Flask, Response
from werkzeug.exceptions import HTTPException

from deniable_collector.clock import Clock, utc_now
from deniable_collector.errors import Refused
from deniable_collector.logs import tell_failure
from deniable_collector.responses import add_safe_headers, json_response, problem_response
from deniable_collector.settings import Settings
from deniable_issuer.api import MOST_BODY_BYTES, answer_http_error, create_routes
from deniable_issuer.issuing import Issuer
from deniable_issuer.sign_in.routes import SignInDesk, SigningIn, create_sign_in
from deniable_issuer.store import IssuerStore


class IssuerApp(Flask):
    """A Flask application whose logs contain nothing of any request."""

    def log_exception(
        self,
        exc_info: (tuple[type, BaseException, TracebackType] | tuple[None, None, None] | Any),
    ) -> None:
        """Log the exception's class and location, but not its text and nothing of the request."""
        tell_failure(exc_info[0], exc_info[2])


def create_issuer(
    store: IssuerStore,
    settings: Settings,
    clock: Clock = utc_now,
    signing_in: SigningIn | None = None,
) -> Flask:
    """The issuer's application.

    Args:
        store: with keys and codes.
        settings: the limit of requests, and the number of proxies in front.
        clock: returns the present moment, in UTC.
        signing_in: how people sign in; None if all of them have codes.
    """
    app = IssuerApp("deniable_issuer", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BODY_BYTES
    # Otherwise debuggers and test clients would get the exception itself.
    app.config["PROPAGATE_EXCEPTIONS"] = False
    # A path with a needless slash gets 404 instead of a redirect.
    app.url_map.merge_slashes = False
    routes, *others = create_blueprints(store, settings, clock, signing_in)

    @routes.get("/healthz")
    def health() -> Response:
        """Whether a token could be recorded now."""
        store.check()
        return json_response({"status": "ok"})

    for each in (routes, *others):
        app.register_blueprint(each)
    app.register_error_handler(HTTPException, answer_http_error)
    app.register_error_handler(Refused, answer_refusal)
    app.after_request(add_safe_headers)
    return app


def create_blueprints(
    store: IssuerStore,
    settings: Settings,
    clock: Clock = utc_now,
    signing_in: SigningIn | None = None,
) -> Sequence[Blueprint]:
    """The routes that devices ask and, if people sign in, those of their browsers.

    Args:
        store: with keys and codes.
        settings: the limit of requests, and the number of proxies in front.
        clock: returns the present moment, in UTC.
        signing_in: how people sign in; None if all of them have codes.
    Raises:
        AuthlibMissing: signing in needs a package that is not installed.
    """
    if signing_in is None:
        return [create_routes(Issuer(store, clock), settings)]
    addresses = {each.survey.digest: each.address for each in signing_in.sign_ins}
    return [
        create_routes(Issuer(store, clock, addresses), settings),
        create_sign_in(SignInDesk(store, signing_in.sign_ins, clock), signing_in.render, settings),
    ]


def answer_refusal(error: Refused) -> Response:
    """The response that says why a request is refused."""
    return problem_response(error.problem)


@contextmanager
def opened_issuer(
    open_store: Callable[[], IssuerStore], create_app: Callable[[IssuerStore], Flask]
) -> Iterator[Flask]:
    """An application on an open store, which is closed when the block ends."""
    with closing(open_store()) as store:
        yield create_app(store)
