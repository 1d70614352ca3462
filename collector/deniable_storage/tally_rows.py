"""The rows of a tally: how many reports of a survey have each block, and each member.

A row is a block and its counts; in a survey by invitation the group comes between them. The
first count is that of the reports that contain the block, the others are those of its
members, in their order. Without a block, the only count is that of all reports. SQLite
stores the rows of a group together, as one JSON object.

New reports are counted in whole columns. Where a block has few values, each is one large
number that contains a 1 for each of its counts, and the numbers of a column are added up;
where it has many, their texts are joined and split at once. A process that only stores
reports needs no numpy for this.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import compress
from math import comb
from operator import itemgetter
from struct import Struct
from typing import Any

from deniable_sdk.foreign import NotJson, read_object
from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block
from deniable_storage.errors import StrangeValue

NO_BLOCK = ""
# A block, and in a survey by invitation a group.
TallyKey = tuple[str, ...]
# A key, and a tuple of counts.
TallyRow = tuple[Any, ...]

# How many texts are split at a time, so that all of their members are near the processor.
_AT_ONCE = 64
# The most counts in the large numbers of a form, which has one for each value.
_MOST_COUNTS = 1 << 16
_MOST_FORMS = 256
# The bits of one count in a large number, which Struct reads as I.
_BITS = 32


class TallyCounter:
    """Counts reports of the survey with these blocks."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        counters = (
            (block.id, index, _counter(block.mechanism.form)) for index, block in enumerate(blocks)
        )
        # In the order of the keys.
        self._counters = sorted(counters, key=itemgetter(0))

    def rows(
        self, columns: Sequence[Sequence[Any]], groups: Sequence[str] | None = None
    ) -> list[TallyRow]:
        """What some reports add to the tally, in the order of the keys.

        Args:
            columns: for each block, its value in each report as a store contains it, None if
                the respondent was not asked the block; there is at least one report.
            groups: for each report its group, in a survey by invitation.
        Raises:
            StrangeValue: a block cannot produce one of its values; the message names the
                block and no value.
        """
        if groups is None:
            return self._counted(columns)
        rows: list[TallyRow] = []
        for group in set(groups):
            are_of_group = [each == group for each in groups]
            own = [list(compress(column, are_of_group)) for column in columns]
            rows += ((block, group, counts) for block, counts in self._counted(own))
        return sorted(rows)

    def _counted(self, columns: Sequence[Sequence[Any]]) -> list[TallyRow]:
        """The rows without groups; what no report has is not in a tally."""
        rows: list[TallyRow] = [(NO_BLOCK, (len(columns[0]),))]
        block = NO_BLOCK
        try:
            for block, index, counter in self._counters:
                column = columns[index]
                # Most blocks of a long survey may be in none of a few reports.
                if column.count(None) < len(column):
                    rows.append((block, counter.count(column)))
        except (KeyError, TypeError):
            # Without its cause, which quotes a member.
            problem = f"block {block!r}: got a value that its mechanism cannot produce"
            raise StrangeValue(problem) from None
        return rows


def read_counts(text: bytes) -> dict[str, Sequence[int]]:
    """The counts of each block in a JSON object; empty for a block whose counts are no list.

    A text that is no JSON object has only the counts of all reports, and they are empty.
    """
    try:
        found = read_object(text)
    except NotJson:
        return {NO_BLOCK: ()}
    return {block: each if isinstance(each, list) else () for block, each in found.items()}


@lru_cache(maxsize=_MOST_FORMS)
def members_by_text(form: ValueForm) -> Mapping[str, int | tuple[int, ...]]:
    """All members of values of a form, in ascending order, by their canonical texts."""
    options = range(form.members)
    if form.are_pairs:
        return {f"[{option},{bit}]": (option, bit) for option in options for bit in (0, 1)}
    return {str(option): option for option in options}


class _ColumnCounter(dict[Any, int]):
    """Counts values of one form; it contains the large numbers of those that occurred."""

    def __init__(self, form: ValueForm) -> None:
        super().__init__({None: 0})
        self._form = form
        members = members_by_text(form)
        # Where each member is among the counts; pairs are texts without their brackets.
        keys = (text.strip("[]") for text in members) if form.shape else members.values()
        self._places: Mapping[Any, int] = {key: place for place, key in enumerate(keys, 1)}
        self._size = 1 + len(members)
        size = form.shape[0] if form.shape else 1
        value_count = comb(form.members, size) << (size if form.are_pairs else 0)
        self._are_few = value_count * self._size <= _MOST_COUNTS
        self._counts = Struct(f"<{self._size}I")

    def count(self, column: Sequence[Any]) -> tuple[int, ...]:
        """How many values of a column there are, and how many contain each member.

        Raises:
            KeyError: a value is not of the form.
            TypeError: as KeyError.
        """
        if self._are_few:
            if len(column) <= _AT_ONCE:
                total = sum(map(self.__getitem__, column))
            else:
                total = sum(count * self[value] for value, count in Counter(column).items())
            return self._counts.unpack(total.to_bytes(self._counts.size, "little"))
        values = [value for value in column if value is not None]
        counts = [len(values), *([0] * (self._size - 1))]
        if len(values) <= _AT_ONCE:
            # A Counter would take longer.
            for member in self._members(values):
                counts[self._places[member]] += 1
        else:
            members: Counter[Any] = Counter()
            for begin in range(0, len(values), _AT_ONCE):
                members.update(self._members(values[begin : begin + _AT_ONCE]))
            for member, count in members.items():
                counts[self._places[member]] = count
        return tuple(counts)

    def _members(self, values: Sequence[Any]) -> Sequence[Any]:
        """The members of some values, one after another."""
        return _split("".join(values), self._form) if self._form.shape else values

    def __missing__(self, value: Any) -> int:
        if isinstance(value, str) != bool(self._form.shape):
            raise TypeError
        members = _split(value, self._form) if self._form.shape else [value]
        places = [0, *(self._places[member] for member in members)]
        number = self[value] = sum(1 << (_BITS * place) for place in places)
        return number


@lru_cache(maxsize=_MOST_FORMS)
def _counter(form: ValueForm) -> _ColumnCounter:
    return _ColumnCounter(form)


def _split(joined: str, form: ValueForm) -> list[str]:
    """The members in canonical texts of lists, one after another; pairs without brackets."""
    if form.are_pairs:
        return joined.replace("]][[", "],[")[2:-2].split("],[")
    return joined.replace("][", ",")[1:-1].split(",")
