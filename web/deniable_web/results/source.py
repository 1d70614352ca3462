"""The site's own store as a source of studies; its database counts the reports."""

from collections.abc import Sequence
from dataclasses import dataclass

from deniable_analysis.errors import StudyNotFound, StudyUnavailable, UnreadableStudy
from deniable_analysis.sources.base import ListedSurvey
from deniable_collector.clock import utc_now
from deniable_collector.store import Store
from deniable_collector.store.base import StoredSurvey
from deniable_sdk.survey.block import Block
from deniable_storage.counts import JointCounts, SurveyCounts
from deniable_storage.ends import Fieldwork
from deniable_storage.errors import InconsistentTally, StrangeValue, TooManyTuples

# As many as the collector returns to analysts over HTTP.
MOST_TUPLES = 200_000


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

    def document(self, survey: ListedSurvey) -> bytes:
        return self._stored(survey).survey.document

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:
        return self.store.fieldwork(self._stored(survey), utc_now())

    def count(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> SurveyCounts:
        try:
            return self.store.count_values(self._stored(survey), blocks, group)
        except InconsistentTally as error:
            raise UnreadableStudy(str(error)) from None

    def joint_counts(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> JointCounts:
        try:
            return self.store.count_tuples(self._stored(survey), blocks, MOST_TUPLES, group)
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
