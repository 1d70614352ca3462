"""What an engine is asked: to group rows and count them, and to unnest lists before that.

Both are expressions of Ibis, which writes the SQL of each engine. They are computed where the
rows are, and only counts come back.
"""

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

from deniable_analysis.sources.exports.parquet_columns import code_count
from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block

# The column of a result that says how many reports, or members, each row counts.
COUNT = "reports"


def count_by_value(table: Any, blocks: Sequence[Block]) -> Any:
    """The different values of these blocks together, and how many rows have them.

    Columns are those of value_keys for each block, one after another, and COUNT.
    """
    keys = [key for block in blocks for key in value_keys(table, block)]
    return _count_by(table, keys)


def value_keys(table: Any, block: Block) -> list[Any]:
    """What tells the values of a block apart: the number, or a list's length and its members."""
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
