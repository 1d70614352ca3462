"""The counts that somebody gets who sees no part of the results with few reports.

A report says in clear which blocks it has, of which options it has bits, and the group of its
respondent. So its randomized values could be computed from the results of a part with few reports,
or from the results of two parts that differ in few reports.

- A block is left out if it has few reports, or one of the options that its reports have bits of.
- If few reports, but some, have no group, nothing is shown by group: they are what remains of all
  reports without those of the groups.
- The groups with the fewest reports count as one, so that each stratum has enough reports of every
  block and option that is not left out. A report is in one stratum only, so whatever can be
  computed from the results of several strata, and of all, is about whole strata. For a larger
  number more of the same groups count as one: somebody with the results for two numbers learns no
  more than from one of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from deniable_analysis import Study
from deniable_analysis.errors import NoGroups, NotIdentified
from deniable_analysis.reports.strata import GroupCounts
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.groups import NO_GROUP
from deniable_storage.counts import BlockCounts, JointCounts, SurveyCounts, sum_of_counts

# The ids of groups that count as one; empty if each counts alone.
Merged = tuple[str, ...]
# Lists of such groups, without a group in common.
Merge = tuple[Merged, ...]


def without_small_parts(study: Study, least: int) -> Study:
    """The same study, except that blocks with fewer reports have none.

    Blocks have no joint values with others: few reports may have both.
    """

    def count(blocks: Sequence[Block]) -> SurveyCounts:
        return _without_small_blocks(blocks, study.count(blocks), least)

    def joint_counts(blocks: Sequence[Block]) -> JointCounts:
        found = study.joint_counts(blocks)
        if len(blocks) > 1 or found.report_count < least:
            raise NotIdentified(
                f"fewer than {least} reports may have all of these blocks, so their joint values "
                "are not shown here; ask somebody who sees all results"
            )
        return found

    return replace(study, count=count, joint_counts=joint_counts)


@dataclass(frozen=True, slots=True)
class LargeStrata:
    """Counts by group, in which the groups with the fewest reports only count together.

    Args:
        groups: the counts by group.
        counted: the counts of each group; the first of the merged groups has those of all of
            them, and the others have no report.
        merged: the groups that count as one.
    """

    groups: GroupCounts
    counted: Mapping[str, SurveyCounts]
    merged: Merged

    @classmethod
    def of(
        cls, groups: GroupCounts, names: Sequence[str], blocks: Sequence[Block], least: int
    ) -> "LargeStrata":
        """The strata of some groups with at least so many reports of each block that is shown."""
        counted = {name: groups.count(name, blocks) for name in names}
        total = sum_of_counts([*counted.values()])
        shown = [each for each in blocks if not _is_small(each, total, least)]
        own = {name: counted[name] for name in names if name != NO_GROUP}
        merged = groups_to_merge(own, shown, least)
        parts = merged
        without = counted.get(NO_GROUP)
        if without and without.report_count and not _are_large([without], shown, least):
            merged, parts = tuple(own), tuple(counted)
        if merged:
            together = sum_of_counts([counted[name] for name in parts])
            none = SurveyCounts(0, {each.id: BlockCounts(0, {}) for each in blocks})
            counted |= dict.fromkeys(parts, none) | {merged[0]: together}
        return cls(
            groups,
            {
                name: _without([each for each in blocks if each not in shown], counts)
                for name, counts in counted.items()
            },
            merged,
        )

    def check(self) -> None:
        """As in GroupCounts."""
        self.groups.check()

    def count(self, group: str, blocks: Sequence[Block]) -> SurveyCounts:
        """As in GroupCounts."""
        found = self.counted[group]
        return replace(found, blocks={each.id: found.blocks[each.id] for each in blocks})

    def joint_counts(self, group: str, blocks: Sequence[Block]) -> JointCounts:  # noqa: ARG002 - there are none
        """Raise NoGroups: few reports of a group may have all of several blocks."""
        raise NoGroups(f"the joint values of the group {group!r} are not shown here")


def merged_with(merge: Merge, merged: Merged) -> Merge:
    """The lists of groups in which those of one more list count as one, too."""
    touched = [each for each in merge if not set(merged).isdisjoint(each)]
    together = dict.fromkeys([*merged, *(name for each in touched for name in each)])
    others = tuple(each for each in merge if each not in touched)
    return (*others, tuple(together)) if together else others


def groups_to_merge(
    counted: Mapping[str, SurveyCounts], blocks: Sequence[Block], least: int
) -> Merged:
    """The groups with the fewest reports that have to count as one, in the order of `counted`.

    Each other group, and these together, then have at least so many reports, also of each of
    these blocks; unless it is all groups.
    """

    def are_large(names: Sequence[str]) -> bool:
        return _are_large([counted[name] for name in names], blocks, least)

    ordered = sorted(counted, key=lambda name: (counted[name].report_count, name))
    small = [place for place, name in enumerate(ordered, start=1) if not are_large([name])]
    first = max(small, default=0)
    while 0 < first < len(ordered) and not are_large(ordered[:first]):
        first += 1
    return tuple(name for name in counted if name in ordered[:first])


def _are_large(parts: Sequence[SurveyCounts], blocks: Sequence[Block], least: int) -> bool:
    """Whether some parts together have enough reports, also of each of these blocks."""
    counts = sum_of_counts(parts)
    return counts.report_count >= least and not any(
        _is_small(each, counts, least) for each in blocks
    )


def _without_small_blocks(
    blocks: Sequence[Block], counts: SurveyCounts, least: int
) -> SurveyCounts:
    return _without([each for each in blocks if _is_small(each, counts, least)], counts)


def _without(blocks: Iterable[Block], counts: SurveyCounts) -> SurveyCounts:
    """The counts with no report of these blocks."""
    none = {each.id: BlockCounts(0, {}) for each in blocks}
    return replace(counts, blocks={**counts.blocks, **none})


def _is_small(block: Block, counts: SurveyCounts, least: int) -> bool:
    """Whether fewer reports have this block, or a bit of one of its options."""
    found, form = counts.blocks[block.id], block.mechanism.form
    options = range(form.members) if form.are_pairs else ()
    bits = (sum(found.support.get((option, bit), 0) for bit in (0, 1)) for option in options)
    return min([found.report_count, *bits]) < least
