"""The site's own store as a source of studies; its database counts the reports."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from deniable_analysis import Study
from deniable_analysis.errors import StudyNotFound, StudyUnavailable, UnreadableStudy
from deniable_analysis.reports.strata import GroupCounts, StratumCounts, read_strata
from deniable_analysis.results import ResponseRate
from deniable_analysis.results.responses import response_of
from deniable_analysis.sources.base import ClosedGroups, ListedSurvey
from deniable_collector.clock import utc_now
from deniable_collector.store import Store
from deniable_collector.store.base import StoredSurvey
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.groups import NO_GROUP, Group
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.counts import JointCounts, SurveyCounts
from deniable_storage.ends import Fieldwork
from deniable_storage.errors import InconsistentTally, StrangeValue, TooManyTuples
from deniable_web.pages.cache import ComputeOnceCache
from deniable_web.results.small_parts import LargeStrata, Merged, without_small_parts

# As many as the collector returns to analysts over HTTP.
MOST_TUPLES = 200_000

# The pause before new results, as a multiple of the time for the last ones: however many people
# look, a tenth of a processor at most is busy with the results of a survey.
REST = 10
# How many surveys are kept.
MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class StoreSource:
    """An open store with any engine.

    Every method also raises the collector's StoreUnavailable.
    """

    store: Store

    has_groups = True
    has_noise = False

    def surveys(self) -> tuple[ListedSurvey, ...]:
        return tuple(map(listed, self.store.list_surveys()))

    def published(self, survey: ListedSurvey) -> PublishedSurvey:
        return self._stored(survey).survey

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:
        return self.store.fieldwork(self._stored(survey), utc_now())

    def count(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> SurveyCounts:
        try:
            return self.store.count_values(self._stored(survey), blocks, group, now=utc_now())
        except InconsistentTally as error:
            raise UnreadableStudy(str(error)) from None

    def joint_counts(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> JointCounts:
        try:
            return self.store.count_tuples(
                self._stored(survey), blocks, MOST_TUPLES, group, now=utc_now()
            )
        except StrangeValue as error:
            raise UnreadableStudy(str(error)) from None
        except TooManyTuples:
            raise StudyUnavailable(
                f"more than {MOST_TUPLES} different tuples of values were reported of these "
                "blocks; take fewer blocks, or analyse an export of the survey"
            ) from None

    def _stored(self, survey: ListedSurvey) -> StoredSurvey:
        found = self.store.find_edition(survey.digest)
        if found is None:
            raise StudyNotFound(
                f"the store no longer holds the survey {survey.slug!r}; look whether it was moved"
            )
        return found


def listed(stored: StoredSurvey) -> ListedSurvey:
    """A survey of the store, in the form in which sources list surveys."""
    return ListedSurvey(
        digest=stored.survey.digest,
        slug=stored.survey.slug,
        edition=stored.edition,
        is_closed=stored.is_closed,
        location=stored.reports_table,
    )


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of all blocks of a survey at one moment, and the time that results took."""

    counts: SurveyCounts
    at_s: float
    took_s: float

    def of(self, blocks: Sequence[Block]) -> SurveyCounts:
        """The counts of some of the blocks."""
        chosen = {block.id: self.counts.blocks[block.id] for block in blocks}
        return SurveyCounts(self.counts.report_count, chosen)

    def is_due(self, reports: int, now_s: float) -> bool:
        """Whether it is worth counting again, given the present number of reports."""
        is_old = now_s - self.at_s >= REST * self.took_s
        return reports != self.counts.report_count and is_old


@dataclass(frozen=True, slots=True)
class Studies:
    """A store's studies; every method may be called from any thread.

    Args:
        store: the store with the reports.
        clock: returns seconds that never decrease.
        site: the name of the collector's site; only the groups of this site report here.
            Empty if it has none.
    """

    store: Store
    clock: Callable[[], float] = time.monotonic
    site: str = ""
    _kept: ComputeOnceCache[Counted] = field(
        default_factory=lambda: ComputeOnceCache(MOST_KEPT), repr=False
    )
    _strata: ComputeOnceCache[LargeStrata] = field(
        default_factory=lambda: ComputeOnceCache(MOST_KEPT), repr=False
    )

    def study(self, stored: StoredSurvey, least: int = 0) -> Study:
        """The study of a survey, with the last counts or new ones; for a reader without groups.

        Args:
            stored: the survey.
            least: the fewest reports of each part that a reader sees; 0 for all others.
        Raises:
            ResultsSealed: nobody may read results of the survey yet.
        """
        self.store.give_out(stored, utc_now())
        counted = self._counted(stored)
        source, survey = StoreSource(self.store), listed(stored)
        study = Study(
            stored.survey,
            stored.edition,
            counted.of,
            partial(source.joint_counts, survey),
            self._groups(stored, 0) if stored.survey.groups and not least else None,
            fieldwork=partial(source.fieldwork, survey),
            of_sites=(self.site,) if self._has_part(stored) else None,
        )
        return without_small_parts(study, least) if least else study

    def grouped_study(self, stored: StoredSurvey, least: int) -> Study:
        """The same for results by group of a closed survey.

        Raises:
            NoGroups: the survey is not closed.
            UnreadableStudy: a report has a group that the survey does not have.
        """
        return replace(self.study(stored, least), groups=self._groups(stored, least))

    def groups(self, stored: StoredSurvey) -> tuple[Group, ...]:
        """The groups whose people report here."""
        groups = stored.survey.groups
        if not self._has_part(stored):
            return groups
        return tuple(group for group in groups if group.site == self.site)

    def _has_part(self, stored: StoredSurvey) -> bool:
        """Whether some of the groups report at other sites."""
        return bool(self.site and stored.survey.sites)

    def responses(self, stored: StoredSurvey, least: int) -> tuple[ResponseRate, ...]:
        """The response of each group of a closed survey.

        None if not one group is shown apart. Errors are those of grouped_study.
        """
        groups, merged = self._groups(stored, least), self.merged(stored, least)
        groups.check()
        here = {each.id for each in self.groups(stored)}
        strata = read_strata(stored.survey, [merged] if merged else [])
        return tuple(
            response_of(
                stored.survey,
                each.name,
                each.people,
                StratumCounts(groups, each).count(()).report_count,
            )
            for each in strata
            if here.issuperset(each.groups) and self.are_apart(stored, least)
        )

    def merged(self, stored: StoredSurvey, least: int) -> Merged:
        """The groups that count as one for a reader; errors are those of grouped_study."""
        groups = self._groups(stored, least)
        return groups.merged if isinstance(groups, LargeStrata) else ()

    def are_apart(self, stored: StoredSurvey, least: int) -> bool:
        """Whether not all groups count as one; errors are those of grouped_study."""
        return len(self.merged(stored, least)) < len(self.groups(stored))

    def _groups(self, stored: StoredSurvey, least: int) -> GroupCounts:
        """The counts by group; they are returned only once the survey is closed.

        Errors are those of grouped_study.
        """
        groups = ClosedGroups(StoreSource(self.store), listed(stored), stored.survey)
        if not least:
            return groups

        def compute() -> LargeStrata:
            groups.check()
            names = [each.id for each in self.groups(stored)]
            names += [NO_GROUP] * bool(stored.survey.link_groups)
            return LargeStrata.of(groups, names, stored.survey.blocks, least)

        return self._strata.get((stored.survey.digest, least), compute)

    def shown(self, digest: str, reports: int) -> int:
        """How many reports a study made now would include, given how many there are."""
        counted = self._kept.slot(digest).value
        if counted is None or counted.is_due(reports, self.clock()):
            return reports
        return counted.counts.report_count

    def charge(self, digest: str, took_s: float) -> None:
        """Add the time for a survey's estimates, so that it is counted less often."""
        kept = self._kept.slot(digest)
        with kept.lock:
            if kept.value is not None:
                kept.value = replace(kept.value, took_s=kept.value.took_s + took_s)

    def _counted(self, stored: StoredSurvey) -> Counted:
        digest = stored.survey.digest
        kept = self._kept.slot(digest)
        with kept.lock:
            counted = kept.value
            if counted is None or counted.is_due(self.store.count_reports(digest), self.clock()):
                counted = kept.value = self._count(stored)
            return counted

    def _count(self, stored: StoredSurvey) -> Counted:
        begin_s = self.clock()
        counts = StoreSource(self.store).count(listed(stored), stored.survey.blocks)
        end_s = self.clock()
        return Counted(counts, end_s, end_s - begin_s)
