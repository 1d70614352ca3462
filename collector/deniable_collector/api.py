"""The routes of devices and owners; docs/HTTP.md is their contract."""

import json
import sys
from functools import lru_cache, partial

from flask import Blueprint, Flask, Response, after_this_request, request

from deniable_collector.access import collaborators, described, require_survey, state_of
from deniable_collector.clock import past_ends
from deniable_collector.errors import Refused
from deniable_collector.intake import BatchReceipt, ReportReceipt, take_json, take_lines
from deniable_collector.intake.receipts import unreadable
from deniable_collector.intake.refusals import Refusals, never_crowded
from deniable_collector.limits import charge_sender
from deniable_collector.metrics import Metrics
from deniable_collector.permissions import (
    Scope,
    open_to,
    open_to_everybody,
    require_survey_of_token,
)
from deniable_collector.responses import (
    Compressed,
    allow_any_origin,
    json_response,
    problem_response,
    read_body,
)
from deniable_collector.signing import SigningKey
from deniable_collector.store import Registry
from deniable_collector.store.base import PublishOutcome, StoredSurvey, read_extension
from deniable_collector.tokens import Role
from deniable_sdk import InvalidSurvey, PublishedSurvey
from deniable_sdk.canonical import NotCanonical, parse
from deniable_sdk.log import FORMAT as LOG_FORMAT
from deniable_sdk.log import PATH as LOG_PATH
from deniable_sdk.log import head_of
from deniable_sdk.survey.window import Window
from deniable_sdk.survey.writing import moment_text
from deniable_sdk.tokens import base64url

API = Blueprint("collector", __name__)

REPORTS = "/api/reports"
# Whether other requests wait for a thread, in the environment of a request.
IS_CROWDED = "deniable_collector.is_crowded"
# How many refused reports of one body count as a request.
REFUSED_OF_A_REQUEST = 100
JSON_TYPE = "application/json"
NDJSON_TYPE = "application/x-ndjson"

_REPORT_TYPES = (
    f"Reports come as {JSON_TYPE} (one report, or an array of them) or as "
    f"{NDJSON_TYPE} (one a line); say which in Content-Type."
)
_SURVEYS_AT_HAND = 32
_FOR_EVER = "public, max-age=31536000, immutable"
# The routes that a respondent's device needs, whatever page the form is embedded in.
_PUBLIC = {
    "collector.read_survey",
    "collector.read_edition",
    "collector.read_fieldwork",
    "collector.read_log",
    "collector.take",
}


@API.get("/api/surveys/<slug>")
@open_to_everybody
def read_survey(slug: str) -> Response:
    """The published bytes of the newest survey under a slug."""
    return _document(require_survey(_registry().find_survey(slug)))


@API.get("/api/surveys/by-digest/<digest>")
@open_to_everybody
def read_edition(digest: str) -> Response:
    """The published bytes of the survey with a digest."""
    response = _document(require_survey(_registry().find_edition(digest)))
    response.headers["Cache-Control"] = _FOR_EVER
    return response


@API.get("/api/surveys/by-digest/<digest>/fieldwork")
@open_to_everybody
def read_fieldwork(digest: str) -> Response:
    """Whether the survey with a digest accepts reports, the ends that apply now, and the site."""
    stored = require_survey(_registry().find_edition(digest))
    state, fieldwork = state_of(stored)
    window = stored.window or Window()
    return json_response(
        {
            "state": state,
            # A device whose clock is wrong reads here what time it is.
            "now": collaborators().commits.clock().strftime("%Y-%m-%dT%H:%M:%SZ"),
            "closes": moment_text(window.closes) if window.closes else None,
            "at_most_reports": window.at_most_reports,
            "is_extended": fieldwork.is_extended,
            "site": collaborators().settings.site or None,
        }
    )


@API.get(LOG_PATH)
@open_to_everybody
def read_log() -> Response:
    """The digests of all published surveys, in the order of publishing, and their head."""
    using = collaborators()
    return _log(using.registry.read_log(), using.settings.log_key).respond()


@API.post("/api/surveys")
@open_to(Role.OWNER, scope=Scope.BODY)
def publish() -> Response:
    """Publish the survey in the body."""
    try:
        survey = PublishedSurvey.from_bytes(_body(JSON_TYPE))
    except InvalidSurvey as error:
        raise Refused.because(
            "invalid-survey", f"Not published: {error}. Send what `deniable` compiled."
        ) from None
    require_survey_of_token(survey.slug)
    ended = past_ends(survey, collaborators().commits.clock())
    if ended and _registry().find_edition(survey.digest) is None:
        raise Refused.because("survey-closed", f"Not published: {ended[0]}.")
    publication = _registry().publish(survey)
    if publication.outcome is PublishOutcome.CONFLICT:
        raise Refused.because(
            "survey-conflict",
            f"Edition {publication.stored.edition} of {survey.slug} is open and has a "
            "different document; close it first, or publish under another slug.",
        )
    status = 201 if publication.outcome is PublishOutcome.PUBLISHED else 200
    return _describe(publication.stored, status)


@API.post("/api/surveys/<slug>/close")
@open_to(Role.OWNER)
def close(slug: str) -> Response:
    """Close the newest survey under a slug."""
    return _describe(
        require_survey(_registry().close_survey(slug, collaborators().commits.clock()))
    )


@API.post("/api/surveys/<slug>/extend")
@open_to(Role.OWNER)
def extend(slug: str) -> Response:
    """Move the published end of the newest survey under a slug."""
    try:
        asked = read_extension(parse(_body(JSON_TYPE)))
    except NotCanonical as error:
        raise Refused(unreadable(error)) from None
    now = collaborators().commits.clock()
    return _describe(
        require_survey(
            _registry().extend(
                slug, now, closes=asked.closes, at_most_reports=asked.at_most_reports
            )
        )
    )


@API.post(REPORTS)
@open_to_everybody
def take() -> Response:
    """Store one report, an array of reports, or any number of lines."""
    using = collaborators()
    settings = using.settings
    is_crowded = request.environ.get(IS_CROWDED, never_crowded)
    refusals = Refusals(is_crowded, using.metrics.refused)
    after_this_request(partial(_charge, refusals))
    _require_plain()
    if request.mimetype == NDJSON_TYPE:
        # Lines are stored as they arrive, so a body of lines may have any length.
        request.max_content_length = sys.maxsize
        taken = take_lines(
            request.stream,
            using.readers,
            using.commits,
            most_receipts=settings.max_batch_reports,
            longest=settings.max_body_bytes,
            refusals=refusals,
        )
        return _told(taken)
    if request.mimetype != JSON_TYPE:
        raise Refused.because("unsupported-media-type", _REPORT_TYPES)
    most = settings.max_batch_reports
    receipts = take_json(request.stream, using.readers, using.commits, most, refusals)
    if isinstance(receipts, ReportReceipt):
        return acknowledge(receipts)
    return _told(BatchReceipt.of(receipts))


@API.after_request
def allow_embedding(response: Response) -> Response:
    """Let pages of any origin read the routes that respondents' devices need."""
    return allow_any_origin(response) if request.endpoint in _PUBLIC else response


def count_answers(app: Flask, metrics: Metrics) -> None:
    """Let an application count its responses by route and status."""

    @app.after_request
    def count(response: Response) -> Response:
        rule = request.url_rule
        metrics.answered(rule.rule if rule else None, response.status_code)
        return response


def acknowledge(receipt: ReportReceipt) -> Response:
    """The response to the sender of one report."""
    if receipt.problem:
        return problem_response(receipt.problem)
    return json_response(receipt.to_document(), receipt.status)


def _told(taken: BatchReceipt) -> Response:
    return Response(taken.to_json(), content_type=JSON_TYPE)


def _charge(refusals: Refusals, response: Response) -> Response:
    """Count the refused reports of a body as requests of its sender."""
    charge_sender(refusals.count // REFUSED_OF_A_REQUEST)
    return response


def _registry() -> Registry:
    return collaborators().registry


def _document(stored: StoredSurvey) -> Response:
    """The published bytes, as they were published."""
    return _compressed(stored.survey.document).respond()


@lru_cache(maxsize=_SURVEYS_AT_HAND)
def _compressed(document: bytes) -> Compressed:
    return Compressed(JSON_TYPE, document)


@lru_cache(maxsize=1)
def _log(entries: tuple[str, ...], key: SigningKey | None) -> Compressed:
    """The log, whose head is signed once."""
    head = head_of(entries)
    document = {
        "log": LOG_FORMAT,
        "size": head.size,
        "head": head.digest,
        "entries": entries,
        "signature": base64url(key.sign_text(head.to_bytes())) if key else None,
    }
    return Compressed(JSON_TYPE, json.dumps(document, separators=(",", ":")).encode())


def _describe(stored: StoredSurvey, status: int = 200) -> Response:
    return json_response({"status": status, **described(stored)}, status)


def _body(media_type: str) -> bytes:
    _require_plain()
    if request.mimetype != media_type:
        detail = f"The body has to come as {media_type}; say so in Content-Type."
        raise Refused.because("unsupported-media-type", detail)
    return read_body(collaborators().settings.max_body_bytes)


def _require_plain() -> None:
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        detail = "The body is compressed; only plain bodies are allowed; send it uncompressed."
        raise Refused.because("unsupported-media-type", detail)
