"""The store of drafts: one SQLite file, apart from every store with reports.

It has times and names of authors. A store with reports never has times.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from deniable_collector.errors import UnreadableStore
from deniable_collector.store.connections import (
    FileKind,
    connect,
    lay_out,
    make_file,
    transaction,
    unavailable_if_failing,
)
from deniable_collector.store.locations import scheme_of
from deniable_sdk.randomness import system_bytes
from deniable_sdk.survey.reading import SLUG_PATTERN
from deniable_sdk.tokens import base64url
from deniable_web.drafts.errors import DraftChanged, TooManyDrafts, UnknownDraft

BUSY_TIMEOUT_S: Final = 10.0
MOST_DRAFTS: Final = 1_000
# Of each draft; older ones are removed.
MOST_VERSIONS: Final = 100
# What one author saves within this time is one version.
STRETCH: Final = timedelta(minutes=10)

_ID_BYTES: Final = 12
_TABLES_SQL: Final = """
CREATE TABLE drafts (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    created TEXT NOT NULL,
    created_by TEXT NOT NULL
);
CREATE TABLE versions (
    draft TEXT NOT NULL,
    version INTEGER NOT NULL,
    began TEXT NOT NULL,
    changed TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    title TEXT NOT NULL,
    slug TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (draft, version)
) WITHOUT ROWID
"""
# The number is "drft" in ASCII.
_KIND: Final = FileKind("a store of drafts", 0x64726674, 1, _TABLES_SQL)
_NEWEST_SQL: Final = """
SELECT id, version, created, created_by, changed, changed_by, title, slug
FROM drafts JOIN versions USING (version) WHERE draft = id
"""


_FORGET_SQL: Final = """
DELETE FROM versions WHERE draft = :draft AND version <= (
    SELECT version FROM versions WHERE draft = :draft
    ORDER BY version DESC LIMIT 1 OFFSET :kept
)
"""


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft, without its document.

    Args:
        id: random letters.
        version: of its document, from 1; it grows with each change.
        created: when it began, in UTC.
        created_by: the name of the author who began it.
        changed: when it was changed last.
        changed_by: the name of the author who changed it last.
        title: as in its document: a text, or texts by language.
        slug: the name of the survey; empty if it has none yet.
    """

    id: str
    version: int
    created: datetime
    created_by: str
    changed: datetime
    changed_by: str
    title: str | Mapping[str, str] = field(repr=False)
    slug: str


@dataclass(frozen=True, slots=True)
class Saved:
    """When and by whom one version of a draft was saved.

    Args:
        version: its number.
        began: when its author began to change it, in UTC.
        changed: when it was saved last, in UTC.
        changed_by: the name of the author.
    """

    version: int
    began: datetime
    changed: datetime
    changed_by: str


class DraftStore:
    """An open store of drafts. Several processes may have the same file open.

    Args:
        path: of the file, which is created if it does not exist.
        busy_timeout_s: how long to wait for other processes that write.
    Raises:
        UnreadableStore: the path has something else, or cannot have a file.
        StoreUnavailable: the file cannot be opened or written now. So can every method.
    """

    def __init__(self, path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        make_file(path, must_exist=False, missing="")
        self._busy_timeout_s = busy_timeout_s
        self._lock = threading.Lock()
        with unavailable_if_failing():
            self._connection = _open(path, busy_timeout_s)

    def list_drafts(self) -> Sequence[Draft]:
        """All drafts, the one that was changed last first."""
        with self._reading() as connection:
            rows = connection.execute(f"{_NEWEST_SQL} ORDER BY changed DESC, id").fetchall()
        return [_draft(row) for row in rows]

    def find(self, draft_id: str) -> Draft:
        """The draft with an id; raises UnknownDraft."""
        with self._reading() as connection:
            return _find(connection, draft_id)

    def newest(self, draft_id: str) -> tuple[Draft, bytes]:
        """The draft and its document as JSON, of one moment; raises UnknownDraft."""
        with self._reading() as connection:
            connection.execute("BEGIN")
            try:
                found = _find(connection, draft_id)
                return found, _document(connection, draft_id, found.version)
            finally:
                connection.execute("ROLLBACK")

    def document(self, draft_id: str, version: int) -> bytes:
        """The document of one version, as JSON; raises UnknownDraft."""
        with self._reading() as connection:
            return _document(connection, draft_id, version)

    def versions(self, draft_id: str) -> Sequence[Saved]:
        """The versions that are kept, the newest first; raises UnknownDraft."""
        question = (
            "SELECT version, began, changed, changed_by FROM versions WHERE draft = ? "
            "ORDER BY version DESC"
        )
        with self._reading() as connection:
            rows = connection.execute(question, (draft_id,)).fetchall()
        if not rows:
            raise UnknownDraft
        return [
            Saved(version, _moment(began), _moment(changed), changed_by)
            for version, began, changed, changed_by in rows
        ]

    def create(self, document: Mapping[str, Any], author: str, now: datetime) -> Draft:
        """Keep a new draft.

        Raises:
            TooManyDrafts: there are 1,000 already.
        """
        draft_id = base64url(system_bytes(_ID_BYTES))
        with self._writing() as connection:
            ((count,),) = connection.execute("SELECT count(*) FROM drafts")
            if count >= MOST_DRAFTS:
                raise TooManyDrafts(MOST_DRAFTS)
            connection.execute(
                "INSERT INTO drafts VALUES (?, 1, ?, ?)", (draft_id, _text(now), author)
            )
            _insert(connection, draft_id, document, Saved(1, now, now, author))
            return _find(connection, draft_id)

    def save(
        self, draft_id: str, base: int, document: Mapping[str, Any], author: str, now: datetime
    ) -> Draft:
        """Keep a new version of a draft. The same document again changes nothing.

        Args:
            draft_id: of the draft.
            base: the version in which the author made the changes.
            document: the changed one.
            author: the name of the author.
            now: the present moment.
        Raises:
            UnknownDraft: there is no such draft.
            DraftChanged: there is a newer version than `base`; nothing was kept.
        """
        with self._writing() as connection:
            newest = _find(connection, draft_id)
            if newest.version != base:
                raise DraftChanged
            before, began = connection.execute(
                "SELECT document, began FROM versions WHERE draft = ? AND version = ?",
                (draft_id, base),
            ).fetchone()
            if before == _json(document):
                return newest
            saved = Saved(base + 1, now, now, author)
            if newest.changed_by == author and timedelta(0) <= now - _moment(began) < STRETCH:
                saved = replace(saved, began=_moment(began))
                connection.execute(
                    "DELETE FROM versions WHERE draft = ? AND version = ?", (draft_id, base)
                )
            _insert(connection, draft_id, document, saved)
            connection.execute(
                "UPDATE drafts SET version = ? WHERE id = ?", (saved.version, draft_id)
            )
            connection.execute(_FORGET_SQL, {"draft": draft_id, "kept": MOST_VERSIONS})
            return _find(connection, draft_id)

    def remove(self, draft_id: str) -> None:
        """Remove a draft with all of its versions; raises UnknownDraft."""
        with self._writing() as connection:
            _find(connection, draft_id)
            connection.execute("DELETE FROM versions WHERE draft = ?", (draft_id,))
            connection.execute("DELETE FROM drafts WHERE id = ?", (draft_id,))

    def close(self) -> None:
        """Close the store; calling this again is harmless."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, unavailable_if_failing():
            yield self._connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A block that is on disk as a whole when it ends, or leaves nothing."""
        with (
            self._lock,
            unavailable_if_failing(),
            transaction(self._connection, self._busy_timeout_s, before_commit=lambda: None),
        ):
            yield self._connection


def drafts_beside(store: str) -> Path | None:
    """Where drafts are kept beside a store of reports in an SQLite file; None for other stores."""
    if scheme_of(store) not in ("", "sqlite"):
        return None
    path = Path(store.removeprefix("sqlite:///"))
    return path.with_name(f"{path.stem}-drafts.sqlite")


def open_draft_store(location: str | Path) -> DraftStore:
    """The store of drafts at a path.

    Raises:
        UnreadableStore, StoreUnavailable: as for DraftStore.
    """
    if scheme_of(location):
        raise UnreadableStore(
            "got the URL of a database; drafts have times, and the log of a database that also "
            "has reports would date these; drafts need a file of their own: give a path"
        )
    return DraftStore(Path(location))


def _open(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    connection = connect(path, busy_timeout_s)
    try:
        lay_out(connection, path, _KIND, busy_timeout_s)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _find(connection: sqlite3.Connection, draft_id: str) -> Draft:
    row = connection.execute(f"{_NEWEST_SQL} AND id = ?", (draft_id,)).fetchone()
    if row is None:
        raise UnknownDraft
    return _draft(row)


def _document(connection: sqlite3.Connection, draft_id: str, version: int) -> bytes:
    question = "SELECT document FROM versions WHERE draft = ? AND version = ?"
    row = connection.execute(question, (draft_id, version)).fetchone()
    if row is None:
        raise UnknownDraft
    return str(row[0]).encode()


def _draft(row: Sequence[Any]) -> Draft:
    draft_id, version, created, created_by, changed, changed_by, title, slug = row
    return Draft(
        draft_id,
        version,
        _moment(created),
        created_by,
        _moment(changed),
        changed_by,
        json.loads(title),
        slug,
    )


def _insert(
    connection: sqlite3.Connection, draft_id: str, document: Mapping[str, Any], saved: Saved
) -> None:
    definition = document["definition"]
    title, slug = definition.get("title", ""), definition.get("slug", "")
    connection.execute(
        "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            draft_id,
            saved.version,
            _text(saved.began),
            _text(saved.changed),
            saved.changed_by,
            _json(title if isinstance(title, (str, dict)) else ""),
            slug if isinstance(slug, str) and SLUG_PATTERN.fullmatch(slug) else "",
            _json(document),
        ),
    )


def _json(value: object) -> str:
    # As ASCII: a text may have half of a pair of surrogates, which UTF-8 does not.
    return json.dumps(value, separators=(",", ":"))


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _moment(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
