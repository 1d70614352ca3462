"""The site: the collector's interface and the pages in one application."""

from typing import Final

from flask import Flask

from deniable_collector.app import create_collector
from deniable_collector.clock import utc_now
from deniable_collector.margin_watch import StopRule
from deniable_collector.settings import Settings
from deniable_collector.store import Store
from deniable_issuer import IssuerStore
from deniable_issuer.app import create_blueprints
from deniable_issuer.sign_in.routes import SigningIn
from deniable_web.build.routes import create_builder
from deniable_web.drafts import DraftStore, create_drafts
from deniable_web.manage import create_manage
from deniable_web.pages.form import create_pages
from deniable_web.pages.static_files import add_static_files
from deniable_web.precision import applies, is_precise
from deniable_web.results import create_results

# Where the issuer is, if this site has one.
ISSUER_PATH: Final = "/issuer"


def create_site(store: Store, settings: Settings, drafts: DraftStore | None = None) -> Flask:
    """The whole application with one store, and with the store of drafts if it keeps drafts."""
    app = create_collector(store, settings, stop_rule=StopRule(applies, is_precise))
    app.register_blueprint(create_pages(store, settings))
    app.register_blueprint(create_manage())
    app.register_blueprint(create_builder())
    if drafts is not None:
        app.register_blueprint(create_drafts(drafts, utc_now))
    app.register_blueprint(create_results(store, settings.site))
    add_static_files(app)
    # The order of keys in a definition is that of an author: of bands, for example.
    app.json.sort_keys = False  # type: ignore[attr-defined]  # Flask's own provider has it
    return app


def add_issuer(
    app: Flask, store: IssuerStore, settings: Settings, signing_in: SigningIn | None = None
) -> None:
    """Let a site answer what an issuer is asked, below ISSUER_PATH."""
    for each in create_blueprints(store, settings, signing_in=signing_in):
        app.register_blueprint(each, url_prefix=ISSUER_PATH)
