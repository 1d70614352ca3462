"""The analysis of every mechanism, with one file for each.

A new mechanism is a new file here and one line in ANALYSES.
"""

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidArgument, UnsupportedMechanism
from deniable_analysis.estimate.mechanisms.base import MechanismAnalysis
from deniable_analysis.estimate.mechanisms.piecewise import PIECEWISE
from deniable_analysis.estimate.mechanisms.privset import PRIVSET
from deniable_analysis.estimate.mechanisms.sampled_bits import SAMPLED_BITS
from deniable_analysis.estimate.mechanisms.subset import SUBSET
from deniable_sdk.mechanisms import MECHANISMS
from deniable_sdk.survey.block import Block
from deniable_storage.values import accepts

ANALYSES: dict[str, MechanismAnalysis] = {
    "subset": SUBSET,
    "sampled_bits": SAMPLED_BITS,
    "privset": PRIVSET,
    "piecewise": PIECEWISE,
}

# Longer rows of likelihoods are of no use, and soon fill the memory.
MOST_ANSWERS = 1 << 20


def analysis_of(block: Block) -> MechanismAnalysis:
    """The analysis of the reports of a block.

    Raises:
        UnsupportedMechanism: this version cannot analyse them.
    """
    found = known_analysis(block.mechanism)
    if found is None:
        raise UnsupportedMechanism(
            f"block {block.id!r} is randomized by {block.mechanism.name!r}; this version debiases "
            f"{', '.join(ANALYSES)}: upgrade deniable"
        )
    return found


def known_analysis(mechanism: object) -> MechanismAnalysis | None:
    """The analysis of a mechanism's reports; None if it is not a mechanism."""
    name = getattr(mechanism, "name", None)
    if isinstance(name, str) and name in ANALYSES and isinstance(mechanism, MECHANISMS[name]):
        return ANALYSES[name]
    return None


def block_likelihood(block: Block, values: ArrayLike) -> Floats:
    """The probability of each value under every answer of the block.

    Args:
        block: any block.
        values: one in each row, in the form of its reports: indices, sets or
            pairs; see JointCounts.
    Returns:
        (values, domain.size) exact probabilities, rounded to floats; columns
        in the order of block.domain.answers().
    Raises:
        InvalidArgument: a row is not a value of the block's mechanism.
        UnsupportedMechanism: the block has too many possible answers.
    """
    rows = np.asarray(values)
    form, mechanism = block.mechanism.form, block.mechanism
    if not accepts(form, rows):
        raise InvalidArgument(
            f"block {block.id!r}: got an array of {rows.dtype} of shape {rows.shape}, or one "
            f"with a row that {mechanism.name!r} cannot give; allowed are rows of shape "
            f"{form.shape} as its reports carry them"
        )
    if block.domain.size > MOST_ANSWERS:
        raise UnsupportedMechanism(
            f"block {block.id!r} takes {block.domain.describe()}, more than {MOST_ANSWERS} "
            "answers in all; relate it option by option, or ask with fewer options or a "
            "smaller at_most"
        )
    return analysis_of(block).likelihood(mechanism, rows.astype(np.int64, copy=False))
