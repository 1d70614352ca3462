"""The form of a draft, as respondents will see it, that sends nothing."""

from flask import render_template

from deniable_sdk import PublishedSurvey
from deniable_web.pages.form import render_form


def render_preview(survey: PublishedSurvey) -> str:
    """The real form's page, with a script in front that takes its network away."""
    head = render_template(
        "build/preview_head.html",
        document=survey.document.decode(),
    )
    page = render_form(survey, is_preview=True).body.plain.decode()
    return page.replace("<head>", f"<head>{head}", 1)
