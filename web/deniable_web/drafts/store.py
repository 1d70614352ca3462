"""The store of drafts: one SQLite file, apart from every store with reports.

It has times and names of authors. A store with reports never has times.
"""

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from deniable_collector.errors import UnreadableStore
from deniable_collector.store.connections import (
    connect,
    lay_out,
    make_file,
    transaction,
    unavailable_if_failing,
)
from deniable_collector.store.locations import scheme_of, sqlite_path
from deniable_sdk.randomness import system_bytes
from deniable_sdk.tokens import base64url
from deniable_web.drafts.errors import DraftChanged, TooManyDrafts, UnknownDraft
from deniable_web.drafts.tables import (
    FORGET_SQL,
    KIND,
    NEWEST_SQL,
    Draft,
    Saved,
    draft_of,
    find_draft,
    insert_version,
    read_document,
    to_json,
    to_moment,
    to_text,
)

BUSY_TIMEOUT_S: Final = 10.0
MOST_DRAFTS: Final = 1_000
# Of each draft; older ones are removed.
MOST_VERSIONS: Final = 100
# What one author saves within this time is one version.
STRETCH: Final = timedelta(minutes=10)

_ID_BYTES: Final = 12


class DraftStore:
    """An open store of drafts. Several processes may have the same file open.

    Args:
        path: of the file, which is created with the first draft.
        busy_timeout_s: how long to wait for other processes that write.
    Raises:
        UnreadableStore: the path has something else, or cannot have a file.
        StoreUnavailable: the file cannot be opened or written now. So can every method.
    """

    def __init__(self, path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        if not path.parent.is_dir():
            raise UnreadableStore(f"{path} is in a folder that does not exist; make it first")
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        if path.exists():
            with unavailable_if_failing():
                self._connection = _open(path, busy_timeout_s)

    def list_drafts(self) -> Sequence[Draft]:
        """All drafts, the one that was changed last first."""
        if not self._path.exists():
            return []
        with self._reading() as connection:
            rows = connection.execute(f"{NEWEST_SQL} ORDER BY changed DESC, id").fetchall()
        return [draft_of(row) for row in rows]

    def find(self, draft_id: str) -> Draft:
        """The draft with an id; raises UnknownDraft."""
        with self._reading() as connection:
            return find_draft(connection, draft_id)

    def newest(self, draft_id: str) -> tuple[Draft, bytes]:
        """The draft and its document as JSON, of one moment; raises UnknownDraft."""
        with self._reading() as connection:
            connection.execute("BEGIN")
            try:
                found = find_draft(connection, draft_id)
                return found, read_document(connection, draft_id, found.version)
            finally:
                connection.execute("ROLLBACK")

    def document(self, draft_id: str, version: int) -> bytes:
        """The document of one version, as JSON; raises UnknownDraft."""
        with self._reading() as connection:
            return read_document(connection, draft_id, version)

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
            Saved(version, to_moment(began), to_moment(changed), changed_by)
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
                "INSERT INTO drafts VALUES (?, 1, ?, ?)", (draft_id, to_text(now), author)
            )
            insert_version(connection, draft_id, document, Saved(1, now, now, author))
            return find_draft(connection, draft_id)

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
            newest = find_draft(connection, draft_id)
            if newest.version != base:
                raise DraftChanged
            before, began = connection.execute(
                "SELECT document, began FROM versions WHERE draft = ? AND version = ?",
                (draft_id, base),
            ).fetchone()
            if before == to_json(document):
                return newest
            saved = Saved(base + 1, now, now, author)
            if newest.changed_by == author and timedelta(0) <= now - to_moment(began) < STRETCH:
                saved = replace(saved, began=to_moment(began))
                connection.execute(
                    "DELETE FROM versions WHERE draft = ? AND version = ?", (draft_id, base)
                )
            insert_version(connection, draft_id, document, saved)
            connection.execute(
                "UPDATE drafts SET version = ? WHERE id = ?", (saved.version, draft_id)
            )
            connection.execute(FORGET_SQL, {"draft": draft_id, "kept": MOST_VERSIONS})
            return find_draft(connection, draft_id)

    def remove(self, draft_id: str) -> None:
        """Remove a draft with all of its versions; raises UnknownDraft."""
        with self._writing() as connection:
            find_draft(connection, draft_id)
            connection.execute("DELETE FROM versions WHERE draft = ?", (draft_id,))
            connection.execute("DELETE FROM drafts WHERE id = ?", (draft_id,))

    def close(self) -> None:
        """Close the store; calling this again is harmless."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, unavailable_if_failing():
            yield self._opened()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A block that is on disk as a whole when it ends, or leaves nothing."""
        with self._lock, unavailable_if_failing():
            connection = self._opened()
            with transaction(connection, self._busy_timeout_s, before_commit=lambda: None):
                yield connection

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = _open(self._path, self._busy_timeout_s)
        return self._connection


def drafts_beside(store: str) -> Path | None:
    """Where drafts are kept beside a store of reports in an SQLite file; None for other stores."""
    if scheme_of(store) not in ("", "sqlite"):
        return None
    path = sqlite_path(store)
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
    make_file(path, must_exist=False, missing="")
    connection = connect(path, busy_timeout_s)
    try:
        lay_out(connection, path, KIND, busy_timeout_s)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
    except BaseException:
        connection.close()
        raise
    return connection
