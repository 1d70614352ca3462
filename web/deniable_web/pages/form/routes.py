"""The routes under /s: the form of each survey, or a page that explains why there is none.

The server renders every question and never learns an answer: the page's script draws the
blocks, shows only those, randomizes the answers and sends the report.
"""

from collections.abc import Callable
from threading import Lock
from typing import Final

from flask import Blueprint, Response

from deniable_collector.permissions import open_to_everybody
from deniable_collector.settings import Settings
from deniable_collector.store import Registry
from deniable_sdk import PublishedSurvey
from deniable_storage.ends import End
from deniable_web.definition.form_size import size_problems
from deniable_web.pages.cache import ComputeOnceCache
from deniable_web.pages.form.one_file import FormCode
from deniable_web.pages.form.rendering import (
    RenderedPage,
    render_closed,
    render_form,
    render_not_found,
    render_too_large,
)
from deniable_web.pages.static_files import static_files

# How many surveys are kept; each has some 100 KB.
_MOST_KEPT: Final = 64
# How many forms in one file are kept; each has some 500 KB.
_MOST_FILES_KEPT: Final = 16


def create_pages(registry: Registry, settings: Settings) -> Blueprint:
    """The routes under /s for one registry."""
    pages = Blueprint("pages", __name__, template_folder="../templates")
    frame_ancestors = settings.frame_ancestors
    # A published survey never changes, so no page becomes outdated.
    rendered: ComputeOnceCache[RenderedPage] = ComputeOnceCache(_MOST_KEPT)
    # Reports have priority: of the forms that nobody has opened yet, one is rendered at a time.
    rendering = Lock()

    def render(survey: PublishedSurvey, *, has_ended: bool) -> RenderedPage:
        if has_ended:
            return render_closed(survey)
        if size_problems(survey):
            return render_too_large(survey)
        with rendering:
            return render_form(survey)

    @pages.get("/s/<slug>")
    @open_to_everybody
    def form(slug: str) -> Response:
        found = registry.find_survey(slug)
        if found is None:
            return render_not_found().respond(frame_ancestors)
        survey = found.survey
        # Neither end can be moved: nobody should answer in vain.
        has_ended = found.is_closed or found.ending.ended_by is End.MARGIN
        key = (survey.digest, has_ended)
        page = rendered.get(key, lambda: render(survey, has_ended=has_ended))
        return page.respond(frame_ancestors)

    @pages.get("/s/worker.js")
    @open_to_everybody
    def worker() -> Response:
        # Under /s, because a service worker controls the addresses in its own folder.
        script = static_files().files["form/worker.js"]
        response = RenderedPage(script).respond()
        response.headers["Cache-Control"] = "no-cache"
        return response

    _add_code(pages, registry, settings)
    return pages


def _add_code(pages: Blueprint, registry: Registry, settings: Settings) -> None:
    """Add the routes to the code of forms, also of closed surveys: somebody may have a file."""
    kept: ComputeOnceCache[FormCode] = ComputeOnceCache(_MOST_FILES_KEPT)

    def respond(slug: str, response_of: Callable[[FormCode], Response]) -> Response:
        found = registry.find_survey(slug)
        if found is None:
            return render_not_found().respond(settings.frame_ancestors)
        survey = found.survey
        if size_problems(survey):
            return render_too_large(survey).respond(settings.frame_ancestors)
        # Never the address in a request, which its sender may choose.
        code = kept.get(survey.digest, lambda: FormCode.of(survey, settings.address))
        return response_of(code)

    @pages.get("/s/<slug>/code")
    @open_to_everybody
    def code(slug: str) -> Response:
        return respond(slug, lambda found: found.page.respond(settings.frame_ancestors))

    @pages.get("/s/<slug>/form.html")
    @open_to_everybody
    def file(slug: str) -> Response:
        return respond(slug, lambda found: found.respond_file(settings.frame_ancestors))
