"""All reasons for which the issuer refuses a request, in the collector's format.

docs/ISSUER.md explains each of them; a test checks that.
"""

from collections.abc import Mapping
from dataclasses import replace

from deniable_collector.problems import Problem

_ROWS = (
    ("malformed-request", 400, "The request is not well-formed HTTP"),
    ("not-json", 400, "The body is not readable JSON"),
    ("not-found", 404, "There is nothing here"),
    ("unknown-code", 404, "This issuer does not have that code"),
    ("unknown-survey", 404, "This issuer does not have that survey"),
    ("method-not-allowed", 405, "The method is not allowed here"),
    ("code-used", 409, "The code was used for another token"),
    ("collecting-over", 410, "Tokens are no longer signed"),
    ("body-too-large", 413, "The body is too large"),
    ("unsupported-media-type", 415, "The body has a media type that is not allowed"),
    ("invalid-request", 422, "This is not a request that a device makes"),
    ("too-many-requests", 429, "Too many requests came from one network"),
    ("internal-error", 500, "The issuer failed"),
    ("store-unavailable", 503, "The store cannot be used now"),
)

ISSUER_PROBLEMS: Mapping[str, Problem] = {row[0]: Problem(*row) for row in _ROWS}

_OF_STATUS = {
    400: ("malformed-request", "The body was cut off, or did not arrive in time; send it again."),
    404: ("not-found", "No route has this path; docs/ISSUER.md lists all of them."),
    405: ("method-not-allowed", "Allowed are only the methods in the Allow header."),
    413: ("body-too-large", "Allowed are 4,096 bytes, more than any device needs."),
    415: ("unsupported-media-type", "The body has to come as application/json."),
    500: ("internal-error", "The request may be valid; send the same bytes again later."),
}


def issuer_problem(name: str, detail: str, wait_s: int | None = None) -> Problem:
    """The problem with this name in the table."""
    return replace(ISSUER_PROBLEMS[name], detail=detail, wait_s=wait_s)


def issuer_problem_of(status: int) -> Problem:
    """The problem for a refusal if only its HTTP status is known."""
    general = 400 if status < 500 else 500
    return issuer_problem(*_OF_STATUS.get(status, _OF_STATUS[general]))


def invalid_request(members: str) -> Problem:
    """The problem with a body that has other members than a route reads."""
    return issuer_problem(
        "invalid-request",
        f"The body has other members than {members}, or one of them is not a text of the form in "
        "docs/ISSUER.md; send what the SDK makes.",
    )


def collecting_over(until: str) -> Problem:
    """The problem with a first request after the end of collecting."""
    return issuer_problem(
        "collecting-over",
        f"Tokens could be collected until {until}; whoever has one can still answer while the "
        "survey is open.",
    )


NOT_JSON = issuer_problem("not-json", "The body is not a JSON object; send one, in UTF-8.")
UNKNOWN_CODE = issuer_problem(
    "unknown-code",
    "No such code was made for this survey, or a reminder has replaced it; use the code of "
    "the newest letter, or ask whoever invited you.",
)
UNKNOWN_SURVEY = issuer_problem(
    "unknown-survey", "No codes were made here for a survey of this digest; check it."
)
CODE_USED = issuer_problem(
    "code-used",
    "A code is good for one token, and the token of this code was collected with another "
    "message, from this device or another one; a token that was lost is not replaced.",
)
