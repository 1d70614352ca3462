"""What every place that holds reports can be asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from deniable_analysis.errors import UnreadableStudy
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block


@dataclass(frozen=True, slots=True)
class StoredSurvey:
    """One published survey as a source lists it.

    `location` is where the source keeps its reports, for the source alone.
    """

    digest: str
    slug: str
    edition: int
    is_closed: bool
    location: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BlockCounts:
    """How many reports carry a block, and how many support each option."""

    report_count: int
    support: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """All counts of one survey at one moment: all reports, then each block's."""

    report_count: int
    blocks: Mapping[str, BlockCounts]


class Source(Protocol):
    """A place that holds published surveys and counts their reports.

    Only counts ever leave a source, never single reports.
    """

    def surveys(self) -> tuple[StoredSurvey, ...]:
        """Every edition of every survey, by slug and edition.

        Raises:
            StudyNotFound: there is nothing at the location any more.
            UnreadableStudy: what is there is not a legal store.
        """
        ...

    def document(self, survey: StoredSurvey) -> bytes:
        """The published document, exactly as it was published.

        Raises:
            StudyNotFound: there is nothing at the location any more.
            UnreadableStudy: what is there is not a legal store.
        """
        ...

    def count(self, survey: StoredSurvey, blocks: Sequence[Block]) -> Counts:
        """The counts of these blocks, all of the same moment.

        Raises:
            StudyNotFound: there is nothing at the location any more.
            UnreadableStudy: what is there is not a legal store, or a value
                is stored that its block cannot give.
        """
        ...


def block_counts(
    block_id: str, mechanism: Subset, report_count: int, tally: Mapping[object, int]
) -> BlockCounts:
    """The counts of one block, checked against its mechanism.

    Args:
        block_id: names the block in messages.
        mechanism: the block's.
        report_count: how many reports carry the block.
        tally: reported option to the reports that support it.
    Raises:
        UnreadableStudy: an option is none of the domain, or the reports do
            not support as many options as they must; names no value.
    """
    support = tuple(tally.get(option, 0) for option in range(mechanism.domain_size))
    strays = sum(tally.values()) - sum(support)
    if strays or sum(support) != mechanism.size * report_count or max(support) > report_count:
        raise UnreadableStudy(
            f"block {block_id!r}: got {sum(support)} supported options and {strays} that the "
            f"block does not have from {report_count} reports; allowed are exactly "
            f"{mechanism.size} options in each report: the store was changed by something else "
            "than the collector, restore it"
        )
    return BlockCounts(report_count, support)
