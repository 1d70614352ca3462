"""What becomes of reports: the rules of trying again, the queue's bounds, and time."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate

import pytest

from deniable_sdk import Client, PublishedSurvey, Report
from deniable_sdk.client import Entry, Lease, MemoryStorage, Outcome
from deniable_sdk.client.entry import MOST_BODIES, MOST_BYTES, shed
from deniable_sdk.client.options import SystemClock
from deniable_sdk.client.retry import postponed, wait_of
from deniable_sdk.client.sending import asked_wait
from deniable_sdk.client.transport import REQUEST_TIMEOUT_S
from deniable_sdk.testing import ManualClock, RecordingTransport, open_test_client, stored
from sample_definitions import survey, yes_no

TEN_YEARS_S = 10 * 365 * 24 * 3600
NOW = 2e9


def surveys(count: int) -> list[PublishedSurvey]:
    """Different surveys."""
    return [survey(yes_no(), slug=f"s{number}") for number in range(count)]


def soon(check: Callable[[], bool], clock: ManualClock | None = None) -> None:
    """Fail unless the check holds within a while; the clock, if there is one, goes on."""
    latest = time.monotonic() + 20
    while not check():
        assert time.monotonic() < latest
        time.sleep(0.005)
        if clock:
            clock.advance(1)


class Script:
    """A collector that answers with these statuses, and then stores everything."""

    def __init__(self, *outcomes: Outcome | int) -> None:
        self.outcomes = list(outcomes)

    def __call__(self, body: bytes, count: int) -> Outcome:
        """The next outcome; for 0 there is no answer."""
        if not self.outcomes:
            return stored(body, count)
        outcome = self.outcomes.pop(0)
        if outcome == 0:
            raise OSError
        return Outcome(outcome) if isinstance(outcome, int) else outcome


@contextmanager
def submitted(
    script: Script, clock: ManualClock | None = None, count: int = 1
) -> Iterator[tuple[Client, RecordingTransport, ManualClock]]:
    """A client whose reports were tried once each, or as far as the script let them."""
    clock = clock or ManualClock(NOW)
    transport = RecordingTransport(answer=script)
    with open_test_client(transport, clock=clock) as client:
        for published in surveys(count):
            client.submit(published, {})
        soon(lambda: len(transport.sent) >= 1)
        yield client, transport, clock


def states(client: Client) -> list[str]:
    """The states of all reports."""
    return [entry.state for entry in client.reports()]


@pytest.mark.parametrize("status", [0, 204, 302, 408, 425, 429, 500, 502, 503, 504])
def test_what_passes_is_tried_again(status: int) -> None:
    """Networks, redirects, busy and broken collectors: the same bytes go again, later."""
    with submitted(Script(status)) as (client, transport, clock):
        assert states(client) == ["waiting"]
        soon(lambda: client.reports()[0].status == status)
        soon(lambda: states(client) == ["sent"], clock)
        assert len(transport.sent) == 2
        assert len(set(transport.sent)) == 1


@pytest.mark.parametrize(
    ("status", "detail"), [(400, ""), (404, "no such survey"), (410, "closed"), (422, "illegal")]
)
def test_what_is_final_is_refused_with_its_reason(status: int, detail: str) -> None:
    """Other refusals are not tried again; the app can read why."""
    with submitted(Script(Outcome(status, detail=detail))) as (client, transport, clock):
        soon(lambda: states(client) == ["refused"])
        (state,) = client.reports()
        assert (state.status, state.reason) == (
            status,
            detail or f"the collector answered {status}",
        )
        clock.advance(TEN_YEARS_S)
        flushed = client.flush()
        assert (flushed.waiting, len(transport.sent)) == (0, 1)


def test_a_reason_is_short_and_on_one_line() -> None:
    """What a collector says cannot fill a log or forge a line of it."""
    with submitted(Script(Outcome(400, detail="a\nb\x1b" + "x" * 999))) as (client, _, _):
        soon(lambda: states(client) == ["refused"])
        reason = client.reports()[0].reason
        assert reason.startswith("a b x")
        assert len(reason) == 300


@pytest.mark.parametrize("status", [200, 201])
def test_only_an_answer_that_names_the_report_counts(status: int) -> None:
    """A hotel's login page answers 200 to everything: the report stays."""
    with submitted(Script(Outcome(status), Outcome(status, "0" * 32))) as (client, _, clock):
        assert states(client) == ["waiting"]
        soon(lambda: states(client) == ["sent"], clock)


def test_the_collector_says_when_to_come_back() -> None:
    """Retry-After counts, and asking for a flush does not override it."""
    with submitted(Script(Outcome(429, retry_after="600"))) as (client, transport, clock):
        assert client.flush().waiting == 1
        clock.advance(590)
        assert client.flush().waiting == 1
        assert len(transport.sent) == 1
        soon(lambda: states(client) == ["sent"], clock)


def test_a_flush_does_not_wait_for_what_we_chose() -> None:
    """Whoever asks for a flush has what waits by our own choice tried at once."""
    with submitted(Script(500, 500)) as (client, transport, _):
        soon(lambda: states(client) == ["waiting"])
        while len(transport.sent) < 3:
            client.flush()
        assert states(client) == ["sent"]


def test_no_answer_holds_up_all_and_a_bad_report_only_itself() -> None:
    """After a timeout the others wait too; after a 500 they are tried."""
    with submitted(Script(0, 0), count=3) as (client, transport, _):
        assert len(transport.sent) < 3
        assert set(states(client)) == {"waiting"}
        while "waiting" in states(client):
            client.flush()
    with submitted(Script(500), count=3) as (client, transport, _):
        client.flush()
        soon(lambda: states(client).count("sent") >= 2)


@pytest.mark.parametrize("moved", [-TEN_YEARS_S, -4000, 4000, TEN_YEARS_S])
def test_a_clock_that_is_set_stops_nothing(moved: float) -> None:
    """After a failure the clock is set far back or forth: the report goes out."""
    with submitted(Script(503)) as (client, transport, clock):
        clock.set(NOW + moved)
        soon(lambda: states(client) == ["sent"], clock)
        assert len(set(transport.sent)) == 1


def test_a_lease_from_the_future_holds_nobody_up() -> None:
    """A lease that was taken before the clock was set back is not waited for."""
    storage = MemoryStorage()
    with storage.transaction() as at_work:
        at_work.put_lease(Lease("somebody", NOW + TEN_YEARS_S))
    with open_test_client(RecordingTransport(), storage=storage, clock=ManualClock(NOW)) as client:
        client.submit(surveys(1)[0], {})
        soon(lambda: states(client) == ["sent"])


def test_whoever_has_the_lease_sends_alone() -> None:
    """While another one sends nothing is sent here, until its lease has run out."""
    storage, clock = MemoryStorage(), ManualClock(NOW)
    with storage.transaction() as at_work:
        at_work.put_lease(Lease("somebody", NOW + 3))
    transport = RecordingTransport()
    with open_test_client(transport, storage=storage, clock=clock) as client:
        client.submit(surveys(1)[0], {})
        assert client.flush(0.3).waiting == 1
        assert transport.sent == []
        soon(lambda: states(client) == ["sent"], clock)
    with storage.transaction() as at_work:
        assert at_work.lease() is None


def entry(number: int, **fields: object) -> Entry:
    """A small entry."""
    plain = Entry(str(number), number, "c", "s", "d", f"r{number}", "2/1", b"x")
    return plain.replace(**fields)


def test_waits_grow_from_a_second_to_an_hour() -> None:
    """Full jitter: anything up to twice the last wait, drawn from the system's bytes."""
    longest = [
        postponed(entry(1, tries=tries), 0, None, lambda count: b"\xff" * count).next_try
        for tries in (0, 1, 2, 11, 12, 500)
    ]
    assert longest == [1, 2, 4, 2048, 3600, 3600]
    shortest = postponed(entry(1, tries=500), NOW, None, bytes)
    assert NOW <= shortest.next_try < NOW + 0.001
    assert (shortest.tries, shortest.is_asked) == (501, False)
    asked = postponed(entry(1), NOW, 600, bytes)
    assert asked.next_try == pytest.approx(NOW + 600, abs=0.01)
    assert postponed(entry(1), 0, 1e9, bytes).next_try == 24 * 3600


def test_a_wait_that_nobody_set_is_none() -> None:
    """Longer than an hour, or 32 days for a survey to open, is a clock set back."""
    assert wait_of(entry(1, next_try=NOW + 3599), NOW) == 3599
    assert wait_of(entry(1, next_try=NOW + 3601), NOW) == 0
    assert wait_of(entry(1, next_try=NOW + 32 * 86_400, is_asked=True), NOW) == 32 * 86_400
    assert wait_of(entry(1, next_try=NOW + 32 * 86_400 + 1, is_asked=True), NOW) == 0


@pytest.mark.parametrize(
    ("text", "wait"),
    [
        (None, None), ("", None), ("soon", None), ("-5", None), ("1.5", None), ("²", None),
        ("0", 0), (" 7 ", 7), ("9" * 400, 999_999_999),
        (formatdate(NOW + 90, usegmt=True), 90), (formatdate(NOW - 90, usegmt=True), None),
        ("Fri, 99 Nov 2026 25:61:61 GMT", None),
    ],
)  # fmt: skip
def test_how_long_the_collector_asks_to_wait(text: str | None, wait: float | None) -> None:
    """Seconds or a date, as HTTP has them; anything else asks for nothing."""
    assert asked_wait(Outcome(429, retry_after=text), NOW) == wait


def test_the_queue_is_bounded_and_drops_are_told() -> None:
    """Of more than 100 reports the oldest are dropped, and the app can read which."""

    def nothing(body: bytes, count: int) -> Outcome:
        raise OSError(len(body), count)

    with open_test_client(RecordingTransport(answer=nothing)) as client:
        for published in surveys(MOST_BODIES + 3):
            client.submit(published, {})
        assert states(client) == ["dropped"] * 3 + ["waiting"] * MOST_BODIES
        assert client.flush(0).dropped == 3
        assert len(client.spent().surveys) == MOST_BODIES + 3


def test_what_was_sent_makes_room_first() -> None:
    """Settled reports lose their bytes before any that waits, and a megabyte is all there is."""
    sent = entry(9, state="sent", body=b"x" * (MOST_BYTES - 10))
    waiting = [entry(1, body=b"x" * 20), entry(2)]
    assert shed([sent, *waiting]) == [sent.replace(body=None)]
    assert shed(waiting) == []
    big = [entry(number, body=b"x" * (MOST_BYTES // 2)) for number in (1, 2, 3)]
    (dropped,) = shed(big)
    assert (dropped.number, dropped.state, dropped.body) == (1, "dropped", None)


def test_many_threads_share_a_client() -> None:
    """Reports of many threads are each sent once, and no two share a number."""
    transport = RecordingTransport()
    chosen = surveys(24)
    with open_test_client(transport) as client:

        def work(part: list[PublishedSurvey]) -> None:
            for published in part:
                client.submit(published, {})
                client.reports()

        threads = [threading.Thread(target=work, args=(chosen[n::4],)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        client.flush()
        assert states(client) == ["sent"] * len(chosen)
    ids = [Report.from_bytes(body).id for body in transport.sent]
    assert len(set(ids)) == len(ids) == len(chosen)


def test_a_transport_that_never_returns_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A try takes only so long, whatever it hangs on, and then waits for the next."""
    assert REQUEST_TIMEOUT_S == 30
    monkeypatch.setattr("deniable_sdk.client.sending.REQUEST_TIMEOUT_S", 0.05)
    released = threading.Event()

    def hanging(body: bytes, count: int) -> Outcome:
        if count == 1:
            released.wait(60)
        return stored(body, count)

    clock = ManualClock(NOW)
    with open_test_client(RecordingTransport(answer=hanging), clock=clock) as client:
        client.submit(surveys(1)[0], {})
        soon(lambda: states(client) == ["sent"], clock)
        released.set()


def test_the_thread_is_gone_when_nothing_waits() -> None:
    """An app has a thread more only while there is something to send."""
    # Another test's app may still have its own.
    others = set(threading.enumerate())
    at_work: set[str] = set()

    def ours() -> set[str]:
        return {thread.name for thread in set(threading.enumerate()) - others}

    def noted(body: bytes, count: int) -> Outcome:
        at_work.update(ours())
        return stored(body, count)

    with open_test_client(RecordingTransport(answer=noted), clock=SystemClock()) as client:
        client.submit(surveys(1)[0], {})
        client.flush()
        assert "deniable" in at_work
        soon(lambda: "deniable" not in ours())


def test_a_fault_of_ours_ends_in_a_state(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever goes wrong in the thread, nothing is written to the app's standard error."""
    monkeypatch.setattr("deniable_sdk.client.sending.verdict_of", lambda *_: 1 / 0)
    with open_test_client(RecordingTransport()) as client:
        client.submit(surveys(1)[0], {})
        client.flush()
        assert states(client) == ["waiting"]
    assert capsys.readouterr().err == ""
