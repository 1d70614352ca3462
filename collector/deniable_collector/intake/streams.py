"""Reports one per line, stored as they arrive: any number, in constant memory."""

from collections import deque
from collections.abc import Iterator
from contextlib import suppress

from deniable_collector.errors import Refused, StoreUnavailable, TooBusy
from deniable_collector.intake.commits import GroupCommit
from deniable_collector.intake.documents import LONGEST_REPORT, Stream
from deniable_collector.intake.reading import Readers
from deniable_collector.intake.receipts import BatchReceipt
from deniable_collector.intake.submissions import ReportBatch, Submitted
from deniable_collector.problems import PROBLEMS, Problem, problem

LINES_AT_A_TIME = 5_000
# A line of many blocks and options takes as much memory as a thousand of others.
GATHERED_BYTES = 4 << 20
# As many bytes of empty lines are some thousand objects.
_BYTES_AT_A_TIME = 1 << 16
# Some megabyte of receipts.
_MOST_REFUSED = 5_000
# A receipt of a stored report is shorter than that, and one of a refused one longer:
# so all are told where most were stored, and a megabyte at most by default.
_RECEIPT_BYTES = 100
_RECEIPTS_BYTES = 1 << 16
# How long a stream waits for room: its sender waits with it.
_PATIENCE_S = 30.0


class _LineTooLong(Exception):
    """A line has more bytes than are allowed."""


_PROBLEMS = {
    _LineTooLong: "line-too-long",
    StoreUnavailable: "store-unavailable",
    TooBusy: "too-busy",
}


def take_lines(
    stream: Stream, readers: Readers, commits: GroupCommit, *, most_receipts: int, longest: int
) -> BatchReceipt:
    """The outcomes of a stream's reports, collected some thousands at a time.

    Args:
        stream: the body; empty lines are skipped.
        readers: the surveys' readers.
        commits: what stores the reports.
        most_receipts: how many receipts are kept.
        longest: the most bytes that a line may have, if that is less than any report's.
    Raises:
        Refused: a line is too long, or the store took no more; says how many
            lines were dealt with before.
    """
    taken = BatchReceipt(most_receipts, _RECEIPTS_BYTES + _RECEIPT_BYTES * most_receipts)
    longest = min(longest, LONGEST_REPORT)
    pending: deque[Submitted] = deque()
    refused = 0
    try:
        for gathered, is_long in _gathered(stream, readers, longest):
            patience_s = _PATIENCE_S if is_long else 0
            pending.append(gathered.submit(commits, is_batch=True, patience_s=patience_s))
            refused += pending[-1].refused
            # While the next lines are read, these are stored. What was refused has
            # no part in their room, and so waits for them in a room of its own.
            while pending and (pending[0].is_done or refused > _MOST_REFUSED):
                refused -= pending[0].refused
                taken.add(pending.popleft().receipts())
        while pending:
            taken.add(pending.popleft().receipts())
    except (_LineTooLong, TooBusy) as error:
        if isinstance(error, TooBusy):
            commits.observer.too_busy()
        _settle(pending, taken)
        raise Refused(_stopped(taken.lines, error)) from None
    except StoreUnavailable as error:
        commits.observer.store_failed(error.cause)
        # What comes after lines that failed is waited for and not counted.
        _settle(pending, BatchReceipt(0))
        raise Refused(_stopped(taken.lines, error)) from None
    return taken


def _settle(pending: deque[Submitted], taken: BatchReceipt) -> None:
    """Wait for all that is on its way, and count it up to the first failure."""
    with suppress(StoreUnavailable):
        while pending:
            taken.add(pending.popleft().receipts())
    for submitted in pending:
        with suppress(StoreUnavailable):
            submitted.receipts()


def _gathered(
    stream: Stream, readers: Readers, longest: int
) -> Iterator[tuple[ReportBatch, bool]]:
    """The lines of a body, some thousands at a time, and whether there are so many."""
    gathered = ReportBatch(readers)
    is_long = False
    for line in _lines(stream, longest):
        gathered.add_line(line)
        if len(gathered) == LINES_AT_A_TIME or gathered.size_bytes >= GATHERED_BYTES:
            is_long = True
            yield gathered, is_long
            gathered = ReportBatch(readers)
    if len(gathered):
        yield gathered, is_long


def _lines(stream: Stream, longest: int) -> Iterator[bytes]:
    begun = bytearray()
    while chunk := stream.read(_BYTES_AT_A_TIME):
        first, *others = chunk.split(b"\n")
        begun += first
        if others:
            *whole, last = others
            yield from _checked([bytes(begun), *whole], longest)
            begun = bytearray(last)
        if len(begun) > longest:
            raise _LineTooLong
    yield from _checked([bytes(begun)], longest)


def _checked(lines: list[bytes], longest: int) -> Iterator[bytes]:
    for line in lines:
        if len(line) > longest:
            raise _LineTooLong
        if line and not line.isspace():
            yield line


def _stopped(lines: int, error: Exception) -> Problem:
    name = _PROBLEMS[type(error)]
    return problem(
        name,
        f"{PROBLEMS[name].title} after {lines} lines, which were processed; send everything "
        "again later: reports already stored are recognised.",
    )
