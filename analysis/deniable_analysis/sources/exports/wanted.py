"""The part of an export to be read."""

from collections.abc import Sequence
from dataclasses import dataclass

from deniable_sdk.survey.block import Block

# So many lines of text are read at a time: of more, Python's objects are many
# enough to be slow.
LINES_AT_A_TIME = 1024


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which blocks are read.

    Args:
        blocks: those whose values are wanted.
        of_survey: all blocks that may be in the file.
    """

    blocks: Sequence[Block]
    of_survey: Sequence[Block]
