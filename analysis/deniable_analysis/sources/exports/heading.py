"""The metadata of an export."""

from collections.abc import Sequence
from dataclasses import dataclass

from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey


@dataclass(frozen=True, slots=True)
class Heading:
    """Which survey is exported.

    Args:
        survey: the published survey.
        edition: of the survey.
        is_closed: whether it accepts no more reports.
    """

    survey: PublishedSurvey
    edition: int
    is_closed: bool

    @property
    def blocks(self) -> Sequence[Block]:
        """The blocks, one for each column."""
        return self.survey.blocks
