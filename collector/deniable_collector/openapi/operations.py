"""Each route: its users, its request, and all possible responses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from deniable_collector.openapi.schemas import DIGEST, SLUG, Schema, listed, named, refusal
from deniable_collector.problems import MEDIA_TYPE as PROBLEM_TYPE
from deniable_collector.problems import PROBLEMS, ProblemKind

JSON_TYPE: Final = "application/json"
NDJSON_TYPE: Final = "application/x-ndjson"

# The problems that any route may return, whatever the request.
_ALWAYS: Final = ("internal-error", "store-unavailable")
_LIMITED: Final = "too-many-requests"
_BODY: Final = ("malformed-request", "body-too-large", "unsupported-media-type")
_TOKEN: Final = ("token-refused", "token-not-configured")
_COUNTED: Final = (
    "unknown-survey",
    "unknown-block",
    "unknown-group",
    "survey-not-closed",
    "not-found",
)

_SLUG: Final[Schema] = {"name": "slug", "in": "path", "required": True, "schema": SLUG}
_DIGEST: Final[Schema] = {"name": "digest", "in": "path", "required": True, "schema": DIGEST}
_EDITION: Final[Schema] = {
    "name": "edition",
    "in": "query",
    "description": "The number of the edition; by default the newest.",
    "schema": {"type": "integer", "minimum": 1},
}
_BLOCKS: Final[Schema] = {
    "name": "blocks",
    "in": "query",
    "description": "Ids of blocks, separated by commas.",
    "schema": {"type": "string"},
}
_GROUP: Final[Schema] = {
    "name": "group",
    "in": "query",
    "description": "Only reports of this group, once a survey by invitation is closed.",
    "schema": {"type": "string"},
}
_STAY: Final[Schema] = {
    "Cache-Control": {"required": True, "schema": {"type": "string"}},
    "X-Content-Type-Options": {"required": True, "schema": {"const": "nosniff"}},
    "Referrer-Policy": {"required": True, "schema": {"const": "no-referrer"}},
}
_WAIT: Final[Schema] = {
    "Retry-After": {
        "required": True,
        "description": "Send the same bytes again after this many seconds.",
        "schema": {"type": "integer", "minimum": 1},
    }
}
_CHALLENGE: Final[Schema] = {"WWW-Authenticate": {"required": True, "schema": {"const": "Bearer"}}}
_HEADERS: Final[Mapping[int, Schema]] = {
    401: _CHALLENGE,
    425: _WAIT,
    429: _WAIT,
    503: _WAIT,
}


@dataclass(frozen=True, slots=True)
class Success:
    """One possible response to a request that succeeds."""

    description: str
    schema: Schema
    media_type: str = JSON_TYPE


@dataclass(frozen=True, slots=True)
class Operation:
    """One route and method.

    Args:
        path: the path, as OpenAPI writes it.
        method: the HTTP method in lower case.
        name: the name that programs use for it.
        summary: its purpose, in one sentence.
        successes: the responses to requests that succeed, by status.
        problems: the reasons for a refusal, besides those of any route.
        parameters: the parameters of path and query.
        body: the schemas of the request's body, by media type.
        security: which tokens open it, "" for a request without a token; empty if it is
            open to all.
    """

    path: str
    method: str
    name: str
    summary: str
    successes: Mapping[int, Success]
    problems: Sequence[str] = ()
    parameters: Sequence[Schema] = ()
    body: Mapping[str, Schema] = field(default_factory=dict)
    security: Sequence[str] = ()

    def to_document(self) -> Schema:
        """The operation in the form that the document has."""
        document: dict[str, object] = {
            "operationId": self.name,
            "summary": self.summary,
            "responses": self._responses(),
        }
        if self.parameters:
            document["parameters"] = list(self.parameters)
        if self.body:
            content = {kind: {"schema": schema} for kind, schema in self.body.items()}
            document["requestBody"] = {"required": True, "content": content}
        if self.security:
            document["security"] = [{name: []} if name else {} for name in self.security]
        return document

    def _responses(self) -> Schema:
        answers: dict[str, object] = {
            str(status): {
                "description": success.description,
                "headers": _STAY,
                "content": {success.media_type: {"schema": success.schema}},
            }
            for status, success in self.successes.items()
        }
        limited = (_LIMITED,) if self.path.startswith("/api/") else ()
        names = {*self.problems, *_ALWAYS, *limited}
        by_status = groupby((kind for kind in PROBLEMS.values() if kind.name in names), _status)
        for status, kinds in by_status:
            answers[str(status)] = _refused(status, [kind.name for kind in kinds])
        return answers


def _status(kind: ProblemKind) -> int:
    return kind.status


def _refused(status: int, names: Sequence[str]) -> Schema:
    return {
        "description": "; ".join(f"{PROBLEMS[name].title} ({name})" for name in names) + ".",
        "headers": {**_STAY, **_HEADERS.get(status, {})},
        "content": {PROBLEM_TYPE: {"schema": refusal(status, names)}},
    }


def _published(status: int, description: str) -> tuple[int, Success]:
    return status, Success(description, named("Publication"))


OPERATIONS: Final = (
    Operation(
        "/api/surveys/{slug}",
        "get",
        "readSurvey",
        "The published bytes of the newest edition under a slug.",
        {200: Success("The survey.", named("PublishedSurvey"))},
        ("unknown-survey", "not-found"),
        (_SLUG,),
    ),
    Operation(
        "/api/surveys/by-digest/{digest}",
        "get",
        "readEdition",
        "The published bytes with this digest; they may be cached without limit.",
        {200: Success("The survey.", named("PublishedSurvey"))},
        ("unknown-survey", "not-found"),
        (_DIGEST,),
    ),
    Operation(
        "/log",
        "get",
        "readLog",
        "The digests of all published surveys, and the head of their chain.",
        {200: Success("The log.", named("Log"))},
    ),
    Operation(
        "/api/reports",
        "post",
        "sendReports",
        "Store one report, an array of them, or one a line.",
        {
            200: Success(
                "The report was stored before, or the outcome of each report of several.",
                {"oneOf": [named("Receipt"), named("BatchReceipt")]},
            ),
            201: Success("The report is durable.", named("Receipt")),
        },
        (
            *_BODY,
            "not-json",
            "unknown-survey",
            "report-conflict",
            "survey-closed",
            "line-too-long",
            "too-many-reports",
            "invalid-report",
            "survey-not-open",
            "too-busy",
        ),
        body={
            JSON_TYPE: {"oneOf": [named("Report"), listed(named("Report"))]},
            NDJSON_TYPE: {
                "type": "string",
                "description": "A report a line; empty lines are skipped.",
            },
        },
    ),
    Operation(
        "/api/surveys",
        "post",
        "publishSurvey",
        "Publish a survey.",
        dict(
            [
                _published(200, "It was published before."),
                _published(201, "It is published."),
            ]
        ),
        (
            *_BODY,
            *_TOKEN,
            "survey-not-allowed",
            "survey-conflict",
            "invalid-survey",
            "unusable-keys",
        ),
        body={JSON_TYPE: named("PublishedSurvey")},
        security=("owner",),
    ),
    Operation(
        "/api/surveys/{slug}/close",
        "post",
        "closeSurvey",
        "Accept no more reports for the newest edition under a slug.",
        dict([_published(200, "It is closed.")]),
        (*_TOKEN, "unknown-survey", "not-found"),
        (_SLUG,),
        security=("owner",),
    ),
    Operation(
        "/api/surveys/{slug}/editions",
        "get",
        "listEditions",
        "Every edition under a slug, the newest last.",
        {200: Success("The editions.", named("Editions"))},
        (*_TOKEN, "unknown-survey", "not-found"),
        (_SLUG,),
        security=("analyst", "owner"),
    ),
    Operation(
        "/api/surveys/{slug}/results",
        "get",
        "readResults",
        "How often each randomized value was reported.",
        {200: Success("Counts of one moment.", named("Results"))},
        (*_TOKEN, *_COUNTED),
        (_SLUG, _EDITION, _BLOCKS, _GROUP),
        security=("analyst", "owner"),
    ),
    Operation(
        "/api/surveys/{slug}/tuples",
        "get",
        "readTuples",
        "How often randomized values were reported together.",
        {200: Success("Counts of one moment.", named("Tuples"))},
        (*_TOKEN, *_COUNTED, "too-many-tuples"),
        (_SLUG, _EDITION, {**_BLOCKS, "required": True}, _GROUP),
        security=("analyst", "owner"),
    ),
    Operation(
        "/healthz",
        "get",
        "checkHealth",
        "Whether the store answers.",
        {200: Success("It does.", named("Health"))},
    ),
    Operation(
        "/metrics",
        "get",
        "readMetrics",
        "Counts, for this machine itself or with a token for all surveys.",
        {200: Success("Counts of all workers.", {"type": "string"}, "text/plain")},
        ("token-refused",),
        security=("", "owner", "analyst"),
    ),
    Operation(
        "/api/openapi.json",
        "get",
        "readInterface",
        "This document.",
        {200: Success("The document.", {"type": "object", "required": ["openapi", "paths"]})},
    ),
)
