"""What a request for results asks for in its query: intervals, a margin, and merged groups."""

from typing import Final

from flask import request

from deniable_analysis import GroupNotFound, Interval
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.reports.strata import read_strata
from deniable_collector.store.base import StoredSurvey
from deniable_web.results.findings import ResultChoices
from deniable_web.results.results_cache import Merge

CONFIDENCES: Final = (0.9, 0.95, 0.99)
# The allowed wanted margins, in points.
MARGINS: Final = (0.5, 15.0)
DEFAULT_MARGIN: Final = 3.0


def chosen() -> ResultChoices:
    """The parameters of the query; missing or invalid ones have their defaults."""
    confidence = request.args.get("confidence", DEFAULT_CONFIDENCE, float)
    interval = request.args.get("interval", "")
    return ResultChoices(
        confidence if confidence in CONFIDENCES else DEFAULT_CONFIDENCE,
        next((each for each in Interval if each.value == interval), None),
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
