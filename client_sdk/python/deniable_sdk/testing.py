"""For tests of apps only: nothing is sent, time is fixed, draws repeat.

No other module of this package imports this one, and `open_client` takes its
random bytes from the operating system and nowhere else.
"""

import threading
from collections.abc import Callable, Sequence
from fractions import Fraction

from deniable_sdk.client import Client, MemoryStorage, Outcome, Storage, Transport
from deniable_sdk.client.options import Clock, Options, read_cap
from deniable_sdk.randomness import ReadBytes, system_bytes
from deniable_sdk.report import Report
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.transport import CollectorRefused

COLLECTOR = "https://collector.example"

_POLL_S = 0.005


class TapeExhausted(AssertionError):
    """More bytes were asked for than the tape holds."""


class Tape:
    """A source of fixed bytes, returned in order, once.

    `position` is how many bytes were read so far.

    Args:
        data: the bytes.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.position = 0

    def __call__(self, count: int) -> bytes:
        """The next `count` bytes.

        Raises:
            TapeExhausted: fewer are left.
        """
        end = self.position + count
        if end > len(self._data):
            raise TapeExhausted(
                f"asked for {count} bytes at position {self.position}; "
                f"the tape holds {len(self._data)}: give it more, or draw less"
            )
        drawn = self._data[self.position : end]
        self.position = end
        return drawn

    def assert_all_read(self) -> None:
        """Fail unless every byte was asked for."""
        left = len(self._data) - self.position
        if left:
            raise AssertionError(f"{left} of {len(self._data)} bytes of the tape were never read")


class ManualClock:
    """A clock that moves only when a test moves it.

    Args:
        now: seconds since 1970.
    """

    def __init__(self, now: float = 0.0) -> None:
        self._now = now
        self._passed = 0.0

    def now(self) -> float:
        """The time it shows."""
        return self._now

    def wait(self, event: threading.Event, timeout_s: float) -> None:
        """Return when the event is set, or when the clock was moved by this time."""
        until = self._passed + timeout_s
        while self._passed < until and not event.wait(_POLL_S):
            pass

    def advance(self, seconds: float) -> None:
        """Advance the clock, and wake the threads whose wait is over."""
        self._now += seconds
        self._passed += seconds

    def set(self, now: float) -> None:
        """Show another time, as if a person had set the clock; nobody is woken."""
        self._now = now


def stored(body: bytes, count: int) -> Outcome:
    """The answer of a collector that stores every report."""
    del count
    return Outcome(201, Report.from_bytes(body).id)


class RecordingTransport:
    """A transport that sends nothing and records reports in `sent`.

    Args:
        surveys: those that the collector has.
        log: its public log, as it answers; b"" is none.
        answer: what it says to a report, given its bytes and its number,
            counted from 1; that it is stored if left out. Raise for no answer.
    """

    def __init__(
        self,
        surveys: Sequence[PublishedSurvey] = (),
        answer: Callable[[bytes, int], Outcome] = stored,
        log: bytes = b"",
    ) -> None:
        self.surveys = list(surveys)
        self.answer = answer
        self.log = log
        self.sent: list[bytes] = []

    def get_survey(self, slug: str, digest: str | None) -> bytes:
        """The bytes of the survey that was published last under this slug.

        Raises:
            CollectorRefused: there is none.
        """
        for survey in reversed(self.surveys):
            if survey.slug == slug and digest in {None, survey.digest}:
                return survey.document
        raise CollectorRefused(404, "the collector answered 404: no such survey")

    def get_log(self) -> bytes:
        """The log, as it was given."""
        return self.log

    def send(self, body: bytes) -> Outcome:
        """The result of `answer`, after the body was recorded."""
        self.sent.append(body)
        return self.answer(body, len(self.sent))


def open_test_client(  # noqa: PLR0913 - a test names the few that it needs
    transport: Transport,
    *,
    storage: Storage | None = None,
    clock: Clock | None = None,
    read_bytes: ReadBytes = system_bytes,
    epsilon_cap: Fraction | float | str | None = None,
    yearly_cap: Fraction | float | str | None = None,
    sends_at_once: bool = False,
    log_key: str | None = None,
) -> Client:
    """A client in memory without caps, with your own parts where you pass them.

    Args:
        transport: for example a RecordingTransport.
        storage: memory if left out.
        clock: a ManualClock if left out.
        read_bytes: source of random bytes, for example a Tape.
        epsilon_cap: the most that one survey may spend.
        yearly_cap: the most that all surveys of 365 days may spend together.
        sends_at_once: whether reports with a token do not wait a random time first.
        log_key: of the public log that a survey must be in.
    """
    return Client(
        Options(
            collector=COLLECTOR,
            storage=storage or MemoryStorage(),
            transport=transport,
            clock=clock or ManualClock(),
            read_bytes=read_bytes,
            epsilon_cap=read_cap(epsilon_cap),
            yearly_cap=read_cap(yearly_cap),
            sends_at_once=sends_at_once,
            log_key=log_key,
        )
    )
