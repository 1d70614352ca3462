"""Patient rows are taken stretch by stretch, each once, in the order of their arrival."""

import os
import random
from collections.abc import Iterable

from deniable_collector.intake.waiting import IdOrderedBuffer, Kind, RowSlice, RowSubmission
from deniable_collector.store.base import Row

DIGESTS = ("a" * 64, "b" * 64)


def some(count: int, source: random.Random) -> RowSubmission:
    """A patient submission of new rows of two surveys."""
    return RowSubmission(
        {digest: [(source.randbytes(16), digest[0]) for _ in range(count)] for digest in DIGESTS},
        kind=Kind.PATIENT,
    )


def ids(parts: Iterable[RowSlice]) -> list[bytes]:
    """The ids of the rows of the parts, as they stand there."""
    return [row[0] for part in parts for row in part.rows]


def test_every_row_is_given_out_once_and_knows_its_place(random_source: random.Random) -> None:
    """Whatever is added between, nothing is lost, doubled or taken for another's."""
    sweep = IdOrderedBuffer()
    submissions = [some(random_source.randrange(1, 400), random_source) for _ in range(30)]
    parts: list[RowSlice] = []
    for submission in submissions:
        sweep.add(submission)
        parts += sweep.take(random_source.randrange(1, 600))
    while sweep:
        parts += sweep.take(500)
    assert sorted(ids(parts)) == sorted(
        row[0] for submission in submissions for rows in submission.rows.values() for row in rows
    )
    for part in parts:
        theirs = part.submission.rows[part.digest]
        assert [theirs[place] for place in part.indexes] == list(part.rows)


def test_a_sweep_goes_through_the_ids_round_and_round(random_source: random.Random) -> None:
    """Rows that come ahead of it are taken along; those behind wait for the next round."""
    sweep = IdOrderedBuffer()
    sweep.add(some(2_000, random_source))
    first = [identity[0] for identity in ids(sweep.take(2_000))]
    assert max(first) < 255
    late = RowSubmission({DIGESTS[0]: [(bytes([byte] * 16), 0) for byte in (0, 255)]})
    sweep.add(late)
    second = [identity[0] for identity in ids(sweep.take(len(sweep) - 1))]
    assert min(second) == max(first) + 1
    assert second.count(255) > 1
    assert ids(sweep.take(3_000)) == [bytes(16)]
    assert not sweep


def test_no_more_is_given_than_the_stretch_in_which_enough_is_reached(
    random_source: random.Random,
) -> None:
    """A transaction gets about as many rows as were asked for, and never none."""
    sweep = IdOrderedBuffer()
    sweep.add(some(5_000, random_source))
    while len(sweep) > 1_000:
        before = len(sweep)
        found = ids(sweep.take(1_000))
        assert 1_000 <= len(found) < 1_150
        assert before - len(sweep) == len(found)
    assert sweep.take(1)


def test_a_stretch_of_too_many_is_divided_and_holds_up_no_other() -> None:
    """Where somebody chose the ids, and goes on sending, other rows have their turn, too."""
    sweep = IdOrderedBuffer()

    def chosen(first_byte: int, count: int) -> RowSubmission:
        rows: list[Row] = [(bytes([first_byte]) + os.urandom(15), 0) for _ in range(count)]
        return RowSubmission({DIGESTS[0]: rows}, kind=Kind.PATIENT)

    for _ in range(10):
        sweep.add(chosen(7, 500))
    sweep.add(chosen(8, 1))
    found: list[bytes] = []
    while not any(identity[0] == 8 for identity in found):
        found = ids(sweep.take(1_000))
        assert 1_000 <= len(found) < 2_500
        sweep.add(chosen(7, len(found)))
    while sweep:
        assert 0 < len(sweep.take(1_000)) < 2_500


def test_of_rows_with_one_id_the_first_to_come_is_the_first_to_go() -> None:
    """A report that comes again with other values does not take the first one's place."""
    sweep = IdOrderedBuffer()
    same = bytes(16)
    earlier, later = (RowSubmission({DIGESTS[0]: [(same, 1), (same, value)]}) for value in (2, 3))
    sweep.add(earlier)
    sweep.add(later)
    parts = sweep.take(4)
    assert [row for part in parts for row in part.rows] == [
        (same, 1),
        (same, 2),
        (same, 1),
        (same, 3),
    ]
    assert [part.submission for part in parts] == [earlier, later]
