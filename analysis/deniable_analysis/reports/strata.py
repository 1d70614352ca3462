"""The groups of a survey, by invitation or by link, and the counts of their reports."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from deniable_analysis.arguments import as_list, kind_of, named, read_flag
from deniable_analysis.errors import GroupNotFound, NoGroups
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.wording import counted, near_names
from deniable_storage.counts import JointCounts, SurveyCounts, sum_of_counts
from deniable_storage.values import sum_of_tuples


@dataclass(frozen=True, slots=True)
class Stratum:
    """One group of a survey, or several merged groups.

    Args:
        groups: ids of the groups.
        people: number of people who are invited, or got the link.
    """

    groups: tuple[str, ...]
    people: int

    @property
    def name(self) -> str:
        """The name in results: the ids of the groups."""
        return " + ".join(self.groups)


class GroupCounts(Protocol):
    """The counts of a survey's reports by group."""

    def check(self) -> None:
        """Raise an error unless counts by group may be given out and are those of the groups.

        Raises:
            NoGroups: the survey is not closed.
            UnreadableStudy: a report has a group that the survey does not have.
        """
        ...

    def count(self, group: str, blocks: Sequence[Block]) -> SurveyCounts:
        """The counts of these blocks from reports of a group."""
        ...

    def joint_counts(self, group: str, blocks: Sequence[Block]) -> JointCounts:
        """The joint values of respondents of a group who were asked all of these blocks."""
        ...


@dataclass(frozen=True, slots=True)
class StratumCounts:
    """The counts of the reports of a stratum."""

    counts: GroupCounts
    stratum: Stratum

    def count(self, blocks: Sequence[Block]) -> SurveyCounts:
        """The counts of these blocks."""
        return sum_of_counts([self.counts.count(group, blocks) for group in self.stratum.groups])

    def joint_counts(self, blocks: Sequence[Block]) -> JointCounts:
        """The joint values of respondents who were asked all of these blocks."""
        forms = tuple(block.mechanism.form for block in blocks)
        found = (self.counts.joint_counts(group, blocks) for group in self.stratum.groups)
        return sum_of_tuples(forms, found)


def people_of_groups(survey: PublishedSurvey) -> dict[str, int]:
    """The number of people of each group; NoGroups if the survey has no groups."""
    if not survey.groups:
        raise NoGroups(
            f"survey {survey.slug!r} is not by invitation and has no groups by link, so its "
            "reports have no groups; compare_groups compares respondents by their answers"
        )
    return {group.id: group.people for group in survey.groups}


def groups_at(survey: PublishedSurvey, of_sites: Sequence[str] | None) -> tuple[str, ...]:
    """What reports at some sites have as their group; at all sites if None.

    Links give groups at every site.
    """
    if of_sites is None or survey.link_groups:
        return survey.kept_groups
    return tuple(group.id for group in survey.groups if group.site in of_sites)


def read_stratum(survey: PublishedSurvey, groups: Sequence[Any]) -> Stratum:
    """The stratum of some of a survey's groups, in the survey's order.

    Raises:
        NoGroups: the survey has no groups.
        GroupNotFound: there is no such group, none is named, or one is named
            twice.
    """
    known = people_of_groups(survey)
    for group in groups:
        if not isinstance(group, str) or group not in known:
            listed = near_names(group, known, f"survey {survey.slug!r} has")
            raise GroupNotFound(f"got the group {named(group)}; {listed}")
    if not groups or len(set(groups)) < len(groups):
        raise GroupNotFound(
            f"got {counted(len(groups), 'group')}, or one of them twice; allowed are one or "
            f"several of these, each once: {', '.join(known)}"
        )
    chosen = tuple(group for group in known if group in groups)
    return Stratum(chosen, sum(known[group] for group in chosen))


def read_strata(survey: PublishedSurvey, merge: Any) -> tuple[Stratum, ...]:
    """The strata of a survey: its groups, except that lists of them in `merge` are one each.

    Raises:
        NoGroups: the survey has no groups.
        GroupNotFound: there is no such group, one is merged twice, or merge is
            not a list of lists.
    """
    known, given = list(people_of_groups(survey)), as_list(merge)
    lists = [as_list(each) for each in given or ()]
    if given is None or None in lists:
        raise GroupNotFound(
            f"merge: got {kind_of(merge)}, or one that contains something other than lists; "
            "allowed is a list of lists of groups, like [['nurses', 'doctors']]"
        )
    merged = [read_stratum(survey, each or ()) for each in lists]
    taken = [group for stratum in merged for group in stratum.groups]
    if len(set(taken)) < len(taken):
        raise GroupNotFound("merge: got a group in two lists; allowed is each group in one")
    alone = [read_stratum(survey, [group]) for group in known if group not in taken]
    return tuple(sorted([*merged, *alone], key=lambda each: known.index(each.groups[0])))


def wanted_strata(
    survey: PublishedSurvey, by_group: bool, merge: Sequence[Sequence[str]]
) -> tuple[Stratum, ...]:
    """The strata of a survey, as for read_strata; none if groups are not asked for.

    Raises:
        NoGroups: the survey has no groups, or groups are merged without results by group.
        GroupNotFound: as for read_strata.
    """
    if read_flag("by_group", by_group):
        return read_strata(survey, merge)
    if as_list(merge) != []:
        raise NoGroups("merge: got some without results by group; ask for both or neither")
    return ()
