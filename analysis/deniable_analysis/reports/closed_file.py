"""How much all reports of a closed survey together say about one person."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from deniable_analysis.errors import NoGroups, UnreadableStudy
from deniable_analysis.privacy.shuffling import FilePrivacy
from deniable_analysis.reports.strata import GroupCounts, groups_at
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.counts import SurveyCounts
from deniable_storage.ends import Fieldwork


def file_privacy(
    survey: PublishedSurvey,
    fieldwork: Fieldwork,
    count: Callable[[Sequence[Block]], SurveyCounts],
    groups: GroupCounts | None,
    of_sites: Sequence[str] | None = None,
) -> FilePrivacy | None:
    """The figure of a survey's file, or of its smallest group if its reports have groups.

    None while the survey accepts reports, if there is no report, and if its reports have
    groups that cannot be counted.

    Args:
        survey: the survey.
        fieldwork: the state of its fieldwork, read before the reports are counted.
        count: as in ReportedSurvey.
        groups: as in ReportedSurvey.
        of_sites: as in ReportedSurvey.
    """
    if fieldwork.end is None:
        return None
    if not survey.groups:
        reports = [count(()).report_count]
    else:
        reports = []
        with suppress(NoGroups, UnreadableStudy):
            reports = _of_groups(groups, groups_at(survey, of_sites))
    if not any(reports):
        return None
    least = min(filter(None, reports))
    return FilePrivacy.of_survey(survey, least, of_smallest_group=bool(survey.groups))


def _of_groups(groups: GroupCounts | None, here: Sequence[str]) -> list[int]:
    """The reports of each group that reports here; errors are those of GroupCounts.check."""
    if groups is None:
        return []
    groups.check()
    return [groups.count(name, ()).report_count for name in here]
