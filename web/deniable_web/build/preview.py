"""A preview of a draft's form, as respondents will see it; it sends nothing."""

from flask import render_template

from deniable_sdk import PublishedSurvey
from deniable_web.pages.form import render_form


def render_preview(survey: PublishedSurvey) -> str:
    """The real form's page, with a script before it that removes access to the network."""
    head = render_template(
        "build/preview_head.html",
        document=survey.document.decode(),
    )
    page = render_form(survey, is_preview=True).body.plain.decode()
    return page.replace("<head>", f"<head>{head}", 1)
