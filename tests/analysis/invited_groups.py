"""Surveys by invitation, and studies of them of whose reports everything is chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.related import LN3, MUST
from deniable_analysis import Study
from deniable_analysis.reports.strata import Stratum, StratumCounts
from deniable_analysis.results import GroupedQuestion
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Mechanism, Subset
from deniable_sdk.survey.block import Block
from deniable_storage.counts import BlockCounts, JointCounts, SurveyCounts
from sample_definitions import Document, survey, yes_no
from there import there

WARD = {"nurses": 200, "doctors": 80, "cleaners": 20}
Said = Sequence[int] | Mapping[Any, int]


def invited(**groups: int) -> Document:
    """What a definition says of groups with so many people."""
    return {
        "issuer": "https://council.example.org",
        "small_groups": min(groups.values()) < 20,
        "groups": {name: {"invited": people} for name, people in groups.items()},
    }


def ward(
    *questions: Document, groups: Mapping[str, int] = WARD, **keys: object
) -> PublishedSurvey:
    """A survey of these groups."""
    return survey(*questions, **{"slug": "ward", "invited": invited(**groups), **keys})


def ward_with(
    mechanism: Mechanism, *questions: Document, groups: Mapping[str, int] = WARD
) -> PublishedSurvey:
    """The same, whose only block is randomized by this mechanism."""
    ids = [[question["id"] for question in questions]] if len(questions) > 1 else []
    published = ward(*questions, groups=groups, crosstabs=ids)
    (block,) = published.blocks
    assert mechanism.fits(block.domain)
    return published.replace(blocks=(block.replace(mechanism=mechanism),))


@dataclass(frozen=True)
class ChosenGroups:
    """Counts by group that were chosen.

    Args:
        published: the survey.
        said: for each group and block, how many reports say each thing.
    """

    published: PublishedSurvey
    said: Mapping[str, Mapping[str, Said]]

    def check(self) -> None:
        """Everything may be given out."""

    def count(self, group: str, blocks: Sequence[Block]) -> SurveyCounts:
        """The counts of a group."""
        found = {
            block.id: _counted(block, self.said.get(group, {}).get(block.id, ()))
            for block in self.published.blocks
        }
        reports = max(each.report_count for each in found.values())
        return SurveyCounts(reports, {block.id: found[block.id] for block in blocks})

    def joint_counts(self, group: str, blocks: Sequence[Block]) -> JointCounts:
        """They are never asked for."""
        raise AssertionError(f"not asked for: {len(blocks)} blocks of {group} together")


def _counted(block: Block, said: Said) -> BlockCounts:
    things = dict(said if isinstance(said, Mapping) else enumerate(said))
    size = block.mechanism.form.shape[0] if block.mechanism.form.shape else 1
    return BlockCounts(sum(things.values()) // size, things)


def grouped_study(published: PublishedSurvey, said: Mapping[str, Mapping[str, Said]]) -> Study:
    """A closed study: how many reports of each group, and of each block, say each thing."""
    assert published.invited
    groups, names = ChosenGroups(published, said), [each.id for each in published.invited.groups]
    whole = StratumCounts(groups, Stratum(tuple(names), 0))
    return Study(published, 1, whole.count, whole.joint_counts, groups)


def grouped(study: Study) -> GroupedQuestion:
    """The results by group of the first question."""
    return there(study.estimate(by_group=True).by_group).questions[0]


YES_NO = ward_with(Subset(2, 1, LN3), yes_no(**MUST))
SAID = {
    "nurses": {"asthma": [60, 40]},
    "doctors": {"asthma": [30, 30]},
    "cleaners": {"asthma": [4, 8]},
}
STUDY = grouped_study(YES_NO, SAID)
