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

    Args:
        read_bytes: gives exactly as many random bytes as it is asked for.
    """

    __slots__ = ("_read_bytes",)

    def __init__(self, read_bytes: ReadBytes = os.urandom) -> None:
        self._read_bytes = read_bytes

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
            draw = int.from_bytes(self.read(DRAW_BYTES), "big")
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
        drawn = self._read_bytes(count)
        if len(drawn) != count:
            raise RandomnessUnavailable(
                f"asked for {count} random bytes and got {len(drawn)}; "
                "nothing was randomized, try again"
            )
        return drawn
