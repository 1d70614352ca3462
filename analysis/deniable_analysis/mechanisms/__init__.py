"""How the reports of every mechanism are analysed, one file each.

A new mechanism is a new file here and one line in ANALYSES.
"""

from collections.abc import Mapping

from deniable_analysis.errors import UnsupportedMechanism
from deniable_analysis.mechanisms.base import Analyse, Findings, IntervalChoice
from deniable_analysis.mechanisms.piecewise import analyse_piecewise
from deniable_analysis.mechanisms.privset import analyse_privset
from deniable_analysis.mechanisms.sampled_bits import analyse_sampled_bits
from deniable_analysis.mechanisms.subset import analyse_subset
from deniable_sdk.mechanisms import Piecewise, PrivSet, SampledBits, Subset
from deniable_sdk.survey.block import Block

ANALYSES: Mapping[str, Analyse] = {
    Subset.name: analyse_subset,
    SampledBits.name: analyse_sampled_bits,
    PrivSet.name: analyse_privset,
    Piecewise.name: analyse_piecewise,
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
