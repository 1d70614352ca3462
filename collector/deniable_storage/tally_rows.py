"""The rows of a tally: how many reports of a survey have each block, and each member.

A row is a block, a member of its values as JSON text, and a number of reports; in a survey
by invitation the group comes before the number. Without a member a row counts the reports
that contain the block; without a block it counts all reports.

New reports are counted in whole columns: thousands of texts are split at once, and no loop
visits a member. A process that only stores reports needs no numpy for this.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import Any

from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block

NO_BLOCK = NO_MEMBER = ""
# A block, a member, and in a survey by invitation a group.
TallyKey = tuple[str, ...]
# A key, and a number of reports.
TallyRow = tuple[Any, ...]

# If the first texts of a column are at least so many times more than the different ones among
# them, each different one is split once.
_REPEATED = 4
# How many texts are looked at first, and split at a time.
_AT_ONCE = 64
_MOST_FORMS = 256


def tally_rows(
    blocks: Sequence[Block],
    columns: Sequence[Sequence[Any]],
    groups: Sequence[str] | None = None,
) -> list[TallyRow]:
    """What some reports add to the tally of their survey, in the order of the keys.

    Args:
        blocks: of the survey.
        columns: for each block, its value in each report as a store contains it, None if
            the respondent was not asked the block; there is at least one report.
        groups: for each report its group, in a survey by invitation.
    """
    if groups is None:
        return sorted((*key, count) for key, count in _counted(blocks, columns))
    rows: list[TallyRow] = []
    for group in set(groups):
        are_of_group = [each == group for each in groups]
        own = [list(compress(column, are_of_group)) for column in columns]
        rows += ((*key, group, count) for key, count in _counted(blocks, own))
    return sorted(rows)


@lru_cache(maxsize=_MOST_FORMS)
def members_by_text(form: ValueForm) -> Mapping[str, int | tuple[int, ...]]:
    """All members of values of a form, in ascending order, by their texts in a tally."""
    options = range(form.members)
    if form.are_pairs:
        return {f"[{option},{bit}]": (option, bit) for option in options for bit in (0, 1)}
    return {str(option): option for option in options}


def _counted(
    blocks: Sequence[Block], columns: Sequence[Sequence[Any]]
) -> Iterator[tuple[tuple[str, str], int]]:
    yield (NO_BLOCK, NO_MEMBER), len(columns[0])
    for block, column in zip(blocks, columns, strict=True):
        report_count = len(column) - column.count(None)
        if report_count:
            yield (block.id, NO_MEMBER), report_count
            for member, count in _members(column, block.mechanism.form).items():
                yield (block.id, member), count


def _members(column: Sequence[Any], form: ValueForm) -> Mapping[str, int]:
    """How many values of a column contain each member."""
    if form.shape and len({*column[:_AT_ONCE]}) * _REPEATED > min(len(column), _AT_ONCE):
        texts = list(filter(None, column))
        members: Counter[str] = Counter()
        # A few at a time, so that all of their members are near the processor.
        for begin in range(0, len(texts), _AT_ONCE):
            members.update(_split(texts[begin : begin + _AT_ONCE], form))
    else:
        values = Counter(column)
        del values[None]
        if not form.shape:
            return {str(value): count for value, count in values.items()}
        members = Counter()
        for text, count in values.items():
            for member in _split((text,), form):
                members[member] += count
    if form.are_pairs:
        return {f"[{member}]": count for member, count in members.items()}
    return members


def _split(texts: Iterable[str], form: ValueForm) -> list[str]:
    """The members in canonical texts of lists; pairs without their brackets."""
    joined = "".join(texts)
    if form.are_pairs:
        return joined.replace("]][[", "],[")[2:-2].split("],[")
    return joined.replace("][", ",")[1:-1].split(",")
