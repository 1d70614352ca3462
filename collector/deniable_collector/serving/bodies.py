"""The bodies of requests: short bodies complete, long bodies as they arrive."""

import asyncio
import time
from concurrent.futures import CancelledError
from http import HTTPStatus
from io import RawIOBase
from typing import Any, Protocol

from werkzeug.exceptions import ClientDisconnected

from deniable_collector.deadlines import extend_deadline

# How much of an unneeded body is read, so that its sender sees the response.
MOST_DISCARDED = 64 << 20
# A sender below this rate may keep us waiting no longer than a silent sender.
LEAST_BYTES_A_SECOND = 4 << 10
# While others wait for a place, senders below this rate are ended, the slowest first.
LEAST_BYTES_A_SECOND_IF_FULL = 64 << 10
# How much is read before a body gets a thread: of one body, and of all together. One body
# takes no more than this part of what is left, so that something is always left.
MOST_AHEAD = 1 << 19
MOST_AHEAD_OF_ALL = 32 << 20
_PART_OF_REST = 16


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


class DisplacedBody(BrokenBody):
    """The sender was the slowest while others waited for a place."""

    code = HTTPStatus.TOO_MANY_REQUESTS


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
        # How far its sender is behind the higher rate, without the present wait.
        self._behind_s = 0.0
        self._wait: asyncio.Timeout | None = None
        self._began_to_wait = 0.0
        self.is_displaced = False
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
        while not self._is_over and self._held < min(
            MOST_AHEAD, self._ahead.left // _PART_OF_REST
        ):
            part = await self._next_part()
            parts.append(part)
            self._held += len(part)
            self._ahead.take(len(part))
        body = b"".join(parts)
        self._part = memoryview(body)
        return body if self._is_over else None

    @property
    def behind_s(self) -> float:
        """How much longer its sender was waited for than at the higher rate, in seconds."""
        return self._behind_s + (time.monotonic() - self._began_to_wait if self._wait else 0)

    def displace(self) -> None:
        """End the body, because others wait for its place."""
        self.is_displaced = True
        if self._wait:
            self._wait.reschedule(self._loop.time())

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
            coming = asyncio.run_coroutine_threadsafe(self._take_part(), self._loop)
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

    async def _take_part(self) -> bytes:
        # What was read ahead is used up.
        self.release()
        return await self._next_part()

    async def _next_part(self) -> bytes:
        part: bytes = b""
        self._began_to_wait = time.monotonic()
        try:
            async with asyncio.timeout(0 if self.is_displaced else self._patience_s) as self._wait:
                part = await self._parts.__anext__()
        except StopAsyncIteration:
            pass
        except Exception as error:
            self._is_over = True
            raise (DisplacedBody if self.is_displaced else BrokenBody) from error
        finally:
            self._wait = None
        self._is_over = not part
        self._count_wait(time.monotonic() - self._began_to_wait, len(part))
        if self._left is not None:
            self._left -= len(part)
            if self._is_over and self._left:
                raise BrokenBody
        return part

    def _count_wait(self, waited_s: float, size: int) -> None:
        left_s = self._patience_s - waited_s
        self._patience_s = min(self._timeout_s, left_s + size / LEAST_BYTES_A_SECOND)
        behind_s = self._behind_s + waited_s
        self._behind_s = max(0, behind_s - size / LEAST_BYTES_A_SECOND_IF_FULL)
