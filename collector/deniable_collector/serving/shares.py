"""The share of common resources that one network may use.

A network is one IPv4 address, or the first 48 bits of an IPv6 address, which a site gets.
It may use a quarter of the slots for long bodies, and a quarter of the memory for reading
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

from deniable_collector.serving.bodies import MOST_AHEAD_OF_ALL, Ahead

# Each network may use 1 / PARTS of a resource.
PARTS: Final = 4
_KEY_BYTES: Final = 32
_NAME_BYTES: Final = 16
# The length for IPv6; an IPv4 address has fewer bytes.
_NETWORK_BYTES: Final = 6
# A sender on this machine is a proxy, or could do more harm in other ways.
_OWN: Final = (bytes(15) + b"\1", b"\x7f\0\0\1")


class NetworkShare:
    """The resources that all senders of one network use together."""

    def __init__(self, slots: int, ahead: Ahead) -> None:
        self.slots = asyncio.Semaphore(slots)
        self.ahead = ahead
        self.bodies = 0


class NetworkShares:
    """The shares of all networks that are sending long bodies."""

    def __init__(self, slots: int) -> None:
        self.slots = asyncio.Semaphore(slots)
        self._slots = max(1, slots // PARTS)
        self._ahead = Ahead()
        self._of_ourselves = NetworkShare(slots, self._ahead)
        self._key = os.urandom(_KEY_BYTES)
        self._shares: dict[bytes, NetworkShare] = {}

    def __len__(self) -> int:
        """How many networks are sending long bodies."""
        return len(self._shares)

    @asynccontextmanager
    async def place_until(self, deadline: float, share: NetworkShare) -> AsyncIterator[bool]:
        """A slot for a long body of a network; False if none is free before the deadline."""
        async with AsyncExitStack() as slots:
            try:
                async with asyncio.timeout(max(0, deadline - time.monotonic())):
                    await slots.enter_async_context(share.slots)
                    await slots.enter_async_context(self.slots)
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
            share = self._shares[name] = NetworkShare(self._slots, ahead)
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
