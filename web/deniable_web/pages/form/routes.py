"""The routes under /s: the form of each survey, or a page that explains why there is none.

The server renders every question and never learns an answer: the page's script draws the
blocks, shows only those, randomizes the answers and sends the report.
"""

from typing import Final

from flask import Blueprint, Response

from deniable_collector.store import Store
from deniable_web.caching import ComputeOnceCache
from deniable_web.pages.form.rendering import (
    RenderedPage,
    render_closed,
    render_form,
    render_not_found,
)
from deniable_web.pages.static_files import static_files

# How many surveys are kept; each has some 100 KB.
_MOST_KEPT: Final = 64


def create_pages(store: Store, frame_ancestors: str = "*") -> Blueprint:
    """The routes under /s for one store.

    Args:
        store: the store with the surveys.
        frame_ancestors: the sites whose pages may show a form in a frame.
    """
    pages = Blueprint("pages", __name__, template_folder="../templates")
    # A published survey never changes, so no page becomes outdated.
    rendered: ComputeOnceCache[RenderedPage] = ComputeOnceCache(_MOST_KEPT)

    @pages.get("/s/<slug>")
    def form(slug: str) -> Response:
        found = store.find_survey(slug)
        if found is None:
            return render_not_found().respond(frame_ancestors)
        survey, is_closed = found.survey, found.is_closed
        render = render_closed if is_closed else render_form
        page = rendered.get((survey.digest, is_closed), lambda: render(survey))
        return page.respond(frame_ancestors)

    @pages.get("/s/worker.js")
    def worker() -> Response:
        # Under /s, because a service worker controls the addresses in its own folder.
        script = static_files().files["form/worker.js"]
        response = RenderedPage(script).respond()
        response.headers["Cache-Control"] = "no-cache"
        return response

    return pages
