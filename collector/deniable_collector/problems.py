"""All reasons for refusing a request, as one table and in one format (RFC 9457).

docs/HTTP.md explains each of them; a test checks that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from http import HTTPStatus

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:deniable:problem:"
# Thousands of reports in one body may be refused for one reason, so each reason is kept once.
_MOST_KEPT = 256


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a request, or one report of a batch, was refused; in the table without its detail.

    `detail` states what was received, what is allowed and what to do; it never contains a
    reported value. `wait_s` is how long to wait before the same bytes are sent again, in
    seconds; None if the status alone decides.
    """

    name: str
    status: int
    title: str
    detail: str = ""
    wait_s: int | None = None

    def to_document(self) -> dict[str, str | int]:
        """The members that every refusal has, and no others."""
        return {
            "type": TYPE_PREFIX + self.name,
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
        }


_ROWS = (
    ("malformed-request", 400, "The request is not well-formed HTTP"),
    ("two-sessions", 400, "The browser sent two sessions"),
    ("not-json", 400, "The body is not readable JSON"),
    ("token-refused", 401, "The token is missing or is not the right one"),
    ("token-not-configured", 403, "This collector has no token for this"),
    ("other-page", 403, "Only pages of this site may ask for this"),
    ("survey-not-allowed", 403, "This token is not for a survey of this name"),
    ("results-not-released", 403, "The results are not shown yet"),
    ("not-found", 404, "There is nothing here"),
    ("unknown-survey", 404, "This collector does not have that survey"),
    ("unknown-block", 404, "The survey does not have that block"),
    ("unknown-group", 404, "The survey does not have that group"),
    ("unknown-draft", 404, "There is no such draft"),
    ("unknown-colleague", 404, "There is no such colleague"),
    ("method-not-allowed", 405, "The method is not allowed here"),
    ("report-conflict", 409, "Another report has this id"),
    ("survey-conflict", 409, "Another survey is open under this slug"),
    ("draft-changed", 409, "Somebody else changed the draft"),
    ("too-many-drafts", 409, "There are too many drafts"),
    ("name-taken", 409, "Somebody else has this name"),
    ("rights-fixed", 409, "These rights are not changed here"),
    ("survey-not-closed", 409, "The survey is not closed yet"),
    ("link-over", 410, "The link was used or is too old"),
    ("survey-closed", 410, "The survey is closed"),
    ("body-too-large", 413, "The body is too large"),
    ("line-too-long", 413, "A line is too long"),
    ("too-many-reports", 413, "The batch has too many reports"),
    ("too-many-tuples", 413, "Too many different combinations were reported"),
    ("unsupported-media-type", 415, "The body has a media type that is not allowed"),
    ("other-site", 421, "The report belongs to another site"),
    ("invalid-report", 422, "This is not a legal report of its survey"),
    ("too-many-refused", 422, "Too many reports were refused"),
    ("invalid-survey", 422, "This is not a legal published survey"),
    ("invalid-definition", 422, "This definition of a survey cannot be used"),
    ("invalid-colleague", 422, "This is not what a colleague may have"),
    ("unusable-keys", 422, "A group of invited people needs another key"),
    ("extension-refused", 422, "The end of the survey cannot be moved like this"),
    ("survey-not-open", 425, "The survey is not open yet"),
    ("too-busy", 429, "The collector has too much to do"),
    ("too-many-requests", 429, "Too many requests came from one network"),
    ("internal-error", 500, "The collector failed"),
    ("results-too-large", 501, "The results of this survey take too long here"),
    ("pdf-not-made", 501, "This server cannot make a PDF"),
    ("stopping", 503, "The collector is being stopped"),
    ("store-unavailable", 503, "The store cannot be used now"),
)

PROBLEMS: Mapping[str, Problem] = {row[0]: Problem(*row) for row in _ROWS}

_SEE_DOCS = "docs/HTTP.md says what is allowed here."
_OF_STATUS = {
    400: (
        "malformed-request",
        "The body was cut off, or did not arrive in time; send the same bytes again.",
    ),
    404: ("not-found", "No route has this path; docs/HTTP.md lists all of them."),
    405: (
        "method-not-allowed",
        "The path exists, and allows only the methods in the Allow header.",
    ),
    413: (
        "body-too-large",
        "The body has more bytes than this collector allows; send fewer reports at a time.",
    ),
    415: ("unsupported-media-type", _SEE_DOCS),
    429: (
        "too-busy",
        "The body came slowly while others waited; send the same bytes again later.",
    ),
    500: ("internal-error", "The request may be valid; send the same bytes again later."),
}


@lru_cache(maxsize=_MOST_KEPT)
def problem(name: str, detail: str, wait_s: int | None = None) -> Problem:
    """The problem with this name in the table."""
    return replace(PROBLEMS[name], detail=detail, wait_s=wait_s)


def problem_of_status(status: int) -> Problem:
    """The problem for a refusal if only its HTTP status is known.

    A status that is not in the table is kept, with the name of a general problem: a bad
    request below 500, an internal error from 500 on.
    """
    if status in _OF_STATUS:
        return problem(*_OF_STATUS[status])
    kind = PROBLEMS["malformed-request" if status < 500 else "internal-error"]
    title = HTTPStatus(status).phrase if status in set(HTTPStatus) else kind.title
    return Problem(kind.name, status, title, _SEE_DOCS)
