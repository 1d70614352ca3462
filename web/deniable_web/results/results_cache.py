"""The data for the pages from a store: surveys, their editions, and findings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from deniable_analysis import Estimates
from deniable_collector.clock import utc_now
from deniable_collector.store import Store
from deniable_collector.store.base import ReportOutcome, StoredSurvey
from deniable_web.caching import ComputeOnceCache
from deniable_web.results.findings import EditionFindings, ResultChoices, find
from deniable_web.results.studies import Studies

_MOST_FINDINGS = 64
# Lists of groups that count as one.
Merge = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """An edition as the list of surveys shows it.

    Args:
        stored: the survey.
        reports: the number of its reports.
        refusal: why it accepts no new reports now; None if it does.
    """

    stored: StoredSurvey
    reports: int
    refusal: ReportOutcome | None


@dataclass(frozen=True, slots=True)
class ResultsCache:
    """A store's surveys and their cached findings.

    Args:
        store: the store with the surveys.
        studies: the studies of the same store.
    """

    store: Store
    studies: Studies
    _findings: ComputeOnceCache[EditionFindings] = field(
        default_factory=lambda: ComputeOnceCache(_MOST_FINDINGS)
    )
    _grouped: ComputeOnceCache[Estimates] = field(
        default_factory=lambda: ComputeOnceCache(_MOST_FINDINGS)
    )

    @classmethod
    def over(cls, store: Store) -> "ResultsCache":
        """The cache of a store."""
        return cls(store, Studies(store))

    def surveys(self, is_wanted: Callable[[str], bool]) -> list[list[Listed]]:
        """All editions of each wanted slug, the newest first."""
        listed = [
            Listed(stored, self.studies.reports(stored.survey.digest), self.refusal(stored))
            for stored in self.store.list_surveys()
            if is_wanted(stored.survey.slug)
        ]
        by_slug = groupby(listed, key=lambda each: each.stored.survey.slug)
        return [sorted(editions, key=lambda each: -each.stored.edition) for _, editions in by_slug]

    def refusal(self, stored: StoredSurvey) -> ReportOutcome | None:
        """Why an edition accepts no new reports now; None if it does."""
        return self.store.refusal(stored, utc_now())

    def editions(self, slug: str) -> list[StoredSurvey]:
        """The editions of a slug, the newest first; empty if it is unknown."""
        found = [each for each in self.store.list_surveys() if each.survey.slug == slug]
        return sorted(found, key=lambda each: -each.edition)

    def findings(
        self, stored: StoredSurvey, choices: ResultChoices, earlier: StoredSurvey | None = None
    ) -> EditionFindings:
        """The findings of an edition, compared with an earlier one if there is one."""
        studies = [self.studies.study(each) for each in (stored, earlier) if each]
        key = (choices, *((study.survey.digest, study.report_count) for study in studies))

        def compute() -> EditionFindings:
            begin_s = self.studies.clock()
            found = find(studies[0], choices, *studies[1:])
            self.studies.charge(stored.survey.digest, self.studies.clock() - begin_s)
            return found

        return self._findings.get(key, compute)

    def grouped(
        self, stored: StoredSurvey, choices: ResultChoices, merge: Merge = ()
    ) -> Estimates:
        """The estimates of a closed survey by invitation, also by group.

        Raises:
            NoGroups: the survey is not closed.
            GroupNotFound: a group to merge is not invited, or is named twice.
            UnreadableStudy: a report has a group that is not invited.
        """
        study = self.studies.study(stored)
        return self._grouped.get(
            (choices, merge, study.survey.digest, study.report_count),
            lambda: study.estimate(
                confidence=choices.confidence,
                interval=choices.interval,
                by_group=True,
                merge=merge,
            ),
        )


def edition_named(editions: Sequence[StoredSurvey], number: str) -> StoredSurvey | None:
    """The edition with the number in a query; the newest if the query has none."""
    if not number:
        return next(iter(editions), None)
    return next((each for each in editions if str(each.edition) == number), None)
