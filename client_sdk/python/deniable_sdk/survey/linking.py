"""How far reports of one person can be matched by what a device repeats.

The value of a fixed block is drawn once and repeated in later reports, so
somebody who has two reports can match those that agree. If the fixed blocks
have m outputs together, a match is right with a probability of at most m / n, on
average over n respondents, whatever they answer: each output is shared by a
group of respondents.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from deniable_sdk.survey.block import Block

MOST_FIXED_OUTPUTS = 16
PEOPLE_PER_OUTPUT = 20


def most_fixed_outputs(smallest_group: int | None = None) -> int:
    """How many outputs all fixed blocks may have together.

    Args:
        smallest_group: how many people it has, where the respondents are in
            groups that everybody sees; None where they are in none.
    """
    if smallest_group is None:
        return MOST_FIXED_OUTPUTS
    return min(MOST_FIXED_OUTPUTS, smallest_group // PEOPLE_PER_OUTPUT)


def fixed_outputs(blocks: Iterable[Block]) -> int:
    """How many outputs the fixed ones of these blocks have together; 1 without any."""
    return math.prod(block.mechanism.outputs for block in blocks if block.fixed)


def count_for_readers(count: int) -> str:
    """A number of outputs as a message says it: not the digits of 2^80."""
    bits = count.bit_length() - 1
    return f"{count:,}" if bits < 20 else f"more than 2^{bits}"
