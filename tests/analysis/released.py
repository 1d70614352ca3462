"""Counts with the noise of a release, drawn by numpy: OpenDP accepts no seed."""

import math
from fractions import Fraction

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.sources.release_file import ReleasedBlock, noise_scale, released_members
from deniable_sdk import PublishedSurvey
from deniable_storage.counts import BlockCounts, Integers, SurveyCounts


def noise_chances(scale: float, furthest: int) -> Floats:
    """The probabilities of the noises from -furthest to furthest."""
    ratio = math.exp(-1 / scale)
    return np.asarray(
        (1 - ratio) / (1 + ratio) * ratio ** np.abs(np.arange(-furthest, furthest + 1))
    )


def draw_noise(scale: float, count: int, generator: np.random.Generator) -> Integers:
    """Independent discrete Laplace noises: differences of two geometric numbers."""
    missed = 1 - math.exp(-1 / scale)
    first, second = generator.geometric(missed, (2, count))
    return np.asarray(first - second, np.int64)


def released(
    survey: PublishedSurvey,
    counts: SurveyCounts,
    epsilon: Fraction,
    generator: np.random.Generator,
) -> SurveyCounts:
    """The counts of a survey as a release of them has them."""
    blocks: dict[str, BlockCounts] = {}
    for block in survey.blocks:
        form, exact = block.mechanism.form, counts.blocks[block.id]
        scale = noise_scale(form, epsilon, survey.asked)
        members = released_members(form)
        noises = draw_noise(float(scale), len(members), generator).tolist()
        found = [exact.support.get(each, 0) + z for each, z in zip(members, noises, strict=True)]
        drawn = [
            sum(exact.support.get((option, bit), 0) for bit in (0, 1))
            for option in range(form.members if form.are_pairs else 0)
        ]
        one = ReleasedBlock(block, exact.report_count, tuple(drawn), scale, tuple(found))
        blocks[block.id] = one.block_counts
    return SurveyCounts(counts.report_count, blocks)
