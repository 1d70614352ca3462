"""Each route: its users, its request, and all possible responses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Final

from deniable_collector.openapi.schemas import (
    DIGEST,
    EDITION,
    SLUG,
    Schema,
    listed,
    named,
    refusal,
)
from deniable_collector.problems import MEDIA_TYPE as PROBLEM_TYPE
from deniable_collector.problems import PROBLEMS

_JSON_TYPE: Final = "application/json"
_NDJSON_TYPE: Final = "application/x-ndjson"
_COUNTED: Final = ("results-not-released", "unknown-block", "unknown-group", "survey-not-closed")
_IN_PATH: Final[Mapping[str, Schema]] = {"slug": SLUG, "digest": DIGEST}
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
_HEADERS: Final[Mapping[int, Schema]] = {401: _CHALLENGE, 425: _WAIT, 429: _WAIT, 503: _WAIT}


@dataclass(frozen=True, slots=True)
class _Success:
    """One possible response to a request that succeeds."""

    description: str
    schema: Schema
    media_type: str = _JSON_TYPE


@dataclass(frozen=True, slots=True)
class _Operation:
    """One route and method, and the name that programs use for it.

    `route` has the HTTP method, and the path as OpenAPI writes it. `problems` are reasons for
    a refusal besides those that follow from the rest. `security` are the tokens that open it,
    "" for a request without a token; none if it is open to all.
    """

    route: str
    name: str
    summary: str
    successes: Mapping[int, _Success]
    problems: Sequence[str] = ()
    query: Sequence[Schema] = ()
    body: Mapping[str, Schema] = field(default_factory=dict)
    security: Sequence[str] = ()

    @property
    def path(self) -> str:
        """The path, as OpenAPI writes it."""
        return self.route.partition(" ")[2]

    @property
    def method(self) -> str:
        """The HTTP method in lower case."""
        return self.route.partition(" ")[0].lower()

    def to_document(self) -> Schema:
        """The operation in the form that the document has."""
        document: dict[str, object] = {
            "operationId": self.name,
            "summary": self.summary,
            "responses": self._responses(),
        }
        if parameters := [*self._parameters_of_path(), *self.query]:
            document["parameters"] = parameters
        if self.body:
            content = {kind: {"schema": schema} for kind, schema in self.body.items()}
            document["requestBody"] = {"required": True, "content": content}
        if self.security:
            document["security"] = [{name: []} if name else {} for name in self.security]
        return document

    def _parameters_of_path(self) -> list[Schema]:
        return [
            {"name": name, "in": "path", "required": True, "schema": schema}
            for name, schema in _IN_PATH.items()
            if f"{{{name}}}" in self.path
        ]

    def _all_problems(self) -> set[str]:
        """The reasons for a refusal, with those that any route of this kind has."""
        found = {*self.problems, "internal-error", "store-unavailable"}
        if self.path.startswith("/api/"):
            found.add("too-many-requests")
        if self._parameters_of_path():
            found |= {"unknown-survey", "not-found"}
        if self.body:
            found |= {"malformed-request", "body-too-large", "unsupported-media-type"}
        if self.security and "" not in self.security:
            found |= {"token-refused", "token-not-configured"}
        return found

    def _responses(self) -> Schema:
        answers: dict[str, object] = {
            str(status): {
                "description": success.description,
                "headers": _STAY,
                "content": {success.media_type: {"schema": success.schema}},
            }
            for status, success in self.successes.items()
        }
        possible = self._all_problems()
        kinds = [kind for kind in PROBLEMS.values() if kind.name in possible]
        for status, found in groupby(kinds, attrgetter("status")):
            same = list(found)
            answers[str(status)] = {
                "description": "; ".join(f"{kind.title} ({kind.name})" for kind in same) + ".",
                "headers": {**_STAY, **_HEADERS.get(status, {})},
                "content": {PROBLEM_TYPE: {"schema": refusal(same)}},
            }
        return answers


def _query(name: str, description: str, schema: Schema) -> Schema:
    return {"name": name, "in": "query", "description": description, "schema": schema}


_TEXT: Final[Schema] = {"type": "string"}
_EDITION: Final = _query("edition", "The number of the edition; by default the newest.", EDITION)
_BLOCKS: Final = _query("blocks", "Ids of blocks, separated by commas.", _TEXT)
_GROUP: Final = _query(
    "group", "Only reports of this group, or of none if empty, once the survey is closed.", _TEXT
)


def _published(description: str) -> _Success:
    return _Success(description, named("Publication"))


OPERATIONS: Final = (
    _Operation(
        "GET /api/surveys/{slug}",
        "readSurvey",
        "The published bytes of the newest edition under a slug.",
        {200: _Success("The survey.", named("PublishedSurvey"))},
    ),
    _Operation(
        "GET /api/surveys/by-digest/{digest}",
        "readEdition",
        "The published bytes with this digest; they may be cached without limit.",
        {200: _Success("The survey.", named("PublishedSurvey"))},
    ),
    _Operation(
        "GET /api/surveys/by-digest/{digest}/fieldwork",
        "readFieldwork",
        "Whether the survey with this digest accepts reports, and the ends that apply now.",
        {200: _Success("The state of its fieldwork.", named("Fieldwork"))},
    ),
    _Operation(
        "GET /log",
        "readLog",
        "The digests of all published surveys, and the head of their chain.",
        {200: _Success("The log.", named("Log"))},
    ),
    _Operation(
        "POST /api/reports",
        "sendReports",
        "Store one report, an array of them, or one a line.",
        {
            200: _Success(
                "The report was stored before, or the outcome of each report of several.",
                {"oneOf": [named("Receipt"), named("BatchReceipt")]},
            ),
            201: _Success("The report is durable.", named("Receipt")),
        },
        (
            "not-json",
            "unknown-survey",
            "report-conflict",
            "survey-closed",
            "line-too-long",
            "too-many-reports",
            "other-site",
            "invalid-report",
            "too-many-refused",
            "survey-not-open",
            "too-busy",
        ),
        body={
            _JSON_TYPE: {"oneOf": [named("Report"), listed(named("Report"))]},
            _NDJSON_TYPE: {
                "type": "string",
                "description": "A report a line; empty lines are skipped.",
            },
        },
    ),
    _Operation(
        "POST /api/surveys",
        "publishSurvey",
        "Publish a survey.",
        {200: _published("It was published before."), 201: _published("It is published.")},
        (
            "survey-not-allowed",
            "survey-conflict",
            "survey-closed",
            "invalid-survey",
            "unusable-keys",
        ),
        body={_JSON_TYPE: named("PublishedSurvey")},
        security=("owner",),
    ),
    _Operation(
        "POST /api/surveys/{slug}/close",
        "closeSurvey",
        "Accept no more reports for the newest edition under a slug.",
        {200: _published("It is closed.")},
        security=("owner",),
    ),
    _Operation(
        "POST /api/surveys/{slug}/extend",
        "extendSurvey",
        "Move the published end of the newest edition under a slug.",
        {200: _published("It is extended.")},
        ("not-json", "extension-refused"),
        body={_JSON_TYPE: named("Extension")},
        security=("owner",),
    ),
    _Operation(
        "GET /api/surveys/{slug}/editions",
        "listEditions",
        "Every edition under a slug, the newest last.",
        {200: _Success("The editions.", named("Editions"))},
        security=("analyst", "owner"),
    ),
    _Operation(
        "GET /api/surveys/{slug}/results",
        "readResults",
        "How often each randomized value was reported.",
        {200: _Success("Counts of one moment.", named("Results"))},
        _COUNTED,
        (_EDITION, _BLOCKS, _GROUP),
        security=("analyst", "owner"),
    ),
    _Operation(
        "GET /api/surveys/{slug}/tuples",
        "readTuples",
        "How often randomized values were reported together.",
        {200: _Success("Counts of one moment.", named("Tuples"))},
        (*_COUNTED, "too-many-tuples"),
        (_EDITION, {**_BLOCKS, "required": True}, _GROUP),
        security=("analyst", "owner"),
    ),
    _Operation(
        "GET /healthz",
        "checkHealth",
        "Whether the store answers.",
        {200: _Success("It does.", named("Health"))},
    ),
    _Operation(
        "GET /metrics",
        "readMetrics",
        "Counts, for this machine itself or with a token for all surveys.",
        {200: _Success("Counts of all workers.", {"type": "string"}, "text/plain")},
        ("token-refused",),
        security=("", "owner", "analyst"),
    ),
    _Operation(
        "GET /api/openapi.json",
        "readInterface",
        "This document.",
        {200: _Success("The document.", {"type": "object", "required": ["openapi", "paths"]})},
    ),
)
