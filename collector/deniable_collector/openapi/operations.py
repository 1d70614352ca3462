"""Each route: its users, its request, and all possible responses."""

from typing import Final

from deniable_collector.openapi.operation import JSON_TYPE, Operation, Success
from deniable_collector.openapi.schemas import EDITION, Schema, listed, named

NDJSON_TYPE: Final = "application/x-ndjson"

_COUNTED: Final = ("unknown-block", "unknown-group", "survey-not-closed")


def _query(name: str, description: str, schema: Schema) -> Schema:
    return {"name": name, "in": "query", "description": description, "schema": schema}


_TEXT: Final[Schema] = {"type": "string"}
_EDITION: Final = _query("edition", "The number of the edition; by default the newest.", EDITION)
_BLOCKS: Final = _query("blocks", "Ids of blocks, separated by commas.", _TEXT)
_GROUP: Final = _query(
    "group", "Only reports of this group, once a survey by invitation is closed.", _TEXT
)


def _published(description: str) -> Success:
    return Success(description, named("Publication"))


OPERATIONS: Final = (
    Operation(
        "GET /api/surveys/{slug}",
        "readSurvey",
        "The published bytes of the newest edition under a slug.",
        {200: Success("The survey.", named("PublishedSurvey"))},
    ),
    Operation(
        "GET /api/surveys/by-digest/{digest}",
        "readEdition",
        "The published bytes with this digest; they may be cached without limit.",
        {200: Success("The survey.", named("PublishedSurvey"))},
    ),
    Operation(
        "GET /api/surveys/by-digest/{digest}/fieldwork",
        "readFieldwork",
        "Whether the survey with this digest accepts reports, and the ends that apply now.",
        {200: Success("The state of its fieldwork.", named("Fieldwork"))},
    ),
    Operation(
        "GET /log",
        "readLog",
        "The digests of all published surveys, and the head of their chain.",
        {200: Success("The log.", named("Log"))},
    ),
    Operation(
        "POST /api/reports",
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
            "not-json",
            "unknown-survey",
            "report-conflict",
            "survey-closed",
            "line-too-long",
            "too-many-reports",
            "other-site",
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
        "POST /api/surveys",
        "publishSurvey",
        "Publish a survey.",
        {200: _published("It was published before."), 201: _published("It is published.")},
        ("survey-not-allowed", "survey-conflict", "invalid-survey", "unusable-keys"),
        body={JSON_TYPE: named("PublishedSurvey")},
        security=("owner",),
    ),
    Operation(
        "POST /api/surveys/{slug}/close",
        "closeSurvey",
        "Accept no more reports for the newest edition under a slug.",
        {200: _published("It is closed.")},
        security=("owner",),
    ),
    Operation(
        "POST /api/surveys/{slug}/extend",
        "extendSurvey",
        "Move the published end of the newest edition under a slug.",
        {200: _published("It is extended.")},
        ("not-json", "extension-refused"),
        body={JSON_TYPE: named("Extension")},
        security=("owner",),
    ),
    Operation(
        "GET /api/surveys/{slug}/editions",
        "listEditions",
        "Every edition under a slug, the newest last.",
        {200: Success("The editions.", named("Editions"))},
        security=("analyst", "owner"),
    ),
    Operation(
        "GET /api/surveys/{slug}/results",
        "readResults",
        "How often each randomized value was reported.",
        {200: Success("Counts of one moment.", named("Results"))},
        _COUNTED,
        (_EDITION, _BLOCKS, _GROUP),
        security=("analyst", "owner"),
    ),
    Operation(
        "GET /api/surveys/{slug}/tuples",
        "readTuples",
        "How often randomized values were reported together.",
        {200: Success("Counts of one moment.", named("Tuples"))},
        (*_COUNTED, "too-many-tuples"),
        (_EDITION, {**_BLOCKS, "required": True}, _GROUP),
        security=("analyst", "owner"),
    ),
    Operation(
        "GET /healthz",
        "checkHealth",
        "Whether the store answers.",
        {200: Success("It does.", named("Health"))},
    ),
    Operation(
        "GET /metrics",
        "readMetrics",
        "Counts, for this machine itself or with a token for all surveys.",
        {200: Success("Counts of all workers.", {"type": "string"}, "text/plain")},
        ("token-refused",),
        security=("", "owner", "analyst"),
    ),
    Operation(
        "GET /api/openapi.json",
        "readInterface",
        "This document.",
        {200: Success("The document.", {"type": "object", "required": ["openapi", "paths"]})},
    ),
)
