"""How bytes, tapes and reasons are written in the vectors."""

import random
from collections.abc import Callable

Case = dict[str, object]


class Recorder:
    """A seeded reader of bytes that remembers what it gave, after a start."""

    def __init__(self, seed: str, start: bytes = b"") -> None:
        self._start = start
        self._randbytes = random.Random(seed).randbytes
        self.data = b""

    def __call__(self, count: int) -> bytes:
        """The next bytes: first those of the start, then seeded ones."""
        left = self._start[len(self.data) : len(self.data) + count]
        drawn = left + self._randbytes(count - len(left))
        self.data += drawn
        return drawn


def spell(data: bytes) -> Case:
    """Bytes as a text where they are UTF-8, else as hex digits."""
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"hex": data.hex()}


def unspell(case: Case) -> bytes:
    """The bytes that `spell` wrote."""
    return str(case["text"]).encode() if "text" in case else bytes.fromhex(str(case["hex"]))


def error_of(action: Callable[[], object]) -> str | None:
    """The class name of the error that an action ends in, if it does."""
    try:
        action()
    except Exception as error:  # noqa: BLE001 - the class is what is wanted
        return type(error).__name__
    return None
