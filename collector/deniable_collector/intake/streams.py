"""Reports from bodies: one report, an array of reports, or any number of lines.

Lines are stored as they arrive, with a fixed amount of memory.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import suppress

from deniable_collector.deadlines import renew_deadline
from deniable_collector.errors import Refused, StoreUnavailable, TooBusy
from deniable_collector.intake.commits import GroupCommit, IntakeObserver
from deniable_collector.intake.documents import LONGEST_REPORT, Documents, Stream
from deniable_collector.intake.reading import Readers
from deniable_collector.intake.receipts import BatchReceipt, ReportReceipt, unreadable
from deniable_collector.intake.refusals import Refusals, RefusedInCrowd, TooManyRefused
from deniable_collector.intake.submissions import ReportBatch
from deniable_collector.problems import PROBLEMS, Problem, problem
from deniable_sdk.canonical import NotCanonical

LINES_AT_A_TIME = 5_000
# A line with many blocks and options uses as much memory as a thousand other lines.
GATHERED_BYTES = 4 << 20
# So many bytes of empty lines become some tens of thousands of objects.
_BYTES_AT_A_TIME = 1 << 16
# The receipt of a stored report is shorter than this, and that of a refused report is
# longer. So all receipts are returned if most reports were stored, and by default at most a
# megabyte of receipts.
_RECEIPT_BYTES = 100
_RECEIPTS_BYTES = 1 << 16
# How long a stream waits for room; its sender waits as long.
_PATIENCE_S = 10.0


class _LineTooLong(Exception):
    """A line has more bytes than are allowed."""


_PROBLEMS = {
    _LineTooLong: "line-too-long",
    TooManyRefused: "too-many-refused",
    StoreUnavailable: "store-unavailable",
    TooBusy: "too-busy",
    RefusedInCrowd: "too-busy",
}


def take_lines(  # noqa: PLR0913 - a body and where it goes; the rest are keywords
    stream: Stream,
    readers: Readers,
    commits: GroupCommit,
    *,
    most_receipts: int,
    longest: int,
    refusals: Refusals | None = None,
) -> BatchReceipt:
    """The outcomes of a stream's reports, which are stored some thousands at a time.

    Args:
        stream: the body; empty lines are skipped.
        readers: the surveys' readers.
        commits: stores the reports.
        most_receipts: how many receipts are kept.
        longest: the most bytes of a line, if that is less than the limit for any report.
        refusals: counts the refused lines.
    Raises:
        Refused: a line is too long, too many lines were refused, or the store accepted no
            more; the message says how many lines were processed before.
    """
    refusals = refusals or Refusals(on_refused=commits.observer.refused)
    taken = BatchReceipt(most_receipts, _RECEIPTS_BYTES + _RECEIPT_BYTES * most_receipts)
    longest = min(longest, LONGEST_REPORT)
    pending: deque[ReportBatch] = deque()
    try:
        for gathered, is_long in _gathered(stream, readers, refusals, longest):
            patience_s = _PATIENCE_S if is_long else 0
            gathered.submit(commits, is_batch=True, patience_s=patience_s)
            pending.append(gathered)
            # These lines are stored while the next ones are read.
            while pending and pending[0].is_done:
                _count(pending.popleft(), taken, refusals)
                renew_deadline()
        while pending:
            _count(pending.popleft(), taken, refusals)
    except (_LineTooLong, TooBusy, TooManyRefused) as error:
        _note(error, commits.observer)
        _settle(pending, taken)
        advice = refusals.advice if isinstance(error, TooManyRefused) else _ALL_AGAIN
        raise Refused(_stopped(taken.lines, error, advice)) from None
    except StoreUnavailable as error:
        commits.observer.store_failed(error.cause)
        # Lines after the failed ones are waited for but not counted.
        _settle(pending, BatchReceipt(0))
        raise Refused(_stopped(taken.lines, error)) from None
    finally:
        commits.observer.lines_refused(taken.refused)
    return taken


def _count(stored: ReportBatch, taken: BatchReceipt, refusals: Refusals) -> None:
    taken.add(stored.receipts())
    refusals.require_few(taken.refused, taken.latest_problem)


def _note(error: Exception, observer: IntakeObserver) -> None:
    """Count what ended a body of lines early."""
    if isinstance(error, TooBusy):
        observer.too_busy()
    if isinstance(error, _LineTooLong):
        observer.refused(_PROBLEMS[_LineTooLong])
        observer.lines_refused(1)


def _settle(pending: deque[ReportBatch], taken: BatchReceipt) -> None:
    """Wait for everything that was submitted, and count it up to the first failure."""
    with suppress(StoreUnavailable):
        while pending:
            taken.add(pending.popleft().receipts())
    for submitted in pending:
        with suppress(StoreUnavailable):
            submitted.receipts()


def _gathered(
    stream: Stream, readers: Readers, refusals: Refusals, longest: int
) -> Iterator[tuple[ReportBatch, bool]]:
    """The lines of a body, some thousands at a time, and whether the body is a long one."""
    gathered = ReportBatch(readers, refusals)
    is_long = False
    try:
        for line in _lines(stream, longest):
            gathered.add_line(line)
            if len(gathered) == LINES_AT_A_TIME or gathered.size_bytes >= GATHERED_BYTES:
                is_long = True
                yield gathered, is_long
                gathered = ReportBatch(readers, refusals)
    except (_LineTooLong, TooManyRefused):
        # The legal lines before are stored.
        yield gathered, is_long
        raise
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


_ALL_AGAIN = "send everything again later: reports already stored are recognised."


def _stopped(lines: int, error: Exception, advice: str = _ALL_AGAIN) -> Problem:
    name = _PROBLEMS[type(error)]
    title = PROBLEMS[name].title
    return problem(name, f"{title} after {lines} lines, which were processed; {advice}")


def take_json(
    stream: Stream,
    readers: Readers,
    commits: GroupCommit,
    most_reports: int,
    refusals: Refusals | None = None,
) -> ReportReceipt | list[ReportReceipt]:
    """The receipt of the report in a JSON body, or one for each of an array.

    All legal reports of one body are stored in one transaction. Reading stops at the first
    report beyond the allowed number.

    Raises:
        Refused: the body as a whole cannot be read, or has too many reports.
        TooBusy, StoreUnavailable: nothing was stored.
    """
    refusals = refusals or Refusals(on_refused=commits.observer.refused)
    gathered = ReportBatch(readers, refusals)
    documents = Documents(stream)
    if not documents.is_array():
        gathered.add_line(documents.whole())
        gathered.submit(commits)
        return gathered.receipts()[0]
    try:
        for text in documents.members():
            if len(gathered) == most_reports:
                raise Refused.because(
                    "too-many-reports",
                    f"The batch has more than {most_reports} reports and none was stored; allowed "
                    f"are {most_reports} at a time; send them in several requests, or one a line "
                    "as NDJSON.",
                )
            gathered.add_text(text)
    except NotCanonical as error:
        commits.observer.refused("not-json")
        raise Refused(unreadable(error)) from None
    except TooManyRefused as error:
        detail = f"None of the array was stored; {refusals.advice}"
        raise Refused.because(_PROBLEMS[type(error)], detail) from None
    gathered.submit(commits, is_batch=True)
    return gathered.receipts()
