"""The respondent's form and the thank-you page of one survey.

The server renders every question and never learns an answer: the page's
script draws the blocks, shows just those, randomizes and sends.
"""

import math
from fractions import Fraction

from flask import Blueprint, render_template, request
from werkzeug.wrappers import Response

from deniable_collector.store import Store
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.text import in_language
from deniable_sdk.weights import format_epsilon
from deniable_web.pages import policy
from deniable_web.pages.languages import DEFAULT, best, catalog, direction
from deniable_web.pages.questions import view_questions


def create_pages(store: Store) -> Blueprint:
    """The routes under /s over one store."""
    pages = Blueprint("pages", __name__, template_folder="templates")

    @pages.get("/s/<slug>")
    def form(slug: str) -> tuple[str, int]:
        found = store.find_survey(slug)
        if found is None:
            return _not_found()
        if found.is_closed:
            return _render("closed.html", found.survey), 410
        return _render("form.html", found.survey), 200

    @pages.get("/s/<slug>/thanks")
    def thanks(slug: str) -> tuple[str, int]:
        found = store.find_survey(slug)
        if found is None:
            return _not_found()
        return _render("thanks.html", found.survey), 200

    @pages.after_request
    def protect_pages(response: Response) -> Response:
        return policy.protect(response)

    return pages


def _not_found() -> tuple[str, int]:
    return render_template(
        "not_found.html", texts=catalog("form", DEFAULT), language=DEFAULT, direction="ltr"
    ), 404


def _render(template: str, survey: PublishedSurvey) -> str:
    language = _language(survey)
    return render_template(
        template,
        texts=catalog("form", language),
        language=language,
        direction=direction(language),
        survey=survey,
        questions=view_questions(survey, language),
        drawing=_drawing(survey, language),
        at_most_times=_odds(survey),
        epsilon=format_epsilon(survey.epsilon),
        localized=lambda text: in_language(text, language),
    )


def _language(survey: PublishedSurvey) -> str:
    offered = sorted(survey.languages) or [DEFAULT]
    return best(request.accept_languages.values(), offered) or offered[0]


def _drawing(survey: PublishedSurvey, language: str) -> str:
    """What the device draws, in words; empty where everybody is asked all."""
    if survey.asked == len(survey.blocks):
        return ""
    # Where questions are asked together, or one depends on another, a
    # respondent may see more questions than were drawn.
    is_plain = len(survey.blocks) == len(survey.questions) and not survey.has_routing
    text = catalog("form", language)["page"]["privacy_draw" if is_plain else "privacy_draw_parts"]
    return text.format(asked=survey.asked, all=len(survey.blocks))


def _odds(survey: PublishedSurvey) -> str:
    """How many times likelier one answer may make a report than another.

    Rounded up to about three digits, so that it stays a bound.
    """
    ratio = math.prod((block.ratio for block in survey.worst_blocks), start=Fraction(1))
    decimals = 2 if ratio < 10 else 1 if ratio < 100 else 0
    return f"{math.ceil(ratio * 10**decimals) / 10**decimals:,.{decimals}f}"
