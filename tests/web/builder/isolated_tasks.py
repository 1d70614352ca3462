"""Tasks that tests run in separate processes."""

import os
import signal
import time

from deniable_sdk import DeniableError


def echo(body: bytes) -> bytes:
    """What came, and which process it came to."""
    return b"%d " % os.getpid() + body


def refuse(body: bytes) -> bytes:
    """Nothing: the refusal says what was sent."""
    raise DeniableError(body.decode())


def fail(body: bytes) -> bytes:
    """Nothing: an error that quotes what was sent."""
    raise ValueError(body)


def work_for_ever(_: bytes) -> bytes:
    """Nothing, ever."""
    while True:
        pass


def sleep_a_second(_: bytes) -> bytes:
    """An answer that takes time, but hardly any of the processor's."""
    time.sleep(1)
    return b"awake"


def sleep_in_the_kernel(_: bytes) -> bytes:
    """Nothing, for a very long time, and deaf to what can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(1_000_000)
    return b""


def fill_memory(_: bytes) -> bytes:
    """As many bytes as no limit allows."""
    return bytes(1 << 40)


def end_at_once(_: bytes) -> bytes:
    """Nothing, as where a library in C breaks."""
    os.kill(os.getpid(), signal.SIGSEGV)
    return b""
