"""One pass over the queue, by one client at a time: every report that is due is tried once.

Among all clients that share a storage, one has the lease to send. The lease lasts
seconds and is renewed while the work lasts. If this client is killed or suspended, the
lease expires; a client that wakes up then may send the same as another, which does no
harm: collectors distinguish reports by their id.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from datetime import UTC
from email.utils import parsedate_to_datetime

from deniable_sdk.client.entry import Entry, State, waiting_for
from deniable_sdk.client.errors import StorageUnavailable
from deniable_sdk.client.log import log
from deniable_sdk.client.options import Clock, Options
from deniable_sdk.client.retry import postponed, wait_of
from deniable_sdk.client.storage.contract import Lease, Storage
from deniable_sdk.client.transport import REQUEST_TIMEOUT_S, Outcome, TookTooLong, in_background
from deniable_sdk.transport import STORED

_TOO_EARLY = 425
# A timeout, too many requests, or no service for now.
_BUSY = (408, 429, 503)
_PASSING = (_TOO_EARLY, *_BUSY)
_REFUSALS = range(400, 500)
_LONGEST_REASON = 300
_LONGEST_NUMBER = 9
LEASE_S = 4.0

# Renewed about every second, not with each of many quick reports.
_RENEW_AFTER_S = 1.0


class FlushRequest:
    """A requested pass, which its caller may wait for; `sent` and `refused` so far."""

    def __init__(self, *, is_urgent: bool) -> None:
        self.is_urgent = is_urgent
        self.sent = 0
        self.refused = 0
        self.done = threading.Event()
        self.error: StorageUnavailable | None = None


class Pass:
    """One pass: its inputs, and its progress.

    One report is sent at a time: several in one request would show that one
    device made them. The queue is read again for each, as other programs add
    to it.
    """

    def __init__(
        self, options: Options, turn: Turn, request: FlushRequest, is_ended: Callable[[], bool]
    ) -> None:
        self._options = options
        self._turn = turn
        self._request = request
        self._is_ended = is_ended
        self._tried: set[str] = set()

    def run(self) -> None:
        """Try every report that is due, once."""
        while not self._is_ended() and self._turn.renew():
            with self._options.storage.transaction() as stored:
                entries = stored.entries()
            due = self._due(entries)
            if not due:
                return
            self._tried.add(due[0].report)
            if not self._send(due[0], due[1:]):
                return

    def _due(self, entries: Iterable[Entry]) -> list[Entry]:
        """Due entries, the least tried first, so that none delays the others."""
        now = self._options.clock.now()
        due = [
            entry
            for entry in waiting_for(entries, self._options.collector)
            if entry.report not in self._tried
            and ((self._request.is_urgent and not entry.is_asked) or wait_of(entry, now) <= 0)
        ]
        return sorted(due, key=lambda entry: entry.tries)

    def _send(self, before: Entry, others: list[Entry]) -> bool:
        """Send one; whether to go on with the others."""
        outcome = self._outcome(before.body or b"")
        # Stopping a try is no failure.
        if outcome is None:
            return False
        entry = self._after(before, outcome)
        # No response, or too busy: other reports must wait, too. Not if a survey is not open yet.
        is_over = entry.state == "waiting" and (
            outcome.status < _REFUSALS.start or outcome.status in _BUSY
        )
        changed = [entry]
        if is_over:
            # Nor would they be taken now; they wait as long as this one.
            waits = {"next_try": entry.next_try, "is_asked": entry.is_asked}
            changed += [other.replace(**waits) for other in others]
        self._keep(changed)
        self._request.sent += entry.state == "sent"
        self._request.refused += entry.state == "refused"
        log("postponed" if entry.state == "waiting" else entry.state, entry.report, outcome.status)
        return not is_over

    def _outcome(self, body: bytes) -> Outcome | None:
        """What the collector said; None if the client was ended meanwhile."""
        transport = self._options.transport
        try:
            return in_background(lambda: transport.send(body), REQUEST_TIMEOUT_S, self._beat)
        except TookTooLong:
            return None if self._is_ended() else Outcome(0)
        except Exception as error:  # noqa: BLE001 - a transport of the app's own may raise anything
            log("failed", error=type(error).__name__)
            return Outcome(0)

    def _beat(self) -> bool:
        self._turn.renew()
        return not self._is_ended()

    def _after(self, before: Entry, outcome: Outcome) -> Entry:
        """The entry as it is after this outcome."""
        now = self._options.clock.now()
        state = verdict_of(outcome, before)
        if state == "waiting":
            tried = before.replace(status=outcome.status)
            return postponed(tried, now, asked_wait(outcome, now), self._options.read_bytes)
        reason = ""
        if state == "refused":
            said = outcome.detail or f"the collector answered {outcome.status}"
            reason = "".join(
                sign if sign.isprintable() else " " for sign in said[:_LONGEST_REASON]
            )
        return before.replace(
            state=state, status=outcome.status, reason=reason, next_try=0.0, is_asked=False
        )

    def _keep(self, changed: list[Entry]) -> None:
        """Store their new states, unless they were wiped or settled meanwhile."""
        with self._options.storage.transaction() as stored:
            waiting = {entry.report for entry in stored.entries() if entry.state == "waiting"}
            for entry in changed:
                if entry.report in waiting:
                    stored.put(entry)


def verdict_of(outcome: Outcome, entry: Entry) -> State:
    """The new state of the report: sent, refused, or waiting for another try.

    An answer that does not name the report did not come from the collector.
    """
    if outcome.status in STORED:
        return "sent" if outcome.report == entry.report else "waiting"
    is_final = outcome.status in _REFUSALS and outcome.status not in _PASSING
    return "refused" if is_final else "waiting"


def asked_wait(outcome: Outcome, now: float) -> float | None:
    """The seconds in Retry-After; None without it."""
    text = (outcome.retry_after or "").strip()
    if text.isascii() and text.isdigit():
        # More digits than these are longer than any wait that is kept.
        return float(text[:_LONGEST_NUMBER])
    try:
        wait = parsedate_to_datetime(text).replace(tzinfo=UTC).timestamp() - now
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return wait if wait >= 0 else None


class Turn:
    """One pass's claim on the lease."""

    def __init__(self, storage: Storage, clock: Clock, holder: str) -> None:
        self._storage = storage
        self._clock = clock
        self._holder = holder
        self._renewed = 0.0

    def take(self) -> bool:
        """Take the lease, if nobody else has it."""
        now = self._clock.now()
        with self._storage.transaction() as stored:
            lease = stored.lease()
            if lease and lease.holder != self._holder and is_held(lease, now):
                return False
            stored.put_lease(Lease(self._holder, now + LEASE_S))
        self._renewed = now
        return True

    def renew(self) -> bool:
        """Renew the lease if due; False if another client has it by now."""
        since = self._clock.now() - self._renewed
        if 0 <= since < _RENEW_AFTER_S:
            return True
        try:
            return self.take()
        except StorageUnavailable:
            # It runs out if this lasts.
            return True

    def give_back(self) -> None:
        """Release the lease if it is still ours."""
        with self._storage.transaction() as stored:
            lease = stored.lease()
            if lease and lease.holder == self._holder:
                stored.put_lease(None)


def is_held(lease: Lease, now: float) -> bool:
    """Whether a lease is valid at this time.

    One that seems to last longer than any does was made before the clock was
    set back, and does not.
    """
    return now < lease.until <= now + LEASE_S
