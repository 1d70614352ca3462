"""A store of three objects: a registry, an intake in another file, and counts beside it."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from deniable_collector.clock import Moment
from deniable_collector.store import Counts, Intake, Registry, Store, open_store
from deniable_collector.store.base import (
    Publication,
    PublishOutcome,
    ReportOutcome,
    Row,
    StoredSurvey,
)
from deniable_collector.store.roles import Progress
from deniable_collector.tokens import AccessToken
from deniable_sdk import Block, PublishedSurvey
from deniable_storage.closed_at_exit import ClosedAtExit
from deniable_storage.ends import Ending, Fieldwork

if TYPE_CHECKING:
    from deniable_storage.counts import JointCounts, SurveyCounts
    from deniable_storage.tallies import Recount


class ApartStore(ClosedAtExit):
    """No part of it is a store: each method asks the object that has its role."""

    def __init__(self, folder: Path) -> None:
        self._opened = [
            open_store(folder / name) for name in ("registry", "reports.sqlite", "reports.sqlite")
        ]
        self._registry: Registry = self._opened[0]
        self._intake: Intake = self._opened[1]
        self._counts: Counts = self._opened[2]
        # The intake knows which surveys accept reports, so it is told of each.
        self._told: Registry = self._opened[1]

    def publish(self, survey: PublishedSurvey) -> Publication:
        publication = self._registry.publish(survey)
        if publication.outcome is not PublishOutcome.CONFLICT:
            self._told.publish(survey)
        return publication

    def extend(
        self,
        slug: str,
        now: Moment,
        *,
        closes: Moment | None = None,
        at_most_reports: int | None = None,
    ) -> StoredSurvey | None:
        return self._noted(
            self._told.extend(slug, now, closes=closes, at_most_reports=at_most_reports)
        )

    def close_survey(self, slug: str, now: Moment | None = None) -> StoredSurvey | None:
        self._noted(self._told.close_survey(slug, now))
        return self._registry.close_survey(slug, now)

    def end_by_margin(self, digest: str, now: Moment) -> bool:
        has_ended = self._told.end_by_margin(digest, now)
        self._noted(self._told.find_edition(digest))
        return has_ended

    def adopt_ending(self, digest: str, ending: Ending) -> None:
        self._told.adopt_ending(digest, ending)
        self._registry.adopt_ending(digest, ending)

    def find_survey(self, slug: str) -> StoredSurvey | None:
        return self._registry.find_survey(slug)

    def find_edition(self, digest: str) -> StoredSurvey | None:
        return self._registry.find_edition(digest)

    def list_surveys(self) -> tuple[StoredSurvey, ...]:
        return self._registry.list_surveys()

    def read_log(self) -> tuple[str, ...]:
        return self._registry.read_log()

    def add_token(self, token: AccessToken, digest: str) -> bool:
        return self._registry.add_token(token, digest)

    def change_rights(self, token: AccessToken) -> bool:
        return self._registry.change_rights(token)

    def change_secret(self, name: str, digest: str, present: str | None = None) -> bool:
        return self._registry.change_secret(name, digest, present)

    def remove_token(self, name: str) -> bool:
        return self._registry.remove_token(name)

    def find_token(self, digest: str) -> AccessToken | None:
        return self._registry.find_token(digest)

    def list_tokens(self) -> tuple[AccessToken, ...]:
        return self._registry.list_tokens()

    def add_rows(
        self, rows: Mapping[str, Sequence[Row]], now: Moment | None = None
    ) -> Mapping[str, Sequence[ReportOutcome]]:
        return self._intake.add_rows(rows, now)

    def latest(self, digest: str) -> StoredSurvey | None:
        return self._intake.latest(digest)

    def read_rows(self, stored: StoredSurvey, after: bytes | None, limit: int) -> Sequence[Row]:
        return self._intake.read_rows(stored, after, limit)

    def purge_reports(self, digest: str) -> int:
        count = self._intake.purge_reports(digest)
        # It has no reports, and notes that they were purged.
        self._opened[0].purge_reports(digest)
        return count

    def finish_erasing(self, stored: StoredSurvey) -> None:
        self._intake.finish_erasing(stored)
        self._opened[0].finish_erasing(stored)

    def check(self) -> None:
        self._intake.check()

    def count_reports(self, digest: str) -> int:
        return self._counts.count_reports(digest)

    def fieldwork(self, stored: StoredSurvey, now: Moment) -> Fieldwork:
        return self._counts.fieldwork(stored, now)

    def refusal(self, stored: StoredSurvey, now: Moment) -> ReportOutcome | None:
        return self._counts.refusal(stored, now)

    def give_out(self, stored: StoredSurvey, now: Moment) -> None:
        self._counts.give_out(stored, now)
        self._noted(self._told.find_edition(stored.survey.digest))

    def look(
        self, stored: StoredSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> "SurveyCounts":
        return self._counts.look(stored, blocks, group)

    def count_values(
        self,
        stored: StoredSurvey,
        blocks: Sequence[Block],
        group: str | None = None,
        *,
        now: Moment,
    ) -> "SurveyCounts":
        found = self._counts.count_values(stored, blocks, group, now=now)
        self._noted(self._told.find_edition(stored.survey.digest))
        return found

    def count_tuples(
        self,
        stored: StoredSurvey,
        blocks: Sequence[Block],
        most: int,
        group: str | None = None,
        *,
        now: Moment,
    ) -> "JointCounts":
        found = self._counts.count_tuples(stored, blocks, most, group, now=now)
        self._noted(self._told.find_edition(stored.survey.digest))
        return found

    def recount(
        self, stored: StoredSurvey, on_progress: Progress = lambda _done, _all: None
    ) -> "Recount":
        return self._counts.recount(stored, on_progress)

    def repair_tally(
        self, stored: StoredSurvey, on_progress: Progress = lambda _done, _all: None
    ) -> "Recount":
        return self._counts.repair_tally(stored, on_progress)

    def close(self) -> None:
        for opened in reversed(self._opened):
            opened.close()

    def _noted(self, stored: StoredSurvey | None) -> StoredSurvey | None:
        """The survey, once the registry has recorded its end."""
        if stored:
            self._registry.adopt_ending(stored.survey.digest, stored.ending)
        return stored


def reports_in(path: Path) -> int:
    """How many reports a file of the store has, of all surveys."""
    with closing(open_store(path, must_exist=True)) as opened:
        return sum(opened.count_reports(each.survey.digest) for each in opened.list_surveys())


def opened_apart(folder: Path) -> Store:
    """The store with its files in a folder."""
    return ApartStore(folder)
