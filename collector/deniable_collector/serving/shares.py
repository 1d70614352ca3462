"""The share of common resources that one network may use.

A network is one IPv4 address, or the first 48 bits of an IPv6 address, which a site gets.
It may use a quarter of the places for long bodies, and a quarter of the memory for reading
ahead. So a university behind one address has room for many people, and other networks
always have some. No address is kept: the key of a network's counts is a hash with a key of
this process, and the entry is deleted with the network's last long body.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from hashlib import blake2b
from typing import Final

from deniable_collector.serving.bodies import MOST_AHEAD_OF_ALL, Ahead, BodyStream

# Each network may use 1 / PARTS of a resource.
PARTS: Final = 4
# How often one of the bodies loses its place while others wait for it, and how far behind
# the rate that is expected then its sender has to be.
_STEP_S: Final = 0.1
_MOST_BEHIND_S: Final = 0.5
_KEY_BYTES: Final = 32
_NAME_BYTES: Final = 16
# The length for IPv6; an IPv4 address has fewer bytes.
_NETWORK_BYTES: Final = 6
# A sender on this machine is a proxy, or could do more harm in other ways.
_OWN: Final = (bytes(15) + b"\1", b"\x7f\0\0\1")


class BodyPlaces:
    """Places for bodies that threads read while they arrive.

    Whoever waits for a place makes the slowest senders lose theirs, one after the other.

    Args:
        count: how many places there are.
    """

    def __init__(self, count: int) -> None:
        self._free = asyncio.Semaphore(count)
        self._bodies: set[BodyStream] = set()

    @asynccontextmanager
    async def taken_by(self, body: BodyStream) -> AsyncIterator[None]:
        """A block in which a body has a place; it waits for one, in the order of arrival."""
        waiting = asyncio.ensure_future(self._free.acquire())
        try:
            while not (await asyncio.wait((waiting,), timeout=_STEP_S))[0]:
                self._displace_slowest()
        except BaseException:
            if not waiting.cancel():
                self._free.release()
            raise
        self._bodies.add(body)
        try:
            yield
        finally:
            self._bodies.remove(body)
            self._free.release()

    def _displace_slowest(self) -> None:
        candidates = [body for body in self._bodies if not body.is_displaced]
        slowest = max(candidates, key=lambda body: body.behind_s, default=None)
        if slowest and slowest.behind_s > _MOST_BEHIND_S:
            slowest.displace()


class NetworkShare:
    """The resources that all senders of one network use together."""

    def __init__(self, places: int, ahead: Ahead) -> None:
        self.places = BodyPlaces(places)
        self.ahead = ahead
        self.bodies = 0


class NetworkShares:
    """The shares of all networks that are sending long bodies."""

    def __init__(self, places: int) -> None:
        self._all = BodyPlaces(places)
        self._of_one = max(1, places // PARTS)
        self._ahead = Ahead()
        self._of_ourselves = NetworkShare(places, self._ahead)
        self._key = os.urandom(_KEY_BYTES)
        self._shares: dict[bytes, NetworkShare] = {}

    def __len__(self) -> int:
        """How many networks are sending long bodies."""
        return len(self._shares)

    @asynccontextmanager
    async def place_until(
        self, deadline: float, share: NetworkShare, body: BodyStream
    ) -> AsyncIterator[bool]:
        """A place for a long body of a network; False if none is free before the deadline."""
        async with AsyncExitStack() as places:
            try:
                async with asyncio.timeout(max(0, deadline - time.monotonic())):
                    for each in (share.places, self._all):
                        await places.enter_async_context(each.taken_by(body))
            except TimeoutError:
                yield False
            else:
                yield True

    @contextmanager
    def of(self, address: bytes) -> Iterator[NetworkShare]:
        """The share of an address's network, for the time in which a body arrives."""
        network = network_of(address)
        if network is None:
            yield self._of_ourselves
            return
        name = blake2b(network, key=self._key, digest_size=_NAME_BYTES).digest()
        share = self._shares.get(name)
        if share is None:
            ahead = Ahead(MOST_AHEAD_OF_ALL // PARTS, self._ahead)
            share = self._shares[name] = NetworkShare(self._of_one, ahead)
        share.bodies += 1
        try:
            yield share
        finally:
            share.bodies -= 1
            if not share.bodies:
                del self._shares[name]


def network_of(address: bytes) -> bytes | None:
    """The network of an address; None for this machine's own address."""
    return None if address in _OWN else address[:_NETWORK_BYTES]
