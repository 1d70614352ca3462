"""The form of a draft, as respondents will see it, that sends nothing."""

from flask import render_template

from deniable_sdk import PublishedSurvey
from deniable_web.manage.frame import wanted_language
from deniable_web.pages.form import render_form
from deniable_web.pages.languages import catalog


def render_preview(survey: PublishedSurvey) -> str:
    """The real form's page with a script in front that answers in the server's place.

    The form itself knows nothing of it, so that what is tried is what is used.
    """
    head = render_template(
        "build/preview_head.html",
        texts=catalog("build", wanted_language())["preview"],
        document=survey.document.decode(),
        digest=survey.digest,
    )
    page = render_form(survey, is_preview=True).plain.decode()
    return page.replace("<head>", f"<head>{head}", 1)
