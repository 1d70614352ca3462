"""What a source counts: how often the reports of a block say something."""

from collections.abc import Mapping
from dataclasses import dataclass

# An option or output of the mechanism; a pair where reports carry pairs.
Said = int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BlockCounts:
    """How many reports carry a block, and how many of them say each thing.

    A value that is a list says each of its members.
    """

    report_count: int
    said: Mapping[Said, int]

    def of(self, things: range) -> list[int]:
        """How many reports say each of these, 0 where none does."""
        return [self.said.get(thing, 0) for thing in things]


@dataclass(frozen=True, slots=True)
class Counts:
    """All counts of one survey at one moment: all reports, then each block's."""

    report_count: int
    blocks: Mapping[str, BlockCounts]
