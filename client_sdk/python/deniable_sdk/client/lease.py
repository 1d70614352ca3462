"""The lease to send: one client at a time among all that share a storage.

The lease lasts seconds and is renewed while the work lasts. If its holder is
killed or suspended it runs out; a client that wakes up then may send the same as
another, which does no harm: collectors distinguish reports by their id.
"""

from __future__ import annotations

from deniable_sdk.client.errors import StorageUnavailable
from deniable_sdk.client.options import Clock
from deniable_sdk.client.storage.contract import Lease, Storage

LEASE_S = 4.0

# Renewed about every second, not with each of many quick reports.
_RENEW_AFTER_S = 1.0


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
