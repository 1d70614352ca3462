"""Each route: its users, its request, and all possible responses."""

from typing import Final

from deniable_collector.openapi.operation import JSON_TYPE, Operation, Success
from deniable_collector.openapi.schemas import DIGEST, SLUG, Schema, listed, named

NDJSON_TYPE: Final = "application/x-ndjson"

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
        "/api/surveys/by-digest/{digest}/fieldwork",
        "get",
        "readFieldwork",
        "Whether the survey with this digest accepts reports, and the ends that apply now.",
        {200: Success("The state of its fieldwork.", named("Fieldwork"))},
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
        "/api/surveys/{slug}/extend",
        "post",
        "extendSurvey",
        "Move the published end of the newest edition under a slug.",
        dict([_published(200, "It is extended.")]),
        (*_BODY, *_TOKEN, "not-json", "unknown-survey", "not-found", "extension-refused"),
        (_SLUG,),
        body={JSON_TYPE: named("Extension")},
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
