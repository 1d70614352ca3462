"""The site: the collector's interface and the pages in one application."""

from typing import Final

from flask import Flask

from deniable_collector.app import create_collector
from deniable_collector.clock import Clock, utc_now
from deniable_collector.margin_watch import StopRule
from deniable_collector.settings import Settings
from deniable_collector.store import Store
from deniable_issuer import IssuerStore
from deniable_issuer.app import create_blueprints
from deniable_issuer.sign_in.routes import SigningIn
from deniable_web.accounts.routes import create_accounts
from deniable_web.accounts.sessions import Sessions
from deniable_web.accounts.settings import AccountProvider
from deniable_web.accounts.trail import Trail
from deniable_web.accounts.trail_recording import record_changes
from deniable_web.builder.routes import create_builder
from deniable_web.drafts.routes import create_drafts
from deniable_web.drafts.store import DraftStore
from deniable_web.pages.form.routes import create_pages
from deniable_web.pages.organiser_frame import WaysIn, create_manage
from deniable_web.pages.roots import add_roots
from deniable_web.pages.static_files import add_static_files
from deniable_web.results.routes import create_results
from deniable_web.results.stop_rule import has_stop_rule, is_precise
from deniable_web.workplace import Workplace

# Where the issuer is, if this site has one.
ISSUER_PATH: Final = "/issuer"


def create_site(
    store: Store,
    settings: Settings,
    workplace: Workplace | None = None,
    provider: AccountProvider | None = None,
    clock: Clock = utc_now,
) -> Flask:
    """The whole application.

    Args:
        store: the store of surveys and reports.
        settings: the operator's.
        workplace: keeps drafts, sessions and the audit trail; None if nothing keeps them.
        provider: where people who run surveys sign in, if a workplace keeps their sessions.
        clock: returns the present moment.
    """
    sessions = Sessions(workplace, store.find_token, clock) if workplace else None
    app = create_collector(
        store,
        settings,
        clock,
        StopRule(has_stop_rule, is_precise),
        find_session=sessions.find if sessions else None,
    )
    app.register_blueprint(create_pages(store, settings))
    app.register_blueprint(create_manage(_ways_in(sessions, provider)))
    app.register_blueprint(create_builder())
    if workplace and sessions:
        trail = Trail(workplace, clock)
        app.register_blueprint(create_drafts(DraftStore(workplace), clock))
        app.register_blueprint(create_accounts(sessions, trail, clock, provider))
        record_changes(app, trail)
    app.register_blueprint(create_results(store, settings.site))
    add_static_files(app)
    add_roots(app)
    # The order of keys in a definition is that of an author: of bands, for example.
    app.json.sort_keys = False  # type: ignore[attr-defined]  # Flask's own provider has it
    return app


def _ways_in(sessions: Sessions | None, provider: AccountProvider | None) -> WaysIn:
    title = provider.title if sessions and provider else ""
    return WaysIn(has_sessions=sessions is not None, provider=title)


def add_issuer(
    app: Flask, store: IssuerStore, settings: Settings, signing_in: SigningIn | None = None
) -> None:
    """Let a site answer what an issuer is asked, below ISSUER_PATH."""
    for each in create_blueprints(store, settings, signing_in=signing_in):
        app.register_blueprint(each, url_prefix=ISSUER_PATH)
