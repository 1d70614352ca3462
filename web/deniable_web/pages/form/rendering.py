"""The pages' bytes: one rendering in all offered languages, the same for everyone.

A page never depends on a request: the device chooses the language, and not even the length
of the response reveals which.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from flask import Response, render_template

from deniable_collector.responses import Compressed
from deniable_sdk import PublishedSurvey
from deniable_sdk.weights import YEAR_DAYS, YEARLY_CAP
from deniable_web.pages import policy
from deniable_web.pages.form.languages import PageLanguage, offered_languages
from deniable_web.pages.form.layout import lay_out
from deniable_web.pages.form.privacy import privacy_words

OK: Final = 200
# By whether a survey has scores, and a window or an invitation.
_SCRIPTS: Final = {
    (False, False): "form/main.js",
    (True, False): "form/main_with_scores.js",
    (False, True): "form/main_with_fieldwork.js",
    (True, True): "form/main_with_both.js",
}
_NO_DIGIT: Final = re.compile(r"[^0-9+]")
# So that Start is on the first screen of a phone.
_MOST_CHARACTERS: Final = 140


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A rendered page, ready to be sent.

    Args:
        body: its bytes.
        status: of the response.
        issuer: the address of the issuer that the page asks for a token; empty if none.
    """

    body: Compressed
    status: int = OK
    issuer: str = ""

    @classmethod
    def of(cls, text: str, status: int = OK, issuer: str = "") -> "RenderedPage":
        """The page of this text."""
        lines = (line.strip() for line in text.splitlines())
        plain = "\n".join(line for line in lines if line).encode()
        return cls(Compressed("text/html", plain), status, issuer)

    def respond(self, frame_ancestors: str = policy.NOBODY) -> Response:
        """The response with this page."""
        response = self.body.respond(self.status)
        # A browser asks each time, and keeps the page for times without a network.
        response.headers["Cache-Control"] = "no-cache" if self.status == OK else "no-store"
        # The headers with which pages of other sites can show this page, isolated or not.
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        response.headers["Cross-Origin-Embedder-Policy"] = "require-corp"
        policy.protect(response, frame_ancestors, self.issuer)
        return response


def render_form(
    survey: PublishedSurvey, root: str = "../", *, is_preview: bool = False
) -> RenderedPage:
    """The form of a survey.

    Args:
        survey: the survey.
        root: leads from the page, which is /s/SLUG if left out, to where the site begins.
        is_preview: whether it is a preview, which really randomizes but sends and keeps nothing.
    """
    text = render_template(
        "form.html",
        **form_values(survey),
        script=script_name(survey),
        root=root,
        document=f"{root}api/surveys/by-digest/{survey.digest}",
        is_preview=is_preview,
    )
    return RenderedPage.of(text, issuer=issuer_of(survey))


def issuer_of(survey: PublishedSurvey) -> str:
    """The address of the issuer; empty if nobody is invited."""
    return survey.invited.issuer if survey.invited else ""


def script_name(survey: PublishedSurvey) -> str:
    """The name of the script that the form of a survey needs."""
    return _SCRIPTS[survey.has_scores, bool(survey.window or survey.groups)]


def form_values(survey: PublishedSurvey) -> dict[str, object]:
    """What the form's template says of a survey, wherever the form is."""
    languages = offered_languages(survey)
    return {
        **_common_values(survey, languages),
        "pages": lay_out(survey, languages),
        "privacy": partial(privacy_words, survey),
        "contact_url": _contact_url,
        "is_short": _is_short,
        "yearly_cap": {"cap": YEARLY_CAP, "days": YEAR_DAYS},
    }


def render_closed(survey: PublishedSurvey) -> RenderedPage:
    """The page of a closed survey."""
    return render_article("message.html", ("kind", "closed_title"), survey, 410, kind="closed")


def render_too_large(survey: PublishedSurvey) -> RenderedPage:
    """The page of a survey whose form would be too large."""
    title = ("kind", "too_large_title")
    return render_article("message.html", title, survey, 501, kind="too_large")


def render_not_found() -> RenderedPage:
    """The page for an unknown survey."""
    return render_article("message.html", ("kind", "not_found_title"), None, 404, kind="not_found")


def render_article(
    template: str,
    title: tuple[str, str],
    survey: PublishedSurvey | None,
    status: int = OK,
    **values: object,
) -> RenderedPage:
    """The page of a template for its main part in one language.

    Args:
        template: the name of the template.
        title: the section and the key of the page's title in the catalog.
        survey: the survey, or None.
        status: of the response.
        values: other values for the template.
    """
    common = _common_values(survey, offered_languages(survey))
    text = render_template("article.html", **common, article=template, title=title, **values)
    return RenderedPage.of(text, status)


def _common_values(
    survey: PublishedSurvey | None, languages: tuple[PageLanguage, ...]
) -> Mapping[str, object]:
    """What the templates of all these pages say of a survey, or of none."""
    return {
        "survey": survey,
        "languages": languages,
        "language": languages[0].code,
        "direction": languages[0].direction,
    }


def _contact_url(contact: str) -> str:
    """The address of a link to a contact: a web page, an e-mail address or a phone number."""
    if contact.startswith("https://"):
        return contact
    return f"mailto:{contact}" if "@" in contact else f"tel:{_NO_DIGIT.sub('', contact)}"


def _is_short(text: str) -> bool:
    """Whether a text is short enough to be shown above Start; longer texts are below it."""
    return len(text) <= _MOST_CHARACTERS
