"""What a request for results asks for in its query, and whether it may have them."""

from typing import Final

from flask import request

from deniable_analysis import Interval
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.errors import GroupNotFound
from deniable_analysis.reports.strata import read_strata
from deniable_collector.clock import utc_now
from deniable_collector.errors import Refused
from deniable_collector.permissions import present_token
from deniable_collector.store.base import StoredSurvey
from deniable_collector.tokens import Release
from deniable_web.results.findings import ResultChoices
from deniable_web.results.results_cache import ResultsCache
from deniable_web.results.small_parts import Merge

CONFIDENCES: Final = (0.9, 0.95, 0.99)
# The allowed wanted margins, in points.
MARGINS: Final = (0.5, 15.0)
DEFAULT_MARGIN: Final = 3.0


def chosen() -> ResultChoices:
    """The parameters of the query, and how few reports the parts may have that are shown.

    Missing or invalid parameters have their defaults. A reader sees parts with as many
    reports as the results of an edition need to be shown.

    Raises:
        Refused: as for pending_release.
    """
    release = present_token().release
    confidence = request.args.get("confidence", DEFAULT_CONFIDENCE, float)
    interval = request.args.get("interval", "")
    return ResultChoices(
        confidence if confidence in CONFIDENCES else DEFAULT_CONFIDENCE,
        next((each for each in Interval if each.value == interval), None),
        release.least if release else 0,
    )


def wanted_margin() -> float:
    """The wanted margin in points, within the allowed range."""
    least, most = MARGINS
    given = request.args.get("margin", DEFAULT_MARGIN, float)
    return given if least <= given <= most else DEFAULT_MARGIN


def merged_groups(stored: StoredSurvey) -> Merge:
    """The groups in the query that count as one; none if they are not those of the survey."""
    named = tuple(tuple(each.split(",")) for each in request.args.getlist("merge"))
    try:
        read_strata(stored.survey, named)
    except GroupNotFound:
        return ()
    return named


def pending_release(cache: ResultsCache, stored: StoredSurvey) -> Release | None:
    """The condition that is not met yet; None if the request may have the results.

    Of a sealed survey nobody has them before its end. Otherwise owners and analysts always have
    access. A reader has access once there are enough reports, or the edition has ended; before
    that, no response to a reader depends on the reports.
    """
    release = Release() if stored.survey.is_sealed else present_token().release
    if release is None or stored.is_purged:
        return None
    fieldwork, digest = cache.store.fieldwork(stored, utc_now()), stored.survey.digest
    # Those of the results, which may have been counted for somebody else when there were fewer.
    has_come = release.has_come(
        fieldwork, lambda: cache.studies.shown(digest, cache.store.count_reports(digest))
    )
    return None if has_come else release


def require_results(cache: ResultsCache, stored: StoredSurvey) -> StoredSurvey:
    """The edition, if the request may have its results.

    Raises:
        Refused: it may not yet.
    """
    if pending_release(cache, stored):
        detail = "The results of this edition are not shown yet; its page says when they appear."
        raise Refused.because("results-not-released", detail)
    return stored
