"""A store, and the methods that are the same for every engine.

SQL here has ? for each value, whatever the engine writes. Counting imports numpy on first
use.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from deniable_collector.clock import Moment
from deniable_collector.errors import StoreUnavailable
from deniable_collector.store.base import (
    Publication,
    PublishOutcome,
    ReportOutcome,
    Row,
    StoredSurvey,
    refusal_of,
    refuse_unusable_keys,
)
from deniable_collector.tokens import AccessToken, Role
from deniable_sdk import Block, PublishedSurvey
from deniable_storage.tables import READ_LOG_SQL, SURVEYS_SQL

if TYPE_CHECKING:
    from deniable_storage.chunks import Chunk
    from deniable_storage.counts import JointCounts, SurveyCounts

_TOKENS_SQL = "SELECT name, role, slug FROM tokens LEFT JOIN token_surveys ON token = name"


class Store(ABC):
    """Surveys and their reports; every method may be called from any thread.

    Every method raises StoreUnavailable if the engine cannot answer now. Then either
    nothing has changed or, if the engine fell silent at the end, everything.
    """

    def __init__(self) -> None:
        # A digest always names the same document, so no entry becomes outdated.
        self._surveys: dict[str, PublishedSurvey] = {}
        self._tables: dict[str, Any] = {}

    @abstractmethod
    def publish(self, survey: PublishedSurvey) -> Publication:
        """Publish a survey under its slug; it is durable before this returns.

        Publishing the same document again changes nothing. Another document becomes the
        next edition if the newest edition is closed; if it is open, the result is a
        conflict.

        Raises:
            UnusableKeys: a group has no key, or one that another survey has; nothing changed.
        """

    @abstractmethod
    def close_survey(self, slug: str) -> StoredSurvey | None:
        """Close the newest edition under a slug, and return it; closing again is harmless.

        Afterwards nothing in the store reveals the order of its reports. After
        StoreUnavailable the survey may already be closed: close it again.
        """

    @abstractmethod
    def add_rows(
        self, rows: Mapping[str, Sequence[Row]], now: Moment | None = None
    ) -> Mapping[str, Sequence[ReportOutcome]]:
        """The outcome of each row, by the digests of surveys; stored rows are durable.

        All rows are added in one transaction. Each must be the row of a report that passed
        check_report: the store does not check values again. Without the present moment the
        windows of surveys are ignored, as when reports move from one store to another.
        """

    @abstractmethod
    def read_rows(self, stored: StoredSurvey, after: bytes | None, limit: int) -> Sequence[Row]:
        """At most `limit` rows after an id, in the order of the ids.

        Fewer than `limit` rows are the last ones. Rows may be added between two calls.
        """

    @abstractmethod
    def purge_reports(self, digest: str) -> int:
        """Remove a closed survey's reports permanently, and return their number; 0 if unknown.

        The survey stays, closed and purged. Afterwards the store contains no byte of the
        reports. After StoreUnavailable they may be removed already, but bytes of them may
        still be on disk: purge the survey again.

        Raises:
            StillOpen: the survey accepts reports; none was removed.
        """

    @abstractmethod
    def add_token(self, token: AccessToken, digest: str) -> bool:
        """Whether a token was added, and is durable; False if its name is in use.

        The store receives only the digest of the secret.
        """

    @abstractmethod
    def remove_token(self, name: str) -> bool:
        """Whether a token with this name existed; removes it."""

    @abstractmethod
    def check(self) -> None:
        """Raise an error unless the store can answer."""

    @abstractmethod
    def close(self) -> None:
        """Close the store; calling this again is harmless."""

    def find_survey(self, slug: str) -> StoredSurvey | None:
        """The newest edition under a slug."""
        with self._reading() as connection:
            return self._find(connection, "slug", slug)

    def find_edition(self, digest: str) -> StoredSurvey | None:
        """The survey with a digest, whether or not it is the newest edition."""
        with self._reading() as connection:
            return self._find(connection, "digest", digest)

    def list_surveys(self) -> tuple[StoredSurvey, ...]:
        """All editions of all surveys, by slug and edition."""
        with self._reading() as connection:
            found = [self._stored(connection, row) for row in self._run(connection, SURVEYS_SQL)]
        return tuple(sorted(found, key=lambda stored: (stored.survey.slug, stored.edition)))

    def read_log(self) -> tuple[str, ...]:
        """The digests of all editions of all surveys, in the order of publishing."""
        with self._reading() as connection:
            return tuple(digest for (digest,) in self._run(connection, READ_LOG_SQL))

    def refusal(self, stored: StoredSurvey, now: Moment) -> ReportOutcome | None:
        """Why a survey accepts no new reports at a moment; None if it accepts them."""
        if stored.is_closed:
            return ReportOutcome.CLOSED
        return refusal_of(stored.survey, now, lambda: self.count_reports(stored.survey.digest))

    def count_reports(self, digest: str) -> int:
        """How many reports the survey with this digest has; 0 if it is unknown."""
        with self._reading() as connection:
            stored = self._find(connection, "digest", digest)
            if stored is None:
                return 0
            ((count,),) = self._run(connection, self._table(stored.survey).count_sql)
        return int(count)

    def count_values(
        self, stored: StoredSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> "SurveyCounts":
        """The counts of these blocks, all at one moment.

        Memory grows with the number of possible values, not with the number of reports. In a
        survey by invitation, only reports of the group are counted, if there is one.

        Raises:
            StrangeValue: a value is stored that its block cannot produce.
        """
        from deniable_storage.chunks import count_chunks  # noqa: PLC0415  see above

        with self._chunks(stored, blocks, group=group) as chunks:
            return count_chunks(blocks, chunks)

    def count_tuples(
        self, stored: StoredSurvey, blocks: Sequence[Block], most: int, group: str | None = None
    ) -> "JointCounts":
        """The different tuples of values, from reports that contain all of the blocks.

        Raises:
            StrangeValue: a value is stored that its block cannot produce.
            TooManyTuples: there are more than `most` different tuples.
        """
        from deniable_storage.chunks import tuples_of_chunks  # noqa: PLC0415  see above

        with self._chunks(stored, blocks, only_complete=True, group=group) as chunks:
            return tuples_of_chunks(blocks, chunks, most)

    def find_token(self, digest: str) -> AccessToken | None:
        """The token with this digest, at this moment."""
        with self._reading() as connection:
            rows = self._run(connection, f"{_TOKENS_SQL} WHERE digest = ?", digest)
        return next(_tokens(rows), None)

    def list_tokens(self) -> tuple[AccessToken, ...]:
        """All tokens, by name."""
        with self._reading() as connection:
            return tuple(_tokens(self._run(connection, _TOKENS_SQL)))

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Any]:
        """A connection for short reading."""

    @abstractmethod
    def _run(self, connection: Any, statement: str, *values: object) -> list[Any]:
        """All rows of a statement's result."""

    @abstractmethod
    def _chunks(
        self,
        stored: StoredSurvey,
        blocks: Sequence[Block],
        *,
        only_complete: bool = False,
        group: str | None = None,
    ) -> AbstractContextManager[Iterable["Chunk"]]:
        """The values of blocks, all at one moment; storing reports does not wait for this."""

    @abstractmethod
    def _make_table(self, survey: PublishedSurvey) -> Any:
        """The table of a survey's reports, in the engine's SQL."""

    def _table(self, survey: PublishedSurvey) -> Any:
        table = self._tables.get(survey.digest)
        if table is None:
            table = self._tables[survey.digest] = self._make_table(survey)
        return table

    def _find(self, connection: Any, column: str, value: str) -> StoredSurvey | None:
        """The newest edition with a digest or slug."""
        statement = f"{SURVEYS_SQL} WHERE {column} = ? ORDER BY edition DESC LIMIT 1"
        rows = self._run(connection, statement, value)
        return self._stored(connection, rows[0]) if rows else None

    def _stored(self, connection: Any, row: Sequence[Any]) -> StoredSurvey:
        digest, edition, is_closed, table, is_purged = row
        survey = self._survey(connection, digest)
        return StoredSurvey(survey, edition, bool(is_closed), table, bool(is_purged))

    def _survey(self, connection: Any, digest: str) -> PublishedSurvey:
        """The survey with this digest, which was in the store a moment ago; read once."""
        if digest not in self._surveys:
            rows = self._run(connection, "SELECT document FROM surveys WHERE digest = ?", digest)
            if not rows:
                raise StoreUnavailable("a survey was removed while its reports were added")
            self._surveys[digest] = PublishedSurvey.from_bytes(rows[0][0].encode(), digest=digest)
        return self._surveys[digest]

    def _publish(self, connection: Any, survey: PublishedSurvey) -> Publication:
        """Publish a survey, as a store does; call it in a transaction that locks the surveys."""
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
        if table.at_most_reports is not None:
            self._run(connection, table.create_tally_sql)
        self._run(
            connection,
            "INSERT INTO surveys (digest, slug, edition, document, reports_table) "
            "VALUES (?, ?, ?, ?, ?)",
            *(survey.digest, survey.slug, edition, survey.document.decode(), table.name),
        )
        self._run(
            connection,
            "INSERT INTO log (position, digest) SELECT COALESCE(MAX(position), 0) + 1, ? FROM log",
            survey.digest,
        )
        stored = StoredSurvey(survey, edition, is_closed=False, reports_table=table.name)
        return Publication(PublishOutcome.PUBLISHED, stored)

    def _add_token(self, connection: Any, token: AccessToken, digest: str) -> bool:
        """Whether the token was added: its name and digest must be new."""
        added = self._run(
            connection,
            "INSERT INTO tokens (name, role, digest) VALUES (?, ?, ?) "
            "ON CONFLICT DO NOTHING RETURNING name",
            *(token.name, token.role.value, digest),
        )
        for slug in token.surveys or () if added else ():
            statement = "INSERT INTO token_surveys (token, slug) VALUES (?, ?)"
            self._run(connection, statement, token.name, slug)
        return bool(added)

    def _remove_token(self, connection: Any, name: str) -> bool:
        """Whether a token with this name existed; removes it."""
        self._run(connection, "DELETE FROM token_surveys WHERE token = ?", name)
        return bool(
            self._run(connection, "DELETE FROM tokens WHERE name = ? RETURNING name", name)
        )


def _tokens(rows: Sequence[tuple[str, str, str | None]]) -> Iterator[AccessToken]:
    """The tokens by name; a token has a row for each of its surveys, or one without a slug."""
    for (name, role), theirs in groupby(sorted(rows, key=itemgetter(0)), itemgetter(0, 1)):
        slugs = frozenset(slug for *_, slug in theirs if slug is not None)
        yield AccessToken(name, Role(role), slugs or None)
