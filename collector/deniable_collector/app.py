"""The collector as a WSGI application on a store."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from logging import ERROR, WARNING

from flask import Flask

from deniable_collector.access import EXTENSION, Collaborators, FindToken
from deniable_collector.api import API, count_answers
from deniable_collector.clock import Clock, utc_now
from deniable_collector.direct import DIRECT, DirectReports
from deniable_collector.errors import ErasingUnfinished
from deniable_collector.intake import GroupCommit, Readers
from deniable_collector.limits import limit_requests
from deniable_collector.logs import tell
from deniable_collector.margin_watch import MarginWatch, StopRule
from deniable_collector.metrics import Metrics
from deniable_collector.openapi import OPENAPI
from deniable_collector.operators_api import OPERATORS
from deniable_collector.permissions import guard
from deniable_collector.responses import QuietApp, register_responses
from deniable_collector.results_api import RESULTS
from deniable_collector.settings import Settings
from deniable_collector.store import Store


def create_collector(
    store: Store,
    settings: Settings,
    clock: Clock = utc_now,
    stop_rule: StopRule | None = None,
    find_session: FindToken | None = None,
) -> Flask:
    """The collector's application; other parts may add blueprints to it.

    Args:
        store: the store of surveys and reports.
        settings: the operator's.
        clock: decides whether the windows of surveys are open.
        stop_rule: the rule that ends surveys by their margin; without one, none end so.
        find_session: knows the tokens of sessions; without it, nobody has a session.
    """
    app = QuietApp("deniable_collector", settings.max_body_bytes)
    metrics = Metrics(settings.backups)
    watch = MarginWatch(store, stop_rule, clock) if stop_rule else None
    commits = GroupCommit(
        store,
        most_waiting=settings.max_waiting_reports,
        observer=metrics,
        clock=clock,
        on_stored=watch.note if watch else None,
    )
    readers = Readers(store.find_edition, settings.site)
    app.extensions[EXTENSION] = Collaborators(
        store, store, store, settings, commits, readers, metrics, watch, find_session
    )
    limit_requests(app, settings)
    guard(app)
    for routes in (API, RESULTS, OPERATORS, OPENAPI):
        app.register_blueprint(routes)
    count_answers(app, metrics)
    register_responses(app)
    app.extensions[DIRECT] = DirectReports(app)
    return app


@contextmanager
def opened(
    open_store: Callable[[], Store], create_app: Callable[[Store], Flask]
) -> Iterator[Flask]:
    """An application on an open store; all accepted reports are stored before the block ends.

    Closings and purgings that were interrupted are finished first.
    """
    with open_store() as store:
        finish_erasing(store)
        app = create_app(store)
        try:
            yield app
        finally:
            accepted: Collaborators = app.extensions[EXTENSION]
            accepted.close()


def finish_erasing(store: Store) -> None:
    """Finish the closings and purgings that were interrupted; what stays unfinished is logged."""
    for stored in store.list_surveys():
        if not stored.is_unfinished:
            continue
        act = "purging" if stored.is_purged else "closing"
        about = partial(tell, survey=stored.survey.slug, edition=stored.edition)
        about(f"{act} was interrupted", WARNING)
        try:
            store.finish_erasing(stored)
        except ErasingUnfinished as error:
            about(f"{act} is not finished", ERROR, cause=error.cause)
        else:
            about(f"{act} is finished")
