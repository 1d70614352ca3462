"""The bodies of requests: short bodies complete, long bodies as they arrive."""

import asyncio
import time
from concurrent.futures import CancelledError
from io import RawIOBase
from typing import Any, Protocol

from werkzeug.exceptions import ClientDisconnected

from deniable_collector.deadlines import extend_deadline

# How much of an unneeded body is read, so that its sender sees the response.
MOST_DISCARDED = 64 << 20
# A sender below this rate may keep us waiting no longer than a silent sender.
LEAST_BYTES_A_SECOND = 4 << 10
# How much is read before a body gets a thread: of one body, and of all together.
MOST_AHEAD = 1 << 19
MOST_AHEAD_OF_ALL = 32 << 20


class BodySource(Protocol):
    """The server's interface to a request's body."""

    def __call__(self) -> Any:
        """The whole body; await the result."""
        ...

    def __aiter__(self) -> Any:
        """The parts of the body, as they arrive."""
        ...


class BrokenBody(ClientDisconnected):
    """The sender disconnected, was silent for too long, or broke off the body."""


async def read_whole(transport: BodySource, timeout_s: float) -> bytes:
    """The whole body.

    Raises:
        BrokenBody: the body did not arrive completely, or not in time.
    """
    try:
        async with asyncio.timeout(timeout_s):
            body: bytes = await transport()
    except Exception as error:  # the server has a class for each way a body breaks
        raise BrokenBody from error
    return body


class Ahead:
    """How many bytes may still be read ahead, of several bodies together.

    Args:
        most: the total limit.
        whole: the limit that these bodies share with other bodies.
    """

    def __init__(self, most: int = MOST_AHEAD_OF_ALL, whole: "Ahead | None" = None) -> None:
        self._left = most
        self._whole = whole

    @property
    def left(self) -> int:
        """How many more bytes may be read."""
        return min(self._left, self._whole.left) if self._whole else self._left

    def take(self, size: int) -> None:
        """Count bytes as read; a negative number gives bytes back."""
        self._left -= size
        if self._whole:
            self._whole.take(size)


class BodyStream(RawIOBase):
    """A body that one thread receives and another reads.

    Before a thread reads the body, its bytes wait here, up to a limit. Beyond the limit,
    bytes are received only when the thread asks for them, so a body never uses more memory
    than that. A body in chunks that breaks off cannot be distinguished from a body that
    ends there.

    Args:
        transport: the server's source of the body; use it only in its own event loop.
        length: the length that its sender states; None for a body in chunks.
        timeout_s: how long its sender may be silent, and how far they may
            fall behind the least rate.
        ahead: the limit that it shares with other bodies.
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
        """The body if it ends within the limit; otherwise None.

        Raises:
            BrokenBody: it broke off, or arrived too slowly.
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
        """Give the room that this body used ahead back to other bodies."""
        self._ahead.take(-self._held)
        self._held = 0

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """How many bytes were written into the buffer; 0 at the end.

        Raises:
            BrokenBody: it broke off, or its sender was silent for too long.
        """
        if not self._part and not self._is_over:
            began = time.monotonic()
            coming = asyncio.run_coroutine_threadsafe(self._next_part(), self._loop)
            try:
                self._part = memoryview(coming.result())
            except CancelledError:
                raise BrokenBody from None
            extend_deadline(time.monotonic() - began)
        size = min(len(self._part), len(buffer))
        buffer[:size] = self._part[:size]
        self._part = self._part[size:]
        return size

    async def discard(self, most: int = MOST_DISCARDED) -> None:
        """Read the rest of the body, at most `most` bytes, and discard it."""
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
