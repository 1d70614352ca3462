"""The issuer as a WSGI application on a store."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from flask import Blueprint, Flask, Response

from deniable_collector.clock import Clock, utc_now
from deniable_collector.responses import QuietApp, json_response
from deniable_collector.settings import Settings
from deniable_issuer.api import MOST_BODY_BYTES, create_routes
from deniable_issuer.issuing import Issuer
from deniable_issuer.problems import issuer_problem_of
from deniable_issuer.sign_in.routes import SignInDesk, SigningIn, create_sign_in
from deniable_issuer.store import IssuerStore


def create_issuer(
    store: IssuerStore,
    settings: Settings,
    clock: Clock = utc_now,
    signing_in: SigningIn | None = None,
) -> Flask:
    """The issuer's application."""
    app = QuietApp("deniable_issuer", MOST_BODY_BYTES, issuer_problem_of)
    routes, *others = create_blueprints(store, settings, clock, signing_in)

    @routes.get("/healthz")
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
        AuthlibMissing: signing in needs a package that is not installed.
    """
    if signing_in is None:
        return [create_routes(Issuer(store, clock), settings)]
    addresses = {each.survey.digest: each.address for each in signing_in.sign_ins}
    return [
        create_routes(Issuer(store, clock, addresses), settings),
        create_sign_in(SignInDesk(store, signing_in.sign_ins, clock), signing_in.render, settings),
    ]


@contextmanager
def opened_issuer(
    open_store: Callable[[], IssuerStore], create_app: Callable[[IssuerStore], Flask]
) -> Iterator[Flask]:
    """An application on an open store, which is closed when the block ends."""
    with closing(open_store()) as store:
        yield create_app(store)
