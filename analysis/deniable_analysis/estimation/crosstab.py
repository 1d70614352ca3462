"""The cells of a block of several questions."""

import itertools

from deniable_analysis.errors import UnsupportedMechanism
from deniable_analysis.estimators import Channel, project_to_simplex
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.mechanisms.share_numbers import binomial_numbers, share_warnings
from deniable_analysis.results import CellEstimate, CrosstabEstimate
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_storage.counts import BlockCounts


def estimate_crosstab(
    block: Block, counts: BlockCounts, choice: IntervalChoice
) -> CrosstabEstimate:
    """The shares of all combinations of the options of a block's questions.

    Raises:
        UnsupportedMechanism: the block is not randomized by subset selection.
    """
    mechanism = joint_mechanism(block)
    channel = Channel.of(mechanism).rounded()
    support = counts.of(range(mechanism.domain_size))
    rule = choice.among(mechanism.domain_size)
    numbers = binomial_numbers(support, counts.report_count, channel, rule, project_to_simplex)
    # The last question varies fastest, as in the block's domain.
    cells = tuple(itertools.product(*(question.names for question in block.questions)))
    labels = [", ".join(cell) for cell in cells]
    return CrosstabEstimate(
        block=block.id,
        questions=tuple(question.id for question in block.questions),
        reports=counts.report_count,
        epsilon=block.epsilon,
        interval=rule.interval.value,
        cells=tuple(
            CellEstimate(options=cell, **each) for cell, each in zip(cells, numbers, strict=True)
        ),
        warnings=share_warnings(labels, support, counts.report_count, channel),
    )


def joint_mechanism(block: Block) -> Subset:
    """The mechanism of a block of several questions.

    Raises:
        UnsupportedMechanism: it is not subset selection.
    """
    if isinstance(block.mechanism, Subset):
        return block.mechanism
    raise UnsupportedMechanism(
        f"block {block.id!r} joins several questions and is randomized by "
        f"{block.mechanism.name!r}; this version debiases joint blocks by {Subset.name!r} only"
    )
