"""The bodies of requests: short ones complete, long ones as they arrive."""

import asyncio
import time
from concurrent.futures import CancelledError
from io import RawIOBase
from typing import Any, Protocol

from werkzeug.exceptions import ClientDisconnected

# How much of a body nobody wants is read, so that its sender sees the answer.
MOST_DISCARDED = 64 << 20
# A sender below this rate per second may keep us waiting no longer than a silent one.
LEAST_BYTES_A_SECOND = 4 << 10
# What is read before a thread is given to a body, of one and of all together.
MOST_AHEAD = 1 << 19
MOST_AHEAD_OF_ALL = 32 << 20


class BodySource(Protocol):
    """The server's interface to a request's body."""

    def __call__(self) -> Any:
        """The whole body, once awaited."""
        ...

    def __aiter__(self) -> Any:
        """The parts of the body, as they arrive."""
        ...


class BrokenBody(ClientDisconnected):
    """The sender went away, was silent for too long, or broke off the body."""


async def read_whole(transport: BodySource, timeout_s: float) -> bytes:
    """The body at once.

    Raises:
        BrokenBody: it did not come whole, or not in time.
    """
    try:
        async with asyncio.timeout(timeout_s):
            body: bytes = await transport()
    except Exception as error:  # the server has classes of its own for each way it breaks
        raise BrokenBody from error
    return body


class Ahead:
    """How many bytes of bodies may still be read ahead, of some together.

    Args:
        most: how many, in total.
        whole: what these bodies share with others.
    """

    def __init__(self, most: int = MOST_AHEAD_OF_ALL, whole: "Ahead | None" = None) -> None:
        self._left = most
        self._whole = whole

    @property
    def left(self) -> int:
        """How many more may be read."""
        return min(self._left, self._whole.left) if self._whole else self._left

    def take(self, size: int) -> None:
        """Read so many, or give them back where they are less than none."""
        self._left -= size
        if self._whole:
            self._whole.take(size)


class BodyStream(RawIOBase):
    """A body that one thread receives and another reads.

    What comes before a thread wants it waits here, up to a limit. After that
    nothing is read before it is asked for, so a body takes as much memory as
    that, whatever its length. One that comes in chunks and breaks off cannot
    be told from one that ends there.

    Args:
        transport: where it comes from; call it in the loop it belongs to.
        length: how long its sender says it is, None for chunks.
        timeout_s: how long its sender may be silent, and how far they may
            fall behind the least rate.
        ahead: what it shares with other bodies.
    """

    def __init__(
        self, transport: BodySource, length: int | None, timeout_s: float, ahead: Ahead
    ) -> None:
        super().__init__()
        self._parts = transport.__aiter__()
        self._left = length
        self._loop = asyncio.get_running_loop()
        self._timeout_s = self._patience_s = timeout_s
        self._ahead = ahead
        self._held = 0
        self._part = memoryview(b"")
        self._is_over = False

    async def read_ahead(self) -> bytes | None:
        """The body, if it is short enough to wait here for its end.

        Raises:
            BrokenBody: it broke off, or came too slowly.
        """
        parts: list[bytes] = []
        while not self._is_over and self._held < MOST_AHEAD and self._ahead.left > 0:
            part = await self._next_part()
            parts.append(part)
            self._held += len(part)
            self._ahead.take(len(part))
        body = b"".join(parts)
        self._part = memoryview(body)
        return body if self._is_over else None

    def release(self) -> None:
        """Let other bodies have the room that this one took while it waited."""
        self._ahead.take(-self._held)
        self._held = 0

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """How many bytes were put into the buffer; 0 at the end.

        Raises:
            BrokenBody: it broke off, or its sender was silent for too long.
        """
        if not self._part and not self._is_over:
            coming = asyncio.run_coroutine_threadsafe(self._next_part(), self._loop)
            try:
                self._part = memoryview(coming.result())
            except CancelledError:
                raise BrokenBody from None
        size = min(len(self._part), len(buffer))
        buffer[:size] = self._part[:size]
        self._part = self._part[size:]
        return size

    async def discard(self, most: int = MOST_DISCARDED) -> None:
        """Read what is left, at most so much of it, and forget it."""
        left = most
        while left > 0 and not self._is_over:
            try:
                left -= len(await self._next_part())
            except BrokenBody:
                return

    async def _next_part(self) -> bytes:
        part: bytes = b""
        begun = time.monotonic()
        try:
            async with asyncio.timeout(self._patience_s):
                part = await self._parts.__anext__()
        except StopAsyncIteration:
            pass
        except Exception as error:
            self._is_over = True
            raise BrokenBody from error
        self._is_over = not part
        left_s = self._patience_s - (time.monotonic() - begun)
        self._patience_s = min(self._timeout_s, left_s + len(part) / LEAST_BYTES_A_SECOND)
        if self._left is not None:
            self._left -= len(part)
            if self._is_over and self._left:
                raise BrokenBody
        return part
