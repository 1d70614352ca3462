"""Random integers from random bytes, the same way in every language.

The bytes come from the operating system, of a source that looks healthy.
Nothing is kept between reports, so a forked worker cannot repeat its parent's
draws.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from struct import Struct

from deniable_sdk.errors import RandomnessUnavailable
from deniable_sdk.health import SAMPLE_BYTES, looks_healthy

DRAW_BYTES = 6
DRAW_RANGE = 1 << (8 * DRAW_BYTES)
REPORT_ID_BYTES = 16
# Each is rejected with a probability below 1/2, so all are below 2^-128.
MOST_TRIES = 128

ReadBytes = Callable[[int], bytes]

# The six bytes of a draw, big-endian: the upper two and the lower four.
_DRAW_PARTS = Struct(">HI")
_LOWER_BITS = 32


def system_bytes(count: int) -> bytes:
    """So many random bytes of the operating system, checked for health.

    Raises:
        RandomnessUnavailable: its source repeats itself or hardly varies.
    """
    drawn = os.urandom(count + SAMPLE_BYTES)
    if len(drawn) == count + SAMPLE_BYTES and not looks_healthy(drawn):
        raise _faulty("repeat themselves or hardly vary")
    return drawn[: max(0, len(drawn) - SAMPLE_BYTES)]


def _faulty(what: str) -> RandomnessUnavailable:
    return RandomnessUnavailable(
        f"the random bytes {what}; nothing was randomized; "
        "restart the device, and do not answer on it if this happens again"
    )


class RandomIntegers:
    """Uniform integers drawn from a reader of random bytes.

    Make one for each report and let go of it: bytes read ahead must not
    outlive the report, nor be shared with a forked process. All that is read
    ahead is read at once, which saves calls to the operating system.

    Args:
        read_bytes: gives exactly as many random bytes as it is asked for.
        draws: how many draws are needed in any case, to be read ahead.
        lead: how many bytes to read before them; they are in `lead`.
    """

    __slots__ = ("_ahead", "_read_bytes", "lead")

    def __init__(
        self, read_bytes: ReadBytes = system_bytes, draws: int = 0, lead: int = 0
    ) -> None:
        self._read_bytes = read_bytes
        needed = lead + DRAW_BYTES * draws
        ahead = self._read(needed) if needed else b""
        self.lead = ahead[:lead]
        self._ahead: Iterator[tuple[int, int]] = _DRAW_PARTS.iter_unpack(ahead[lead:])

    def below(self, bound: int) -> int:
        """A uniform integer in 0..bound-1, for a bound in 1..2^48.

        Six bytes, big-endian, are drawn again while they fall into the last,
        incomplete run of `bound` values: while what is left from the start of
        their run is less than `bound`. How often depends on the bound alone,
        never on an answer. A source whose draws are rejected again and again
        is faulty.

        Raises:
            RandomnessUnavailable: so many draws in a row were rejected as
                random ones are with a probability below 2^-128.
        Source: the project's wire format; see docs/WIRE_FORMAT.md.
        """
        if not 1 <= bound <= DRAW_RANGE:
            raise ValueError(f"got the bound {bound}; allowed are 1 to {DRAW_RANGE}")
        return self._below(bound, MOST_TRIES)

    def _below(self, bound: int, tries: int) -> int:
        for _ in range(tries):
            upper, lower = next(self._ahead, None) or (0, self._read_draw())
            draw = upper << _LOWER_BITS | lower
            value = draw % bound
            if draw - value <= DRAW_RANGE - bound:
                return value
        raise _faulty(f"were rejected {MOST_TRIES} times in a row")

    def below_each(self, bounds: Sequence[int]) -> list[int]:
        """`below` for each of these bounds, in their order; the fast way."""
        values = []
        for bound, (upper, lower) in zip(bounds, self._ahead):  # noqa: B905 - a named argument is slow
            draw = upper << _LOWER_BITS | lower
            value = draw % bound
            if not 1 <= bound <= DRAW_RANGE - draw + value:
                is_allowed = 1 <= bound <= DRAW_RANGE
                value = self._below(bound, MOST_TRIES - 1) if is_allowed else self.below(bound)
            values.append(value)
        if len(values) < len(bounds):
            values += map(self.below, bounds[len(values) :])
        return values

    def sample(self, size: int, count: int) -> list[int]:
        """`count` different integers from 0..size-1, in the order drawn.

        The first places of a partial shuffle of 0, 1, ..., size - 1, with one
        draw for each.
        """
        return shuffled(self.below_each(range(size, size - count, -1)))

    def _read_draw(self) -> int:
        """A draw beyond those read ahead."""
        return int.from_bytes(self._read(DRAW_BYTES), "big")

    def _read(self, count: int) -> bytes:
        drawn = self._read_bytes(count)
        if len(drawn) != count:
            raise RandomnessUnavailable(
                f"asked for {count} random bytes and got {len(drawn)}; "
                "nothing was randomized, try again"
            )
        return drawn


def shuffled(offsets: Iterable[int]) -> list[int]:
    """The first places of 0, 1, 2, ... after a partial shuffle.

    Each place in turn is exchanged with the one so far behind it; only the
    places that moved are kept.
    """
    moved: dict[int, int] = {}
    stands_at = moved.get
    drawn = []
    for index, offset in enumerate(offsets):
        chosen = index + offset
        drawn.append(stands_at(chosen, chosen))
        moved[chosen] = stands_at(index, index)
    return drawn
