"""Columns of values are counted as one value after another would be."""

from operator import add
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable_sdk import Block
from deniable_sdk.canonical import encode
from deniable_storage.errors import StrangeValue
from deniable_storage.tally_rows import TallyCounter
from sample_definitions import choice, multiple, number, survey, yes_no

BLOCKS = survey(
    yes_no(), choice(options=30), multiple(options=6), number(), ask=3, epsilon=3
).blocks
COUNTER = TallyCounter(BLOCKS)


def values(block: Block) -> st.SearchStrategy[object]:
    """What a store contains of a block: an index, a text of a list, or nothing."""
    form = block.mechanism.form
    indexes = st.integers(0, form.members - 1)
    if not form.shape:
        return st.one_of(st.none(), indexes)
    size = form.shape[0]
    lists: st.SearchStrategy[Any] = st.lists(
        indexes, min_size=size, max_size=size, unique=True
    ).map(sorted)
    if form.are_pairs:
        bits = st.lists(st.integers(0, 1), min_size=size, max_size=size)
        lists = st.tuples(lists, bits).map(lambda both: list(map(list, zip(*both, strict=True))))
    return st.one_of(st.none(), lists.map(lambda members: encode(members).decode()))


ROWS = st.lists(st.tuples(st.sampled_from("abc"), *map(values, BLOCKS)), min_size=1, max_size=40)


def columns(rows: list[tuple[Any, ...]]) -> tuple[list[str], list[list[Any]]]:
    """The groups of rows, and the values of each block."""
    groups, *found = map(list, zip(*rows, strict=True))
    return groups, found


@given(ROWS, st.booleans(), st.integers(1, 20))
def test_columns_are_counted_as_one_by_one(
    rows: list[tuple[Any, ...]], are_grouped: bool, times: int
) -> None:
    """The rows of a tally are the sum of those of single reports, with groups or without."""
    rows = rows * times
    groups, found = columns(rows)
    whole = COUNTER.rows(found, groups if are_grouped else None)
    assert whole == sorted(whole)
    added: dict[tuple[str, ...], tuple[int, ...]] = {}
    for row in rows:
        group, one = columns([row])
        for *key, counts in COUNTER.rows(one, group if are_grouped else None):
            assert {*counts} <= {0, 1}
            before = added.get(tuple(key), (0,) * len(counts))
            added[tuple(key)] = tuple(map(add, before, counts))
    assert {tuple(key): counts for *key, counts in whole} == added


def test_the_rows_of_one_report_are_itself_and_its_blocks() -> None:
    """An index, the members of a list, and pairs are counted at their places."""
    asthma, region, drugs, _ = BLOCKS
    size = region.mechanism.form.shape[0]
    members = ",".join(map(str, range(size)))
    found = TallyCounter((asthma, region, drugs)).rows(
        [[1], [f"[{members}]"], ["[[3,1]]"]], ["nurses"]
    )
    pairs = [0] * (2 * drugs.mechanism.form.members)
    pairs[2 * 3 + 1] = 1
    assert found == [
        ("", "nurses", (1,)),
        ("asthma", "nurses", (1, 0, 1, 0)),
        ("drugs", "nurses", (1, *pairs)),
        ("region", "nurses", (1, *[1] * size, *[0] * (region.mechanism.form.members - size))),
    ]


def test_a_block_that_nobody_was_asked_has_no_row() -> None:
    """What no report has is not in a tally."""
    assert COUNTER.rows([[None, None]] * 4) == [("", (2,))]


@pytest.mark.parametrize(
    ("index", "value"),
    [(0, 3), (0, -1), (0, "1"), (0, "[1]"), (1, 0), (1, "[99,100]"), (2, "[[0,2]]"), (2, 7)],
)
def test_a_value_that_no_device_sends_is_refused(index: int, value: object) -> None:
    """The error names the block and no value."""
    found: list[list[Any]] = [[None] for _ in BLOCKS]
    found[index] = [value]
    with pytest.raises(StrangeValue) as refused:
        COUNTER.rows(found)
    assert str(refused.value) == (
        f"block {BLOCKS[index].id!r}: got a value that its mechanism cannot produce"
    )
