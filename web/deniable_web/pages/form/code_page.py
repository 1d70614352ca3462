"""The public page of a form's code: the form in one file, and how to check it."""

from dataclasses import dataclass, replace
from http import HTTPStatus

from flask import Response

from deniable_collector.compressed import Compressed
from deniable_sdk import PublishedSurvey
from deniable_web.pages import policy
from deniable_web.pages.form.one_file import OneFileForm, own_version
from deniable_web.pages.form.rendering import RenderedPage, render_article


@dataclass(frozen=True, slots=True)
class FormCode:
    """The page of a form's code and the form in one file, ready to be sent.

    Args:
        page: the page.
        file: the form in one file; None if the operator has not set the public address.
        body: the bytes of the file; None without a file.
    """

    page: RenderedPage
    file: OneFileForm | None
    body: Compressed | None

    @classmethod
    def of(cls, survey: PublishedSurvey, address: str) -> "FormCode":
        """The code of a survey's form.

        Args:
            survey: the survey.
            address: the public address of the collector; empty if it is not set.
        """
        file = OneFileForm.of(survey, address) if address else None
        body = Compressed.of("text/html", file.body) if file else None
        page = render_article(
            "code.html", ("code", "title"), survey, file=file, version=own_version()
        )
        return cls(page, file, body)

    def respond_file(self, frame_ancestors: str) -> Response:
        """The response with the file, which browsers save and do not show."""
        if self.file is None or self.body is None:
            return replace(self.page, status=HTTPStatus.NOT_FOUND).respond(frame_ancestors)
        response = self.body.respond()
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Content-Disposition"] = f'attachment; filename="{self.file.name}"'
        policy.protect(response)
        return response
