"""The builder's pages: beginning, writing, previewing and sharing a survey, and the home page."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from io import BytesIO
from typing import Any, Final

import segno
from babel.numbers import format_decimal
from flask import render_template

from deniable_collector.access import state_of
from deniable_collector.errors import Refused
from deniable_collector.store.base import StoredSurvey
from deniable_collector.tokens import DEFAULT_REPORTS, FEWEST_REPORTS
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.text import in_language
from deniable_sdk.weights import format_epsilon
from deniable_web.builder.instruments import instruments
from deniable_web.builder.survey_templates import template, templates
from deniable_web.definition.completeness import PLACEHOLDER
from deniable_web.pages.form.rendering import render_form
from deniable_web.pages.languages import catalog
from deniable_web.pages.organiser_frame import framed, render_page, wanted_language
from deniable_web.pages.static_files import EMBED, static_files

_SITE: Final = re.compile(r"https?://[^\s/?#@]{1,255}(/[^\s?#@]{1,255})?", re.ASCII)
_BORDER: Final = 4  # modules; scanners need this much
_DOTS: Final = 12  # a side of a module in the PNG: large enough for a poster
_SVG: Final = {"xmldecl": False, "omitsize": True, "svgclass": None, "lineclass": None}
_KINDS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "svg": ("image/svg+xml", _SVG),
    "png": ("image/png", {"scale": _DOTS}),
}

# Of the page /build, in which a preview is shown.
BUILDER_ROOT: Final = "./"
# The name of the template without questions.
EMPTY: Final = "empty"
_render_page = partial(render_page, surface="builder")


def draw_code(site: object, slug: str, kind: str) -> tuple[bytes, str]:
    """The code of the form of a survey, and its media type.

    Args:
        site: the address under which respondents' browsers reach this site, without a slash
            at the end; behind a proxy the server may not know it.
        slug: the slug of a survey.
        kind: svg or png.
    Raises:
        Refused: the address or the kind is not valid.
    """
    if not isinstance(site, str) or not _SITE.fullmatch(site):
        detail = "Send the address of the site, like https://example.org."
        raise Refused.because("invalid-definition", detail)
    code = segno.make(f"{site}/s/{slug}", error="m", micro=False)
    if kind not in _KINDS:
        raise Refused.because("not-found", "Codes are drawn as svg or png; ask for one of them.")
    media_type, options = _KINDS[kind]
    drawn = BytesIO()
    code.save(drawn, kind=kind, border=_BORDER, **options)
    return drawn.getvalue(), media_type


def example_definition(language: str) -> dict[str, Any]:
    """A definition that lacks a title and a slug, and in which each question is a placeholder."""
    texts = catalog("builder", language)["example"]
    asked = {key: f"{PLACEHOLDER} {texts[key]}" for key in ("yes_no", "choice", "scale")}
    return {
        "title": "",
        "slug": "",
        "epsilon": 1,
        "questions": [
            {"id": "harassed", "type": "yes_no", "text": asked["yes_no"]},
            {
                "id": "told",
                "type": "choice",
                "text": asked["choice"],
                "options": [texts[f"option_{place}"] for place in (1, 2, 3)],
                "show_if": {"question": "harassed", "is": "yes"},
            },
            {
                "id": "stress",
                "type": "scale",
                "text": asked["scale"],
                "levels": 5,
                "labels": {"1": texts["lowest"], "5": texts["highest"]},
            },
        ],
    }


def render_home() -> str:
    """An introduction with links; no list of surveys: respondents may come here."""
    return render_template("builder/home.html", **framed("builder"))


def render_beginning() -> str:
    """The page on which an author chooses what a new survey begins with."""
    return _render_page(
        "builder/begin.html",
        here="build",
        script="builder/begin.js",
        offered=templates(),
        empty=EMPTY,
        count=_count,
    )


def _count(number: int) -> str:
    """A whole number with separated thousands, in the language of the page."""
    return format_decimal(number, locale=wanted_language(), numbering_system="latn")


def render_builder(begins_with: str = "", languages: Sequence[str] = ()) -> str:
    """The page on which surveys are written.

    Args:
        begins_with: the name of a template; empty for the example.
        languages: those of the template's texts; none for the language of the page.
    Raises:
        UnknownTemplate: there is no template of this name.
        ValueError: a language that the pages do not have.
    """
    language = wanted_language()
    return _render_page(
        "builder/builder.html",
        here="build",
        script="builder/main.js",
        # In the order of its keys, which Jinja's own filter would sort.
        example=json.dumps(_beginning(begins_with, languages or (language,))),
        instruments=instruments(),
    )


def _beginning(name: str, languages: Sequence[str]) -> dict[str, Any]:
    """The definition that a new draft begins with."""
    if name == EMPTY:
        # For authors who write or import all questions.
        return {"title": "", "slug": "", "epsilon": 1, "questions": []}
    if name:
        return {**template(name).definition(languages), "slug": ""}
    return example_definition(languages[0])


def render_drafts() -> str:
    """The list of the drafts that the collector keeps."""
    return _render_page("builder/drafts.html", here="drafts", script="builder/drafts.js")


def render_preview(survey: PublishedSurvey, *, is_begun: bool = False) -> str:
    """The real form's page, with a script before it that removes access to the network.

    Args:
        survey: the draft.
        is_begun: whether it shows its questions at once.
    """
    head = render_template(
        "builder/preview_head.html",
        document=survey.document.decode(),
        root=BUILDER_ROOT,
        is_begun=is_begun,
    )
    page = render_form(survey, BUILDER_ROOT, is_preview=True).body.plain.decode()
    return page.replace("<head>", f"<head>{head}", 1)


def render_share(found: StoredSurvey | None, slug: str) -> tuple[str, int]:
    """The page for sharing a published survey; a friendly 404 if there is no such survey."""
    language = wanted_language()
    page = _render_page(
        "builder/share.html",
        here="surveys",
        script="builder/share.js",
        found=found,
        state=_state(found) if found else "",
        slug=slug,
        title=in_language(found.survey.title, language) if found else slug,
        said=partial(in_language, language=language),
        epsilon=format_epsilon(found.survey.epsilon) if found else "",
        fewest_reports=FEWEST_REPORTS,
        default_reports=DEFAULT_REPORTS,
        integrity=static_files().integrity(EMBED),
    )
    return page, 200 if found else 404


def _state(found: StoredSurvey) -> str:
    """The key of the sentence on whether a survey accepts reports."""
    state, _ = state_of(found)
    return state if state in ("open", "not_open", "closed") else "ended"
