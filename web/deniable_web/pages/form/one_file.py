"""The form of a survey in one file, for any web server, a USB stick or a computer offline.

The same survey, version and address of the collector always make the same bytes. Scripts and
styles are as in the repository, with their comments: so people can read them. A public page
has the file, and how to check it.
"""

import hashlib
import re
from base64 import b64encode
from dataclasses import dataclass, replace
from http import HTTPStatus
from importlib.metadata import version
from typing import Final

from flask import Response
from markupsafe import Markup

from deniable_collector.responses import Compressed
from deniable_sdk import PublishedSurvey
from deniable_sdk.addresses import read_address
from deniable_web.packaged_files import page_templates
from deniable_web.pages import policy
from deniable_web.pages.bundles import bundle
from deniable_web.pages.form.rendering import (
    RenderedPage,
    form_values,
    issuer_of,
    render_article,
    script_name,
)
from deniable_web.pages.policy import one_file_policy
from deniable_web.pages.static_files import source

# The module that differs, and the one that has its place here.
_SERVED: Final = "form/served.js"
_IN_ONE_FILE: Final = "form/one_file.js"
# What ends a script or a style in a page, or hides its end.
_END: Final = re.compile(r"</(?:script|style)|<!--", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OneFileForm:
    """A form in one file.

    Args:
        survey: the published survey.
        collector: the address to which reports are sent, in its normal form.
        body: the bytes of the file.
    """

    survey: PublishedSurvey
    collector: str
    body: bytes

    @classmethod
    def of(cls, survey: PublishedSurvey, collector: str) -> "OneFileForm":
        """The form of a survey.

        Raises:
            InvalidAddress: the collector's address is not an http or https address.
        """
        address = read_address(collector)
        return cls(survey, address, _render(survey, address).strip().encode())

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self.survey.slug}.html"

    @property
    def sha256(self) -> str:
        """The SHA-256 of the file, as 64 hexadecimal digits."""
        return hashlib.sha256(self.body).hexdigest()


def own_version() -> str:
    """The version of deniable that makes the file."""
    return version("deniable")


def _render(survey: PublishedSurvey, collector: str) -> str:
    script = _inline(bundle(script_name(survey), _text_of))
    style = _inline(source("base.css") + source("form/form.css"))
    servers = filter(None, (collector, issuer_of(survey)))
    return _TEMPLATES.get_template("form_one_file.html").render(
        **form_values(survey),
        policy=one_file_policy(script, style, servers),
        version=own_version(),
        icon=b64encode(source("icon.svg").encode()).decode(),
        style=style,
        script=script,
        document=survey.document.decode(),
        collector=collector,
        root=f"{collector}/",
    )


def _text_of(module: str) -> str:
    return source(_IN_ONE_FILE if module == _SERVED else module)


def _inline(text: str) -> Markup:
    """A script or a style of ours, to be put into a page as it is.

    Raises:
        ValueError: the page would read it in another way.
    """
    found = _END.search(text)
    if found:
        raise ValueError(
            f"got {found.group()!r} in a script or a style; write it with a backslash"
        )
    return Markup(text)  # noqa: S704 - it is checked above, and has nothing of a survey


_TEMPLATES: Final = page_templates()


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
        body = Compressed("text/html", file.body) if file else None
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
