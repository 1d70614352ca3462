"""How the reports of every mechanism are analysed, one file each.

A new mechanism is a new file here and one line in ANALYSES.
"""

from collections.abc import Mapping

from deniable_analysis.errors import UnsupportedMechanism
from deniable_analysis.mechanisms.base import Analyse, Findings, IntervalChoice
from deniable_analysis.mechanisms.privset import analyse_privset
from deniable_analysis.mechanisms.sampled_bits import analyse_sampled_bits
from deniable_analysis.mechanisms.sign import analyse_sign
from deniable_analysis.mechanisms.square_wave import analyse_square_wave
from deniable_analysis.mechanisms.subset import analyse_subset
from deniable_sdk.mechanisms import PrivSet, SampledBits, Sign, SquareWave, Subset
from deniable_sdk.survey.block import Block

ANALYSES: Mapping[str, Analyse] = {
    Subset.name: analyse_subset,
    SampledBits.name: analyse_sampled_bits,
    PrivSet.name: analyse_privset,
    SquareWave.name: analyse_square_wave,
    Sign.name: analyse_sign,
}


def analysis_of(block: Block) -> Analyse:
    """How the reports of a block are analysed.

    Raises:
        UnsupportedMechanism: this version cannot.
    """
    name = block.mechanism.name
    if name not in ANALYSES:
        raise UnsupportedMechanism(
            f"block {block.id!r} is randomized by {name!r}; this version debiases "
            f"{', '.join(ANALYSES)}: upgrade deniable"
        )
    return ANALYSES[name]


__all__ = ["ANALYSES", "Analyse", "Findings", "IntervalChoice", "analysis_of"]
