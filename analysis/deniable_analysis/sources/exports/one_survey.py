"""The base of sources that have one survey."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from deniable_analysis.sources.base import ListedSurvey
from deniable_analysis.sources.exports.survey_file import ExportedSurvey
from deniable_sdk.survey.block import Block
from deniable_storage.counts import JointCounts, SurveyCounts
from deniable_storage.ends import Fieldwork


class OneSurveySource(ABC):
    """A source of one survey; without groups and without noise, unless a subclass has them."""

    __slots__ = ()

    @property
    def has_groups(self) -> bool:
        return False

    @property
    def has_noise(self) -> bool:
        return False

    def surveys(self) -> tuple[ListedSurvey, ...]:
        exported, place = self._located()
        return (exported.listed(place),)

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:  # noqa: ARG002 - there is only one
        return self._located()[0].fieldwork

    def document(self, survey: ListedSurvey) -> bytes:  # noqa: ARG002 - there is only one
        return self._located()[0].survey.document

    def count(
        self,
        survey: ListedSurvey,  # noqa: ARG002 - there is only one
        blocks: Sequence[Block],
        group: str | None = None,
    ) -> SurveyCounts:
        return self._count(blocks, group)

    def joint_counts(
        self,
        survey: ListedSurvey,  # noqa: ARG002 - there is only one
        blocks: Sequence[Block],
        group: str | None = None,
    ) -> JointCounts:
        return self._joint_counts(blocks, group)

    @abstractmethod
    def _count(self, blocks: Sequence[Block], group: str | None) -> SurveyCounts:
        """The counts of the survey, as in Source."""

    @abstractmethod
    def _joint_counts(self, blocks: Sequence[Block], group: str | None) -> JointCounts:
        """As in Source."""

    @abstractmethod
    def _located(self) -> tuple[ExportedSurvey, str]:
        """The survey, and how errors call its place."""
