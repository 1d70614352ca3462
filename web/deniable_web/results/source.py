"""The site's own store as a source of studies: its database does the counting."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable_analysis.errors import StudyNotFound, StudyUnavailable
from deniable_analysis.reports.counts import BlockCounts, Counts, Integers, Together
from deniable_analysis.reports.tuples import TupleTally
from deniable_analysis.reports.values import form_of
from deniable_analysis.sources.base import StoredSurvey
from deniable_analysis.sources.chunks import damaged
from deniable_analysis.sources.texts import read_values
from deniable_collector.store import Store
from deniable_collector.store.base import StoredSurvey as Stored
from deniable_collector.store.base import Value
from deniable_sdk.survey.block import Block

# As many as the collector gives to analysts over HTTP.
MOST_TUPLES = 200_000


@dataclass(frozen=True, slots=True)
class StoreSource:
    """An open store, whichever engine is behind it.

    Every method also raises the collector's StoreUnavailable.
    """

    store: Store

    def surveys(self) -> tuple[StoredSurvey, ...]:
        return tuple(map(listed, self.store.list_surveys()))

    def document(self, survey: StoredSurvey) -> bytes:
        return self._stored(survey).survey.document

    def count(self, survey: StoredSurvey, blocks: Sequence[Block]) -> Counts:
        names = [block.id for block in blocks]
        found = self.store.count_values(self._stored(survey), names)
        return Counts(
            found.report_count,
            {
                name: BlockCounts(block.report_count, dict(block.said))
                for name, block in found.blocks.items()
            },
        )

    def together(self, survey: StoredSurvey, blocks: Sequence[Block]) -> Together:
        names = [block.id for block in blocks]
        tuples = self.store.count_tuples(self._stored(survey), names, MOST_TUPLES)
        if tuples is None:
            raise StudyUnavailable(
                f"more than {MOST_TUPLES} different tuples of values were reported of these "
                "blocks; take fewer blocks, or analyse an export of the survey"
            )
        tally = TupleTally(tuple(form_of(block.mechanism) for block in blocks))
        if tuples:
            columns = [
                _column(block, values)
                for block, values in zip(blocks, zip(*tuples, strict=True), strict=True)
            ]
            tally.add(columns, np.fromiter(tuples.values(), dtype=np.int64))
        return tally.together()

    def _stored(self, survey: StoredSurvey) -> Stored:
        found = self.store.find_edition(survey.digest)
        if found is None:
            raise StudyNotFound(
                f"the store no longer holds the survey {survey.slug!r}; look whether it was moved"
            )
        return found


def listed(stored: Stored) -> StoredSurvey:
    """A survey of the store as sources list it."""
    return StoredSurvey(
        digest=stored.survey.digest,
        slug=stored.survey.slug,
        edition=stored.edition,
        is_closed=stored.is_closed,
        location=stored.reports_table,
    )


def _column(block: Block, values: Sequence[Value]) -> Integers:
    """The values of one block, as the store writes them."""
    read = [json.loads(value) if isinstance(value, str) else value for value in values]
    column = read_values(read, form_of(block.mechanism))
    if column is None:
        raise damaged(block, "", "restore the store from a backup")
    return column
