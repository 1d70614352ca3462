"""A store in an engine that knows SQL: the methods that are the same for every one.

SQL here has ? for each value, whatever the engine writes.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, ClassVar

from deniable_collector.clock import Moment
from deniable_collector.errors import ErasingUnfinished, StillOpen, StoreUnavailable
from deniable_collector.store.base import (
    Publication,
    PublishOutcome,
    Refusal,
    ReportOutcome,
    StoredSurvey,
    extended,
    refusal_of,
    refuse_unusable_keys,
)
from deniable_collector.store.roles import Store
from deniable_collector.store.token_tables import TokenTables
from deniable_sdk import PublishedSurvey
from deniable_storage.ends import End, Ending, Fieldwork
from deniable_storage.tables import (
    MARK_GIVEN_OUT_SQL,
    MARK_UNFINISHED_SQL,
    READ_LOG_SQL,
    RECORD_ENDING_SQL,
    SURVEYS_SQL,
)


class SqlStore(TokenTables, Store):
    """All three roles in one database; the methods of the roles are described there."""

    # The class of tables of reports, in the engine's SQL.
    _table_type: ClassVar[Any]

    def __init__(self) -> None:
        # A digest always names the same document, so no entry becomes outdated.
        self._surveys: dict[str, PublishedSurvey] = {}
        self._tables: dict[str, Any] = {}
        self._latest: dict[str, StoredSurvey] = {}

    def publish(self, survey: PublishedSurvey) -> Publication:
        with self._publishing() as connection:
            same = self._find(connection, "digest", survey.digest)
            if same:
                return Publication(PublishOutcome.ALREADY_PUBLISHED, same)
            newest = self._find(connection, "slug", survey.slug)
            if newest and not newest.is_closed:
                return Publication(PublishOutcome.CONFLICT, newest)
            has_text = "SELECT 1 FROM surveys WHERE replace(document, ?, '') <> document LIMIT 1"
            refuse_unusable_keys(survey, lambda text: bool(self._run(connection, has_text, text)))
            edition = newest.edition + 1 if newest else 1
            table = self._table(survey)
            self._run(connection, table.create_sql)
            self._run(connection, table.create_tally_sql)
            self._run(
                connection,
                "INSERT INTO surveys (digest, slug, edition, document, reports_table) "
                "VALUES (?, ?, ?, ?, ?)",
                *(survey.digest, survey.slug, edition, survey.document.decode(), table.name),
            )
            self._run(
                connection,
                "INSERT INTO log (position, digest) "
                "SELECT COALESCE(MAX(position), 0) + 1, ? FROM log",
                survey.digest,
            )
            stored = StoredSurvey(survey, edition, is_closed=False, reports_table=table.name)
            return Publication(PublishOutcome.PUBLISHED, stored)

    def extend(
        self,
        slug: str,
        now: Moment,
        *,
        closes: Moment | None = None,
        at_most_reports: int | None = None,
    ) -> StoredSurvey | None:
        with self._publishing() as connection:
            stored = self._find(connection, "slug", slug)
            if stored is None:
                return None
            ending = extended(
                stored, now, self._count(connection, stored), closes, at_most_reports
            )
            return self._record(connection, stored, ending)

    def end_by_margin(self, digest: str, now: Moment) -> bool:
        with self._publishing() as connection:
            stored = self._find(connection, "digest", digest)
            if stored is None or self._fieldwork(connection, stored, now).end:
                return False
            self._record(connection, stored, replace(stored.ending, ended_by=End.MARGIN))
            return True

    def adopt_ending(self, digest: str, ending: Ending) -> None:
        with self._publishing() as connection:
            stored = self._find(connection, "digest", digest)
            if stored and stored.ending != ending:
                self._record(connection, stored, ending)

    def find_survey(self, slug: str) -> StoredSurvey | None:
        with self._reading() as connection:
            return self._find(connection, "slug", slug)

    def find_edition(self, digest: str) -> StoredSurvey | None:
        with self._reading() as connection:
            return self._find(connection, "digest", digest)

    def list_surveys(self) -> tuple[StoredSurvey, ...]:
        with self._reading() as connection:
            found = [self._stored(connection, row) for row in self._run(connection, SURVEYS_SQL)]
        return tuple(sorted(found, key=lambda stored: (stored.survey.slug, stored.edition)))

    def read_log(self) -> tuple[str, ...]:
        with self._reading() as connection:
            return tuple(digest for (digest,) in self._run(connection, READ_LOG_SQL))

    def latest(self, digest: str) -> StoredSurvey | None:
        return self._latest.get(digest)

    def finish_erasing(self, stored: StoredSurvey) -> None:
        try:
            self._erase(stored)
        except StoreUnavailable as error:
            raise ErasingUnfinished(error.cause, is_purged=stored.is_purged) from None

    @abstractmethod
    def _publishing(self) -> AbstractContextManager[Any]:
        """A transaction that writes; meanwhile nobody else publishes, extends or ends surveys."""

    @abstractmethod
    def _erase(self, stored: StoredSurvey) -> None:
        """Erase the order of a closed survey's reports and all removed data, then the mark.

        Raises:
            StoreUnavailable: another program is using the store.
        """

    def _table(self, survey: PublishedSurvey) -> Any:
        table = self._tables.get(survey.digest)
        if table is None:
            table = self._tables[survey.digest] = self._table_type.of(survey)
        return table

    def _find(self, connection: Any, column: str, value: str) -> StoredSurvey | None:
        """The newest edition with a digest or slug."""
        statement = f"{SURVEYS_SQL} WHERE {column} = ? ORDER BY edition DESC LIMIT 1"
        rows = self._run(connection, statement, value)
        return self._stored(connection, rows[0]) if rows else None

    def _stored(self, connection: Any, row: Sequence[Any]) -> StoredSurvey:
        digest, edition, is_closed, table, is_purged, is_unfinished, *ending = row
        flags = bool(is_closed), table, bool(is_purged), bool(is_unfinished)
        survey = self._survey(connection, digest)
        stored = self._latest[digest] = StoredSurvey(
            survey, edition, *flags, Ending.of_row(*ending)
        )
        return stored

    def _survey(self, connection: Any, digest: str) -> PublishedSurvey:
        """The survey with this digest, which was in the store a moment ago; read once."""
        if digest not in self._surveys:
            rows = self._run(connection, "SELECT document FROM surveys WHERE digest = ?", digest)
            if not rows:
                raise StoreUnavailable("a survey was removed while its reports were added")
            self._surveys[digest] = PublishedSurvey.from_bytes(rows[0][0].encode(), digest=digest)
        return self._surveys[digest]

    def _count(self, connection: Any, stored: StoredSurvey) -> Callable[[], int]:
        """A function that returns the number of a survey's reports, from its tally."""
        statement = self._table(stored.survey).count_sql
        return lambda: int(self._run(connection, statement)[0][0])

    def _fieldwork(self, connection: Any, stored: StoredSurvey, now: Moment) -> Fieldwork:
        return stored.fieldwork(now, self._count(connection, stored))

    def _refusal(self, connection: Any, stored: StoredSurvey, now: Moment | None) -> Refusal:
        """Why a survey admits no new reports; the present moment may be left out."""
        if now is None:
            return ReportOutcome.CLOSED if stored.is_closed else None
        return refusal_of(stored, self._fieldwork(connection, stored, now), now)

    def _record(self, connection: Any, stored: StoredSurvey, ending: Ending) -> StoredSurvey:
        """Record what happened to the end of a survey, and return the survey."""
        digest = stored.survey.digest
        self._run(connection, RECORD_ENDING_SQL, digest, *ending.to_row())
        if ending.is_given_out:
            self._run(connection, MARK_GIVEN_OUT_SQL, digest)
        return replace(stored, ending=ending)

    def _close(self, connection: Any, stored: StoredSurvey, now: Moment | None) -> None:
        """Record that a survey is closed, and how it ended; call it in a transaction."""
        if not stored.is_closed:
            known = self._fieldwork(connection, stored, now).end if now else stored.ending.ended_by
            self._record(connection, stored, replace(stored.ending, ended_by=known or End.HAND))
        digest = stored.survey.digest
        self._run(connection, "UPDATE surveys SET is_closed = TRUE WHERE digest = ?", digest)
        self._run(connection, MARK_UNFINISHED_SQL, digest)

    def _mark_purged(self, connection: Any, stored: StoredSurvey) -> None:
        """Record that the reports of a survey are removed; call it in that transaction.

        Raises:
            StillOpen: the survey accepts reports.
        """
        if not stored.is_closed:
            raise StillOpen(stored.survey.slug, stored.edition)
        statement = "INSERT INTO purged (digest) VALUES (?) ON CONFLICT DO NOTHING"
        self._run(connection, statement, stored.survey.digest)
