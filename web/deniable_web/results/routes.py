"""The routes of the results; the code behind them is imported for the first request.

Estimates need numpy, scipy and pandas. Neither requests from respondents nor
the start of the server import them.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint
from werkzeug.wrappers import Response

from deniable_collector.permissions import open_to, open_to_everybody
from deniable_collector.responses import compress
from deniable_collector.store import Store
from deniable_collector.tokens import Role
from deniable_web.pages import policy
from deniable_web.results.glossary import explained

if TYPE_CHECKING:
    from deniable_web.results.views import Views

_RESULTS: Final = "/manage/surveys/<slug>/results"
_READ: Final = open_to(Role.READER)
# The path of each route, and who may use it.
_ROUTES: Final = {
    "surveys": ("/surveys", open_to_everybody),
    "results": ("/surveys/<slug>/results", open_to_everybody),
    "cards": ("/manage/surveys", open_to(Role.ANALYST)),
    "state": (f"{_RESULTS}/state", _READ),
    "content": (f"{_RESULTS}/content", _READ),
    "response": (f"{_RESULTS}/response", _READ),
    "groups": (f"{_RESULTS}/groups", _READ),
    "plan": (f"{_RESULTS}/plan", _READ),
    "estimates": (f"{_RESULTS}/estimates.<suffix>", _READ),
    "report": (f"{_RESULTS}/report.<suffix>", _READ),
    "figure": (f"{_RESULTS}/figures/<name>.<suffix>", _READ),
    "collected": ("/collected/<digest>", open_to_everybody),
}


def create_results(store: Store, site: str = "") -> Blueprint:
    """The routes of the list of surveys and of results, for the store of a site."""
    routes = Blueprint("results_pages", __name__)
    routes.add_app_template_filter(explained)

    @cache
    def views() -> Views:
        from deniable_web.results.results_cache import ResultsCache  # noqa: PLC0415 - see above
        from deniable_web.results.views import Views  # noqa: PLC0415 - see above

        return Views(ResultsCache(store, site))

    def answer(method: str, /, **parts: str) -> Any:
        return getattr(views(), method)(**parts)

    for name, (rule, declare) in _ROUTES.items():
        routes.add_url_rule(rule, name, declare(partial(answer, name)))

    routes.after_request(compress)

    @routes.after_request
    def protect_pages(response: Response) -> Response:
        # One page has a policy of its own.
        return response if policy.HEADER in response.headers else policy.protect(response)

    return routes
