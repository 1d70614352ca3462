"""A proxy that does to reports what networks do: loses, doubles, delays and garbles them.

`with fault_proxy(collector.url, seed=1) as proxy:` listens on `proxy.url`. What
it did is in `proxy.done`, every body that it was given is in `proxy.bodies`, by the
id of the report, and the head of every request in `proxy.heads`.
"""

import asyncio
import json
import random
import socket
import struct
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from urllib.parse import urlsplit

START_TIMEOUT_S = 30
LONGEST_DELAY_S = 0.05
# So many wait for the next one to come, and so are overtaken by their own retry.
HELD_COPIES = 3


class Fault(Enum):
    """What happens to one report on its way."""

    NONE = "none"
    DROP_BEFORE = "drop_before"
    DROP_AFTER = "drop_after"
    DUPLICATE = "duplicate"
    DELAY = "delay"
    REORDER = "reorder"
    ERROR = "error"
    TOO_MANY = "too_many"
    TRUNCATE = "truncate"
    RESET = "reset"


@dataclass
class FaultProxy:
    """A running proxy, and what went through it."""

    host: str
    port: int
    seed: int
    faults: Sequence[Fault]
    url: str = ""
    done: Counter[Fault] = field(default_factory=Counter)
    bodies: dict[str, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    heads: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._held: list[bytes] = []
        # The loop itself holds its tasks weakly: one that waits may be collected.
        self._tasks: set[asyncio.Task[object] | None] = set()

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, one after the other."""
        task = asyncio.current_task()
        self._tasks.add(task)
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                while await self._exchange(reader, writer):
                    pass
        finally:
            # Also where the proxy is stopped while a connection is open.
            writer.close()
            self._tasks.discard(task)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        request = await _read_message(reader)
        self.heads.append(request.partition(b"\r\n\r\n")[0])
        is_report = request.startswith(b"POST ")
        fault = self._random.choice(self.faults) if is_report else Fault.NONE
        if is_report:
            self.done[fault] += 1
            body = request.partition(b"\r\n\r\n")[2]
            self.bodies[json.loads(body)["report"]].add(body)
        answer = await self._suffer(fault, request)
        if answer is None or fault is Fault.RESET:
            _cut(writer, is_reset=fault is Fault.RESET)
            return False
        if fault is Fault.TRUNCATE:
            writer.write(answer[: len(answer) - 20])
            await writer.drain()
            return False
        writer.write(answer)
        await writer.drain()
        return True

    async def _suffer(self, fault: Fault, request: bytes) -> bytes | None:
        """The answer to a request under a fault; None for none."""
        if fault in (Fault.DROP_BEFORE, Fault.RESET):
            return None
        if fault is Fault.REORDER:
            self._held.append(request)
            return None
        if fault is Fault.TOO_MANY:
            return _answer(429, "Retry-After: 1\r\n")
        if fault is Fault.DELAY:
            await asyncio.sleep(self._random.uniform(0, LONGEST_DELAY_S))
        answer = await self._forward(request)
        if fault is Fault.DUPLICATE:
            answer = await self._forward(request)
        if len(self._held) >= HELD_COPIES:
            await self._forward(self._held.pop(0))
        if fault is Fault.ERROR and self._random.random() < 0.5:
            return _answer(500, "")
        return None if fault is Fault.DROP_AFTER else answer

    async def _forward(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            writer.write(request)
            await writer.drain()
            return await _read_message(reader)
        finally:
            writer.close()


@contextmanager
def fault_proxy(
    target: str, seed: int, faults: Sequence[Fault] = tuple(Fault)
) -> Iterator[FaultProxy]:
    """A proxy in front of a collector, ended when the block is left.

    Args:
        target: the collector's address.
        seed: of the draws of faults.
        faults: what may happen, each as likely as the others; name one several
            times to have it more often.
    """
    parts = urlsplit(target)
    proxy = FaultProxy(parts.hostname or "", parts.port or 80, seed, faults)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def start() -> asyncio.Server:
        return await asyncio.start_server(proxy.handle, "127.0.0.1", 0)

    server = asyncio.run_coroutine_threadsafe(start(), loop).result(START_TIMEOUT_S)
    proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        asyncio.run_coroutine_threadsafe(_stop(server), loop).result(START_TIMEOUT_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(START_TIMEOUT_S)
        loop.close()


async def _stop(server: asyncio.Server) -> None:
    server.close()
    # A connection that was just accepted begins another task meanwhile.
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


async def _read_message(reader: asyncio.StreamReader) -> bytes:
    """A request or a response with a length, whole."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return head + await reader.readexactly(length)


def _answer(status: int, headers: str) -> bytes:
    return (
        f"HTTP/1.1 {status} Fault\r\n{headers}Access-Control-Allow-Origin: *\r\n"
        "Content-Type: application/problem+json\r\nContent-Length: 2\r\n\r\n{}"
    ).encode()


def _cut(writer: asyncio.StreamWriter, *, is_reset: bool) -> None:
    """Close a connection, with a reset rather than an end where that is asked for."""
    if is_reset:
        raw = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
