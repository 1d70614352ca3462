"""The counts that a tally contains, checked; and a tally counted again from the reports."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.chunks import REMEDY, Chunk, count_chunks
from deniable_storage.counts import BlockCounts, Member, SurveyCounts
from deniable_storage.errors import InconsistentTally, StrangeValue
from deniable_storage.tally_rows import NO_BLOCK, NO_MEMBER, TallyKey, TallyRow, members_by_text

ReadGroup = Callable[[str | None], Iterable[Chunk]]


def counts_of_tally(blocks: Sequence[Block], rows: Iterable[TallyRow]) -> SurveyCounts:
    """The counts of blocks, from the rows of a tally without groups and shards.

    Raises:
        InconsistentTally: the rows contradict each other, so they are not those of any
            reports; the message names the block.
    """
    by_block: dict[str, dict[str, int]] = {}
    for name, member, count in rows:
        found = by_block.setdefault(name, {})
        if member in found or type(count) is not int or count < 0:
            raise _inconsistent(name)
        found[member] = count
    all_reports = by_block.pop(NO_BLOCK, {})
    report_count = all_reports.pop(NO_MEMBER, 0)
    counts = {block.id: _block_counts(block, by_block.get(block.id, {})) for block in blocks}
    for name, counted in counts.items():
        if counted.report_count > report_count:
            raise _inconsistent(name)
    if all_reports:
        raise _inconsistent(NO_BLOCK)
    return SurveyCounts(report_count, counts)


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
        tally: the rows of its tally, without shards.
        report_count: the number of its reports.
        read: reads the reports of a group, or all of a survey without groups.
    Raises:
        StrangeValue: a report has a value that its block cannot produce, or a group that
            is not invited.
    """
    found: dict[TallyKey, int] = {}
    counted = 0
    for group in [each.id for each in survey.invited.groups] if survey.invited else [None]:
        counts = count_chunks(survey.blocks, read(group))
        counted += counts.report_count
        keyed = _keyed(survey.blocks, counts)
        found |= {(*key, *(() if group is None else (group,))): count for key, count in keyed}
    if counted != report_count:
        raise StrangeValue(f"some reports have a group that is not among those invited; {REMEDY}")
    kept = {tuple(key): count for *key, count in tally}
    keys = {key for key in found.keys() | kept.keys() if found.get(key) != kept.get(key)}
    rows = sorted((*key, count) for key, count in found.items())
    return Recount(report_count, tuple(sorted({block for block, *_ in keys})), rows)


def _keyed(blocks: Sequence[Block], counts: SurveyCounts) -> Iterator[tuple[TallyKey, int]]:
    """What a tally has of some counts; what no report has is not in it."""
    if counts.report_count:
        yield (NO_BLOCK, NO_MEMBER), counts.report_count
    for block in blocks:
        counted = counts.blocks[block.id]
        if counted.report_count:
            yield (block.id, NO_MEMBER), counted.report_count
        for text, member in members_by_text(block.mechanism.form).items():
            if count := counted.support.get(member):
                yield (block.id, text), count


def _block_counts(block: Block, found: dict[str, int]) -> BlockCounts:
    form = block.mechanism.form
    report_count = found.pop(NO_MEMBER, 0)
    support: dict[Member, int] = {
        member: found.pop(text)
        for text, member in members_by_text(form).items()
        if found.get(text)
    }
    # Each report counts once for each member of its value.
    size = form.shape[0] if form.shape else 1
    is_sum = sum(support.values()) == report_count * size
    if any(found.values()) or not is_sum or max(support.values(), default=0) > report_count:
        raise _inconsistent(block.id)
    return BlockCounts(report_count, support)


def _inconsistent(name: str) -> InconsistentTally:
    what = f"block {name!r}" if name else "all reports"
    return InconsistentTally(
        f"the tally of {what} contradicts itself, so the store was changed by something other "
        "than the collector; compare the tallies with the reports: deniable recount"
    )
