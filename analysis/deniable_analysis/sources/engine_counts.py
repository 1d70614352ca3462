"""The counts of one block after the other in a table of an engine, each value checked.

An engine is asked to group rows and count them, and to unnest lists before that. What it is asked
are expressions of Ibis, which writes the SQL of each engine. They are computed where the rows are,
and only counts come back.
"""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import comb
from typing import Any

import numpy as np

from deniable_analysis.arrays import Bools
from deniable_analysis.errors import StudyUnavailable, UnreadableStudy
from deniable_analysis.sources.exports.parquet import code_count, values_of_codes
from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block
from deniable_storage.chunks import strange_value
from deniable_storage.counts import BlockCounts, Integers
from deniable_storage.values import SupportTally, accepts

_REMEDY = "the table was changed after it was exported; export the survey again"
# Lists that can be so many different ones are counted whole; measured in DuckDB: that takes
# about half the time of unnesting them and checking them apart.
MOST_VALUES = 1000
# The column of a result that says how many reports, or members, each row counts.
COUNT = "reports"


def count_by_value(table: Any, blocks: Sequence[Block]) -> Any:
    """The different values of these blocks together, and how many rows have them.

    Columns are those of value_keys for each block, one after another, and COUNT.
    """
    keys = [key for block in blocks for key in value_keys(table, block)]
    return _count_by(table, keys)


def value_keys(table: Any, block: Block) -> list[Any]:
    """The keys that distinguish the values of a block: the number, or the length and members."""
    column, form = table[block.id], block.mechanism.form
    if not form.shape:
        return [column]
    length = column.length()
    is_whole = length == form.shape[0]
    # Some engines refuse an index beyond the end of a list.
    members = [is_whole.ifelse(column[place], None) for place in range(form.shape[0])]
    return [length, *members]


def count_by_legality(table: Any, block: Block) -> Any:
    """How many rows have no value of a block of lists, a legal one, or any other.

    Columns are: whether there is a value, and whether it is legal, each 1 or 0; and COUNT.
    """
    column, form = table[block.id], block.mechanism.form
    is_whole = column.length() == form.shape[0]
    # Numbers, because ClickHouse has no booleans. A missing member makes a condition missing.
    is_legal = is_whole.ifelse(_all_of(_conditions(column, form)).ifelse(1, 0), 0)
    return _count_by(table, [is_present(table, block).ifelse(1, 0), is_legal])


def count_members(table: Any, block: Block) -> Any:
    """Each member of the lists of a block, and how many lists have it.

    Columns are the member, and COUNT.
    """
    members = table.select(member=table[block.id].unnest())
    return _count_by(members, [members.member])


def is_present(table: Any, block: Block) -> Any:
    """Whether rows have a value of a block."""
    column = table[block.id]
    if block.mechanism.form.shape and has_no_null_lists(table, block):
        return column.length() > 0
    return column.notnull()


def has_no_null_lists(table: Any, block: Block) -> bool:
    """Whether the engine has an empty list in place of a missing one.

    In ClickHouse lists are never missing. In BigQuery the members of lists are never missing.
    """
    kind = table[block.id].type()
    return not (kind.nullable and kind.value_type.nullable)


def _conditions(column: Any, form: ValueForm) -> list[Any]:
    """What is true of the members of a legal list that has the right length."""
    size = form.shape[0]
    members = [column[place] for place in range(size)]
    compared = [member // 2 for member in members] if form.are_pairs else members
    ascending = [compared[place] < compared[place + 1] for place in range(size - 1)]
    return [members[0] >= 0, *ascending, members[-1] < code_count(form)]


def _all_of(conditions: Sequence[Any]) -> Any:
    """All conditions at once, as a tree that is not deep: engines limit the depth."""
    if len(conditions) <= 2:
        return reduce(operator.and_, conditions)
    half = len(conditions) // 2
    return _all_of(conditions[:half]) & _all_of(conditions[half:])


def _count_by(table: Any, keys: Sequence[Any]) -> Any:
    named = {f"key{place}": key for place, key in enumerate(keys)}
    return table.group_by(**named).aggregate(**{COUNT: table.count()})


def run(expression: Any, place: str) -> Any:
    """The result of an expression, as an Arrow table of counts.

    Raises:
        StudyUnavailable: the engine cannot compute it.
    """
    try:
        return expression.to_pyarrow()
    except Exception as error:  # noqa: BLE001 - each engine has errors of its own
        # The engine's own words might quote a value.
        raise StudyUnavailable(
            f"{place} cannot be counted now, because its engine raised {type(error).__name__}; "
            "check that it runs, that the table is there, and that you may read it"
        ) from None


@dataclass(frozen=True, slots=True)
class BlockCounter:
    """Counts blocks in a table.

    Args:
        table: of Ibis, with a column for each block.
        place: how errors call it.
    """

    table: Any
    place: str

    def total(self) -> int:
        """How many rows the table has."""
        return int(run(self.table.aggregate(**{COUNT: self.table.count()}), self.place)[COUNT][0])

    def count(self, block: Block) -> tuple[int, BlockCounts]:
        """How many rows the table has, and the counts of a block.

        Raises:
            UnreadableStudy: the block cannot produce one of the values.
            StudyUnavailable: the engine does not answer, or the table changed meanwhile.
        """
        form = block.mechanism.form
        if _value_count(form) > MOST_VALUES and form.shape:
            return self._count_members(block)
        found = run(count_by_value(self.table, [block]), self.place)
        times = found[COUNT].to_numpy()
        present = self._are_present(found, block)
        tally = SupportTally(form)
        values = values_of(found.filter(present), 0, block, self.place)
        tally.add(values, times[present])
        return int(times.sum()), tally.counts()

    def _are_present(self, found: Any, block: Block) -> Bools:
        """Which rows have a value of the block, by their first key."""
        first = found.column(0)
        present: Bools = first.is_valid().to_numpy()
        if block.mechanism.form.shape and has_no_null_lists(self.table, block):
            present &= first.fill_null(0).to_numpy() > 0
        return present

    def _count_members(self, block: Block) -> tuple[int, BlockCounts]:
        form = block.mechanism.form
        rows = run(count_by_legality(self.table, block), self.place).to_pylist()
        if any(row["key0"] and not row["key1"] for row in rows):
            raise UnreadableStudy(strange_value(block, f"{self.place}, ", _REMEDY))
        asked = sum(row[COUNT] for row in rows if row["key0"])
        found = run(count_members(self.table, block), self.place).to_pylist()
        support = {row["key0"]: row[COUNT] for row in found}
        if not all(type(code) is int and 0 <= code < code_count(form) for code in support):
            raise UnreadableStudy(strange_value(block, f"{self.place}, ", _REMEDY))
        if sum(support.values()) != asked * form.shape[0]:
            raise table_changed(self.place)
        members = {divmod(code, 2) if form.are_pairs else code: n for code, n in support.items()}
        return sum(row[COUNT] for row in rows), BlockCounts(asked, members)


def table_changed(place: str) -> StudyUnavailable:
    """The error for a table whose counts are not of one moment."""
    return StudyUnavailable(
        f"{place} changed while it was counted; count a table that does not change, or try again"
    )


def values_of(found: Any, first: int, block: Block, place: str) -> Integers:
    """The value of a block in each row of a result, in which every row has one.

    Args:
        found: the Arrow table, with the keys of the block.
        first: the index of the first of these keys.
        block: the block.
        place: how errors call the table.
    Raises:
        UnreadableStudy: the block cannot produce one of the values.
    """
    form = block.mechanism.form
    lengths, *members = [found.column(first + place) for place in range(key_count(form))]
    numbers = members if form.shape else [lengths]
    values = None
    if not any(column.null_count for column in (lengths, *numbers)) and (
        not form.shape or np.all(lengths.to_numpy() == form.shape[0])
    ):
        codes = np.stack([column.to_numpy() for column in numbers], axis=1)
        values = values_of_codes(form, codes.reshape(-1, *form.shape[:1]))
    if values is None or not accepts(form, values):
        raise UnreadableStudy(strange_value(block, f"{place}, ", _REMEDY))
    return values


def key_count(form: ValueForm) -> int:
    """How many keys tell values of this form apart."""
    return 1 + form.shape[0] if form.shape else 1


def _value_count(form: ValueForm) -> int:
    """How many different values of this form there are."""
    size = form.shape[0] if form.shape else 1
    return comb(form.members, size) * (2**size if form.are_pairs else 1)
