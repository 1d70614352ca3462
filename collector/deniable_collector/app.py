"""The collector as a WSGI application on a store."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import TracebackType
from typing import Any

from flask import Flask

from deniable_collector.access import EXTENSION, Collaborators
from deniable_collector.api import API
from deniable_collector.clock import Clock, utc_now
from deniable_collector.direct import DIRECT, DirectReports
from deniable_collector.intake import GroupCommit, Readers
from deniable_collector.limits import limit_requests
from deniable_collector.logs import tell_failure
from deniable_collector.metrics import Metrics
from deniable_collector.metrics_api import METRICS, count_answers
from deniable_collector.openapi import OPENAPI
from deniable_collector.responses import register_responses
from deniable_collector.results_api import RESULTS
from deniable_collector.settings import Settings
from deniable_collector.store.base import Store


class Collector(Flask):
    """A Flask application whose logs contain nothing of any request."""

    def log_exception(
        self,
        exc_info: (tuple[type, BaseException, TracebackType] | tuple[None, None, None] | Any),
    ) -> None:
        """Log the exception's class and location, but not its text and nothing of the request."""
        tell_failure(exc_info[0], exc_info[2])


def create_collector(store: Store, settings: Settings, clock: Clock = utc_now) -> Flask:
    """The collector's application; other parts may add blueprints to it.

    Args:
        store: the store for surveys and reports.
        settings: the operator's.
        clock: decides whether the windows of surveys are open.
    """
    app = Collector("deniable_collector", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    # Otherwise debuggers and test clients would get the exception itself.
    app.config["PROPAGATE_EXCEPTIONS"] = False
    # A path with a needless slash gets 404 instead of a redirect.
    app.url_map.merge_slashes = False
    metrics = Metrics()
    commits = GroupCommit(
        store, most_waiting=settings.max_waiting_reports, observer=metrics, clock=clock
    )
    readers = Readers(store.find_edition)
    app.extensions[EXTENSION] = Collaborators(store, settings, commits, readers, metrics)
    limit_requests(app, settings)
    app.register_blueprint(API)
    app.register_blueprint(RESULTS)
    app.register_blueprint(METRICS)
    app.register_blueprint(OPENAPI)
    count_answers(app, metrics)
    register_responses(app)
    app.extensions[DIRECT] = DirectReports(app)
    return app


@contextmanager
def opened(
    open_store: Callable[[], Store], create_app: Callable[[Store], Flask]
) -> Iterator[Flask]:
    """An application on an open store; all accepted reports are stored before the block ends."""
    with closing(open_store()) as store:
        app = create_app(store)
        try:
            yield app
        finally:
            accepted: Collaborators = app.extensions[EXTENSION]
            accepted.commits.close()
