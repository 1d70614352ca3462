"""Counts of a source by group, once its survey is closed."""

from collections.abc import Sequence
from dataclasses import dataclass

from deniable_analysis.errors import NoGroups, UnreadableStudy
from deniable_analysis.sources.base import ListedSurvey, Source
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.counts import JointCounts, SurveyCounts


@dataclass(frozen=True, slots=True)
class ClosedGroups:
    """The counts of a survey by invitation, by group.

    While a survey accepts reports, two counts of a group show what the few
    people reported who answered in between. So groups are counted only once it
    is closed. Whoever has the store could still count them: this protects from
    mistakes, not from the operator.

    Args:
        source: source of the reports.
        stored: the survey in the source.
        survey: the published survey.
    """

    source: Source
    stored: ListedSurvey
    survey: PublishedSurvey

    def check(self) -> None:
        """As in GroupCounts."""
        now = [each for each in self.source.surveys() if each.digest == self.stored.digest]
        if not all(each.is_closed for each in now):
            raise NoGroups(
                f"survey {self.survey.slug!r} is not closed: while reports come in, counts by "
                "group would show who answered when; close it first (deniable close), or "
                "estimate without groups"
            )
        groups = self.survey.invited.groups if self.survey.invited else ()
        counted = sum(self.count(group.id, ()).report_count for group in groups)
        if counted != self.source.count(self.stored, ()).report_count:
            raise UnreadableStudy(
                f"some reports of survey {self.survey.slug!r} have a group that is not among "
                f"those invited ({', '.join(group.id for group in groups)}); the store was "
                "changed by something other than the collector; restore it"
            )

    def count(self, group: str, blocks: Sequence[Block]) -> SurveyCounts:
        """As in GroupCounts."""
        return self.source.count(self.stored, blocks, group)

    def joint_counts(self, group: str, blocks: Sequence[Block]) -> JointCounts:
        """As in GroupCounts."""
        return self.source.joint_counts(self.stored, blocks, group)
