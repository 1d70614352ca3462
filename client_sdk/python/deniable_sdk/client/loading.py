"""Getting a survey from a collector, and checking what was asked for."""

from __future__ import annotations

from deniable_sdk.client.options import Options
from deniable_sdk.client.transport import TookTooLong, in_background
from deniable_sdk.errors import InvalidSurvey, quote
from deniable_sdk.log import check_log
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.transport import CollectorUnreachable


def load_survey(
    options: Options, slug: str, digest: str | None, timeout_s: float
) -> PublishedSurvey:
    """The survey of this slug; it is in the public log if the options require it."""

    def fetch() -> tuple[bytes, bytes | None]:
        document = options.transport.get_survey(slug, digest)
        return document, options.transport.get_log() if options.log_key is not None else None

    try:
        document, log = in_background(fetch, timeout_s)
    except TookTooLong:
        raise CollectorUnreachable(
            f"no answer from {options.collector} in {timeout_s:g} seconds; try again later"
        ) from None
    survey = PublishedSurvey.from_bytes(document, digest=digest, epsilon_cap=options.epsilon_cap)
    if survey.slug != slug:
        raise InvalidSurvey(
            f"the collector gave {quote(survey.slug)} instead of {quote(slug)}; do not answer it"
        )
    if log is not None:
        check_log(log, survey=survey.digest, key=options.log_key)
    return survey
