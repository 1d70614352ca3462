"""Random integers from random bytes, the same way in every language.

The bytes come from the operating system. Nothing is kept between reports, so
a forked worker cannot repeat its parent's draws.
"""

import os
from collections.abc import Callable

from deniable_sdk.errors import RandomnessUnavailable

DRAW_BYTES = 6
DRAW_RANGE = 1 << (8 * DRAW_BYTES)
REPORT_ID_BYTES = 16

ReadBytes = Callable[[int], bytes]


class RandomIntegers:
    """Uniform integers drawn from a reader of random bytes.

    Make one for each report and let go of it: bytes read ahead must not
    outlive the report, nor be shared with a forked process.

    Args:
        read_bytes: gives exactly as many random bytes as it is asked for.
        ahead: how many bytes will be needed in any case; they are read at
            once, which saves a call to the operating system for each draw.
    """

    __slots__ = ("_ahead", "_place", "_read_bytes")

    def __init__(self, read_bytes: ReadBytes = os.urandom, ahead: int = 0) -> None:
        self._read_bytes = read_bytes
        self._ahead = self._read(ahead) if ahead else b""
        self._place = 0

    def below(self, bound: int) -> int:
        """A uniform integer in 0..bound-1, for a bound in 1..2^48.

        Six bytes, big-endian, are drawn again while they fall into the last,
        incomplete run of `bound` values. How often depends on the bound
        alone, never on an answer.

        Source: the project's wire format; see docs/WIRE_FORMAT.md.
        """
        if not 1 <= bound <= DRAW_RANGE:
            raise ValueError(f"got the bound {bound}; allowed are 1 to {DRAW_RANGE}")
        limit = DRAW_RANGE - DRAW_RANGE % bound
        while True:
            start = self._place
            end = self._place = start + DRAW_BYTES
            drawn = self._ahead[start:end] if end <= len(self._ahead) else self._more(start)
            draw = int.from_bytes(drawn, "big")
            if draw < limit:
                return draw % bound

    def sample(self, size: int, count: int) -> list[int]:
        """`count` different integers from 0..size-1, in the order drawn.

        The first places of a partial shuffle of 0, 1, ..., size - 1, with one
        draw for each; only the places that moved are kept.
        """
        moved: dict[int, int] = {}
        drawn = []
        for place in range(count):
            chosen = place + self.below(size - place)
            drawn.append(moved.get(chosen, chosen))
            moved[chosen] = moved.get(place, place)
        return drawn

    def read(self, count: int) -> bytes:
        """Exactly `count` random bytes.

        Raises:
            RandomnessUnavailable: the reader gave another number of bytes.
        """
        start = self._place
        self._place += count
        drawn = self._ahead[start : self._place]
        return drawn if len(drawn) == count else drawn + self._read(count - len(drawn))

    def _more(self, start: int) -> bytes:
        """The bytes of a draw that those read ahead do not hold any more."""
        rest = self._ahead[start:]
        return rest + self._read(DRAW_BYTES - len(rest))

    def _read(self, count: int) -> bytes:
        drawn = self._read_bytes(count)
        if len(drawn) != count:
            raise RandomnessUnavailable(
                f"asked for {count} random bytes and got {len(drawn)}; "
                "nothing was randomized, try again"
            )
        return drawn
