"""Columns of values are counted as one value after another would be."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from deniable_sdk import Block
from deniable_sdk.canonical import encode
from deniable_storage.tally_rows import members_by_text, tally_rows
from sample_definitions import choice, multiple, number, survey, yes_no

BLOCKS = survey(
    yes_no(), choice(options=30), multiple(options=6), number(), ask=3, epsilon=3
).blocks


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
    whole = tally_rows(BLOCKS, found, groups if are_grouped else None)
    assert whole == sorted(whole)
    added: dict[tuple[str, ...], int] = {}
    for row in rows:
        group, one = columns([row])
        for *key, count in tally_rows(BLOCKS, one, group if are_grouped else None):
            assert count == 1
            added[tuple(key)] = added.get(tuple(key), 0) + 1
    assert {tuple(key): count for *key, count in whole} == added
    texts = {block.id: {"", *members_by_text(block.mechanism.form)} for block in BLOCKS}
    assert all(value in texts.get(block, {""}) for block, value, *_ in added)


def test_the_rows_of_one_report_are_itself_its_blocks_and_their_members() -> None:
    """An index is itself, a set has a row for each member, and a pair is JSON."""
    asthma, region, drugs, _ = BLOCKS
    size = region.mechanism.form.shape[0]
    members = ",".join(map(str, range(size)))
    found = tally_rows((asthma, region, drugs), [[1], [f"[{members}]"], ["[[3,1]]"]], ["nurses"])
    assert found == sorted(
        [
            ("", "", "nurses", 1),
            ("asthma", "", "nurses", 1),
            ("asthma", "1", "nurses", 1),
            ("drugs", "", "nurses", 1),
            ("drugs", "[3,1]", "nurses", 1),
            ("region", "", "nurses", 1),
            *(("region", str(member), "nurses", 1) for member in range(size)),
        ]
    )


def test_a_block_that_nobody_was_asked_has_no_row() -> None:
    """What no report has is not in a tally."""
    assert tally_rows(BLOCKS, [[None, None]] * 4) == [("", "", 2)]
