"""Whether the results of an edition are shown to whoever sent the request.

Owners and analysts always see them. A reader sees them from a number of reports on, or once the
edition has ended; before that, no response depends on the reports.
"""

from deniable_collector.access import require_role
from deniable_collector.clock import utc_now
from deniable_collector.errors import Refused
from deniable_collector.store.base import StoredSurvey
from deniable_collector.tokens import Release, Role
from deniable_web.results.results_cache import ResultsCache


def pending_release(cache: ResultsCache, stored: StoredSurvey) -> Release | None:
    """The condition that is not met yet; None if the request may have the results.

    Raises:
        Refused: the request has no token that opens results of the survey in its path.
    """
    release = require_role(Role.READER).release
    if release is None or stored.is_purged:
        return None
    fieldwork = cache.store.fieldwork(stored, utc_now())
    # Those of the results, which may have been counted for somebody else when there were fewer.
    has_come = release.has_come(fieldwork, lambda: cache.studies.study(stored).report_count)
    return None if has_come else release


def require_results(cache: ResultsCache, stored: StoredSurvey) -> StoredSurvey:
    """The edition, if the request may have its results.

    Raises:
        Refused: it may not, or not yet; as for pending_release.
    """
    if pending_release(cache, stored):
        detail = (
            "The results of this edition are not shown to readers yet; its page says when "
            "they appear."
        )
        raise Refused.because("results-not-released", detail)
    return stored
