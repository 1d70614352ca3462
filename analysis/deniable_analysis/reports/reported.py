"""A published survey with its reports: the part of a study that relations need."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.counts import JointCounts, SurveyCounts


@dataclass(frozen=True, slots=True)
class ReportedSurvey:
    """A published survey, with methods that count its reports.

    Every call counts the reports in the store again.
    """

    survey: PublishedSurvey
    edition: int
    _count: Callable[[Sequence[Block]], SurveyCounts] = field(repr=False)
    _together: Callable[[Sequence[Block]], JointCounts] = field(repr=False)

    @property
    def report_count(self) -> int:
        """The current number of the survey's reports."""
        return self._count(()).report_count

    def count(self, blocks: Sequence[Block]) -> SurveyCounts:
        """The counts of some of the survey's blocks, from a single read of the reports."""
        return self._count(blocks)

    def joint_counts(self, blocks: Sequence[Block]) -> JointCounts:
        """The joint values of respondents who were asked all of some blocks."""
        return self._together(blocks)
