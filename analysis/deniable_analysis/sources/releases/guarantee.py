"""What a release counts, how much noise this needs, and what the release then reveals.

Two sets of reports are neighbours if the values of one report differ. Which blocks a report has,
and of which options it has a bit, is the same, because devices draw both without looking at an
answer. So the numbers of reports are public, and get no noise.
"""

import math
from collections.abc import Iterable
from fractions import Fraction

from deniable_sdk.mechanisms import ValueForm
from deniable_storage.counts import Member

NEIGHBOURS = (
    "the values of one report are different; the blocks that it has, and the options of which it "
    "has a bit, are the same"
)
MECHANISM = "discrete laplace"
# Scales are multiples of 1 / _PARTS, which floats represent exactly.
_PARTS = 1 << 10


def released_members(form: ValueForm) -> tuple[Member, ...]:
    """The members of values whose counts get noise; the counts of all others follow from these.

    The bits 1, if reports have bits; the first of two outputs; and otherwise all outputs.
    """
    if form.are_pairs:
        return tuple((option, 1) for option in range(form.members))
    return (0,) if _is_one_of_two(form) else tuple(range(form.members))


def sensitivity(form: ValueForm) -> int:
    """The largest sum of absolute differences of the released counts of two neighbours.

    Each of a report's bits may differ. A set differs from another by all of its members, or
    by all that the other leaves out.
    """
    if form.are_pairs:
        return form.shape[0]
    size = form.shape[0] if form.shape else 1
    return 1 if _is_one_of_two(form) else 2 * min(size, form.members - size)


def noise_scale(form: ValueForm, epsilon: Fraction, asked: int) -> Fraction:
    """The smallest scale with which a block reveals at most an equal part of epsilon.

    Args:
        form: form of the block's values.
        epsilon: privacy loss of the whole release, at most.
        asked: number of blocks that a report has.
    Returns:
        The scale b of noises with the probabilities exp(-|z| / b) (1 - e^(-1/b)) / (1 + e^(-1/b)),
        rounded up to a multiple of 1/1024.
    Source: Ghosh, Roughgarden and Sundararajan 2012, "Universally utility-maximizing privacy
        mechanisms".
    """
    return Fraction(math.ceil(sensitivity(form) * asked * _PARTS / epsilon), _PARTS)


def privacy_loss(blocks: Iterable[tuple[ValueForm, Fraction]], asked: int) -> Fraction:
    """The privacy loss of a release, exactly: of a report with the blocks that lose most.

    Args:
        blocks: form and scale of each block.
        asked: number of blocks that a report has.
    """
    losses = sorted(sensitivity(form) / scale for form, scale in blocks)
    return sum(losses[-asked:], Fraction(0))


def _is_one_of_two(form: ValueForm) -> bool:
    return form.members == 2 and not form.shape
