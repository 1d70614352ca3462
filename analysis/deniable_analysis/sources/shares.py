"""Several stores that each have a share of one survey's reports, as one source for an export.

Collectors on several machines, each with its own store, may have stored the same report: a
device that got no answer sends it again, and may reach another machine. Here the ids can
still be compared, so such a report is exported once.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Bools, Indexes
from deniable_analysis.sources.base import ListedSurvey
from deniable_analysis.sources.sites import fieldwork_of_all
from deniable_analysis.sources.tables import RangeReader, TableSource
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.ends import Fieldwork
from deniable_storage.whole_rows import (
    EVERY_ID,
    IdRange,
    Ids,
    Smalls,
    WholeRows,
    bits_of_ranges,
    ranges_up_to,
)

# How many ids are compared at a time: 16 MiB of them.
_MOST_IDS = 1 << 20


@dataclass(frozen=True, slots=True)
class Shares:
    """The stores of one survey, in the order in which they were named.

    If several have a report with the same id, that of the first of them counts: in one store,
    too, the first one stays.

    Args:
        shares: at least one store, each with the survey in it; all have published the same
            document.
    """

    shares: tuple[tuple[TableSource, ListedSurvey], ...]

    def published(self, survey: ListedSurvey) -> PublishedSurvey:  # noqa: ARG002 - they have only this one
        """That of the first store; all have the same."""
        source, stored = self.shares[0]
        return source.published(stored)

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:  # noqa: ARG002 - see published
        """The state of all: it has a planned end only if it has one in every store."""
        return fieldwork_of_all([source.fieldwork(stored) for source, stored in self.shares])

    def stored_count(self) -> int:
        """How many reports all stores have together, some of them perhaps in several."""
        return sum(source.report_count(stored) for source, stored in self.shares)

    def report_count(self, survey: ListedSurvey) -> int:  # noqa: ARG002 - see published
        """How many reports there are, each counted once; this compares all ids."""
        stored = self.stored_count()
        with self._readers() as readers:
            ranges = EVERY_ID.split(bits_of_ranges(stored * 4 // 3, _MOST_IDS))
            repeated = 0
            for ids in _ranges(readers, ranges, _MOST_IDS):
                found = _ids(readers, ids)
                repeated += len(found) - len(_first_of_each(found))
        return stored - repeated

    def whole_rows(
        self,
        survey: ListedSurvey,  # noqa: ARG002 - see published
        wanted: WholeRows,
        ranges: Sequence[IdRange],
        most: int,
    ) -> Iterator[Smalls]:
        """The reports with ids in some ranges, each once, as in RowSource."""
        with self._readers() as readers:
            for ids in _ranges(readers, ranges, most):
                rows = np.concatenate([reader.read(wanted, ids) for reader in readers])
                yield rows[_first_of_each(_ids(readers, ids))]

    @contextmanager
    def _readers(self) -> Iterator[list[RangeReader]]:
        with ExitStack() as stack:
            yield [
                stack.enter_context(source.range_reader(stored)) for source, stored in self.shares
            ]


def _ranges(
    readers: Sequence[RangeReader], ranges: Sequence[IdRange], most: int
) -> Iterator[IdRange]:
    return ranges_up_to(ranges, most, lambda ids: sum(reader.count(ids) for reader in readers))


def _ids(readers: Sequence[RangeReader], ids: IdRange) -> Ids:
    return np.concatenate([reader.read_ids(ids) for reader in readers])


def _first_of_each(ids: Ids) -> Indexes:
    """The places of the different ids, in the order of the ids; of equal ones the first."""
    # This sort is stable.
    order: Indexes = np.lexsort((ids[:, 1], ids[:, 0]))
    in_order = ids[order]
    is_first: Bools = np.ones(len(ids), np.bool_)
    is_first[1:] = (in_order[1:] != in_order[:-1]).any(axis=1)
    found: Indexes = order[is_first]
    return found
