"""The counts that a tally contains, checked; and a tally counted again from the reports."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from operator import add

from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.chunks import REMEDY, Chunk, count_chunks
from deniable_storage.counts import BlockCounts, SurveyCounts
from deniable_storage.errors import InconsistentTally, StrangeValue
from deniable_storage.tally_rows import NO_BLOCK, TallyKey, TallyRow, members_by_text

ReadGroup = Callable[[str | None], Iterable[Chunk]]


def counts_of_tally(blocks: Sequence[Block], rows: Iterable[TallyRow]) -> SurveyCounts:
    """The counts of blocks, from the rows of a tally.

    Args:
        blocks: those whose counts are wanted.
        rows: a block, and its counts; rows of one block, in several groups or shards, are
            added up. Blocks that are not wanted are left out.
    Raises:
        InconsistentTally: the rows contradict each other, so they are not those of any
            reports; the message names the block.
    """
    kept = _summed(rows)

    def counts_of(name: str, size: int) -> tuple[int, ...]:
        counts = kept.get((name,), (0,) * size)
        if len(counts) != size:
            raise _inconsistent(name)
        return counts

    (report_count,) = counts_of(NO_BLOCK, 1)
    counted = {}
    for block in blocks:
        size = 1 + len(members_by_text(block.mechanism.form))
        counted[block.id] = _block_counts(block, counts_of(block.id, size))
    for name, each in counted.items():
        if each.report_count > report_count:
            raise _inconsistent(name)
    return SurveyCounts(report_count, counted)


@dataclass(frozen=True, slots=True)
class Recount:
    """A tally, compared with the reports themselves.

    Args:
        report_count: the number of reports.
        differing: the blocks whose counts in the tally are not those of the reports;
            NO_BLOCK among them if that is so for the number of all reports.
        rows: the rows that the tally should have.
    """

    report_count: int
    differing: tuple[str, ...]
    rows: Sequence[TallyRow] = field(repr=False)


def recount(
    survey: PublishedSurvey, tally: Iterable[TallyRow], report_count: int, read: ReadGroup
) -> Recount:
    """The tally of a survey, compared with its reports, which are read once for each group.

    Args:
        survey: the survey.
        tally: the rows of its tally; those with the same key are added up.
        report_count: the number of its reports.
        read: reads the reports of a group, or all of a survey without groups.
    Raises:
        StrangeValue: a report has a value that its block cannot produce, or a group that
            the survey does not have.
    """
    found: dict[TallyKey, tuple[int, ...]] = {}
    counted = 0
    for group in survey.kept_groups or [None]:
        counts = count_chunks(survey.blocks, read(group))
        counted += counts.report_count
        of_group = () if group is None else (group,)
        found |= {(name, *of_group): each for name, each in _keyed(survey.blocks, counts)}
    if counted != report_count:
        raise StrangeValue(f"some reports have a group that is not among the survey's; {REMEDY}")
    kept = _summed(tally)
    keys = {key for key in found.keys() | kept.keys() if found.get(key) != kept.get(key)}
    rows = sorted((*key, counts) for key, counts in found.items())
    return Recount(report_count, tuple(sorted({block for block, *_ in keys})), rows)


def _summed(tally: Iterable[TallyRow]) -> Mapping[TallyKey, tuple[int, ...]]:
    """The counts of each key; none where they cannot be added up."""
    found: dict[TallyKey, tuple[int, ...]] = {}
    for *names, counts in tally:
        key = tuple(names)
        same = found.get(key, (0,) * len(counts))
        are_counts = all(type(count) is int and count >= 0 for count in counts)
        is_right = len(same) == len(counts) and are_counts
        found[key] = tuple(map(add, same, counts)) if is_right else ()
    return found


def _keyed(blocks: Sequence[Block], counts: SurveyCounts) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What a tally has of some counts; what no report has is not in it."""
    if counts.report_count:
        yield NO_BLOCK, (counts.report_count,)
    for block in blocks:
        counted = counts.blocks[block.id]
        if counted.report_count:
            members = members_by_text(block.mechanism.form).values()
            yield block.id, (counted.report_count, *map(counted.support.get, members, repeat(0)))


def _block_counts(block: Block, counts: Sequence[int]) -> BlockCounts:
    form = block.mechanism.form
    report_count, *of_members = counts
    # Each report counts once for each member of its value.
    size = form.shape[0] if form.shape else 1
    if sum(of_members) != report_count * size or max(of_members) > report_count:
        raise _inconsistent(block.id)
    members = members_by_text(form).values()
    support = {member: count for member, count in zip(members, of_members, strict=True) if count}
    return BlockCounts(report_count, support)


def _inconsistent(name: str) -> InconsistentTally:
    what = f"block {name!r}" if name else "all reports"
    return InconsistentTally(
        f"the tally of {what} contradicts itself, so the store was changed by something other "
        "than the collector; compare the tallies with the reports: deniable recount"
    )
