"""The sending thread: it lives only while something waits."""

from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from collections.abc import Iterable

from deniable_sdk.client.entry import waiting_for
from deniable_sdk.client.errors import StorageUnavailable
from deniable_sdk.client.log import log
from deniable_sdk.client.options import Options
from deniable_sdk.client.retry import wait_of
from deniable_sdk.client.sending import LEASE_S, FlushRequest, Pass, Turn

_SHORTEST_S = 1.0
# After a sleep or a change of the clock nothing waits longer than this for it.
_LONGEST_S = 60.0
_POLL_S = 0.1
# A killed program's lease has run out by then.
_TURN_TIMEOUT_S = LEASE_S + 1
_HOLDER_BYTES = 8
_EXIT_S = 0.2


class Sender:
    """Passes over the queue, one after the other, until it is ended."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._is_ended = False
        self.renew()
        _SENDERS.add(self)

    def renew(self) -> None:
        """Start again, in a process that has none of the threads."""
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._requests: list[FlushRequest] = []
        self._thread: threading.Thread | None = None

    def flush_soon(self) -> None:
        """Start sending due reports, without waiting for it."""
        self._ask(FlushRequest(is_urgent=False))

    def flush(self, timeout_s: float | None) -> FlushRequest:
        """The outcome of a pass over all waiting reports, within a time limit.

        Raises:
            StorageUnavailable: it could not read or write what is kept.
        """
        request = FlushRequest(is_urgent=True)
        self._ask(request)
        request.done.wait(timeout_s)
        if request.error is not None:
            raise request.error
        return request

    def end(self, timeout_s: float = 1.0) -> None:
        """Stop sending, and wait briefly for the request in progress."""
        with self._lock:
            self._is_ended = True
            thread = self._thread
        self._wake.set()
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout_s)

    def let_go(self) -> None:
        """Stop as soon as possible, because the client was garbage-collected.

        Called by the garbage collector, possibly amid what holds the lock.
        """
        self._is_ended = True

    def _ask(self, request: FlushRequest) -> None:
        with self._lock:
            if self._is_ended:
                request.done.set()
                return
            self._requests.append(request)
            self._wake.set()
            if self._thread is not None:
                return
            self._thread = threading.Thread(target=self._run, name="deniable", daemon=True)
            try:
                self._thread.start()
            except RuntimeError:
                # No more threads: what is kept goes out with the next one.
                self._thread = None
                self._requests.clear()
                request.done.set()

    def _run(self) -> None:
        wait: float | None = 0.0
        while (requests := self._next_requests(wait)) is not None:
            wait = self._serve(requests)

    def _next_requests(self, wait: float | None) -> list[FlushRequest] | None:
        """What to do next, after a wait; None if the thread may end."""
        if wait:
            self._options.clock.wait(self._wake, wait)
        with self._lock:
            requests, self._requests = self._requests, []
            self._wake.clear()
            if self._is_ended or (wait is None and not requests):
                self._thread = None
                for request in requests:
                    request.done.set()
                return None
            return requests

    def _serve(self, requests: Iterable[FlushRequest]) -> float | None:
        """Run the requested passes; return the time to wait then, None if nothing waits."""
        wait: float | None = None
        for request in requests or [FlushRequest(is_urgent=False)]:
            try:
                wait = self._pass(request)
            except StorageUnavailable as error:
                request.error = error
                wait = _LONGEST_S
            except Exception as error:  # noqa: BLE001 - the host's standard error is not ours
                log("failed", error=type(error).__name__)
                wait = _LONGEST_S
            request.done.set()
        return wait

    def _pass(self, request: FlushRequest) -> float | None:
        options = self._options
        turn = Turn(options.storage, options.clock, options.read_bytes(_HOLDER_BYTES).hex())
        is_taken = self._take(turn)
        if is_taken:
            try:
                Pass(options, turn, request, lambda: self._is_ended).run()
            finally:
                turn.give_back()
        with options.storage.transaction() as stored:
            waiting = waiting_for(stored.entries(), options.collector)
        if not waiting:
            return None
        # Another program that is at it sends what is here; it may end before it has.
        least = _SHORTEST_S if is_taken else LEASE_S
        next_one = min(wait_of(entry, options.clock.now()) for entry in waiting)
        return min(max(least, next_one), _LONGEST_S)

    def _take(self, turn: Turn) -> bool:
        """Acquire the lease as soon as it is free, within a time limit."""
        latest = time.monotonic() + _TURN_TIMEOUT_S
        while not self._is_ended:
            if turn.take():
                return True
            if time.monotonic() > latest:
                return False
            time.sleep(_POLL_S)
        return False


_SENDERS: weakref.WeakSet[Sender] = weakref.WeakSet()


def _renew_all() -> None:
    """A forked child has none of the threads, and must not wait for them."""
    for sender in list(_SENDERS):
        sender.renew()


@atexit.register
def _end_all() -> None:
    """A thread must not write to a log while the interpreter is taken apart."""
    for sender in list(_SENDERS):
        sender.end(_EXIT_S)


# Windows has no fork.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
