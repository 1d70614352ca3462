"""Which mechanisms can be counted and debiased."""

from deniable_analysis.errors import UnsupportedMechanism
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block


def debiasable(block: Block) -> Subset:
    """The block's mechanism, if this version can debias it.

    Raises:
        UnsupportedMechanism: it cannot.
    """
    if isinstance(block.mechanism, Subset):
        return block.mechanism
    raise UnsupportedMechanism(
        f"block {block.id!r} is randomized by {block.mechanism.name!r}; this version debiases "
        f"{Subset.name!r}: upgrade deniable"
    )
