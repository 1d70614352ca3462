"""The drafts in a workplace: each with the versions that authors saved."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from deniable_sdk.randomness import system_bytes
from deniable_sdk.tokens import base64url
from deniable_web.drafts.errors import DraftChanged, TooManyDrafts, UnknownDraft
from deniable_web.drafts.tables import (
    FORGET_SQL,
    NEWEST_SQL,
    Draft,
    Saved,
    draft_of,
    find_draft,
    insert_version,
    read_document,
    to_json,
)
from deniable_web.workplace import Workplace, to_moment, to_text

MOST_DRAFTS: Final = 1_000
# Of each draft; older ones are removed.
MOST_VERSIONS: Final = 100
# What one author saves within this time is one version.
STRETCH: Final = timedelta(minutes=10)

_ID_BYTES: Final = 12


class DraftStore:
    """The drafts in a workplace.

    Raises:
        StoreUnavailable: every method, if the file cannot be opened or written now.
    """

    def __init__(self, workplace: Workplace) -> None:
        self._workplace = workplace

    def list_drafts(self) -> Sequence[Draft]:
        """All drafts, the one that was changed last first."""
        return list(map(draft_of, self._workplace.rows(f"{NEWEST_SQL} ORDER BY changed DESC, id")))

    def find(self, draft_id: str) -> Draft:
        """The draft with an id; raises UnknownDraft."""
        with self._workplace.reading() as connection:
            return find_draft(connection, draft_id)

    def newest(self, draft_id: str) -> tuple[Draft, bytes]:
        """The draft and its document as JSON, of one moment; raises UnknownDraft."""
        with self._workplace.reading() as connection:
            connection.execute("BEGIN")
            try:
                found = find_draft(connection, draft_id)
                return found, read_document(connection, draft_id, found.version)
            finally:
                connection.execute("ROLLBACK")

    def document(self, draft_id: str, version: int) -> bytes:
        """The document of one version, as JSON; raises UnknownDraft."""
        with self._workplace.reading() as connection:
            return read_document(connection, draft_id, version)

    def versions(self, draft_id: str) -> Sequence[Saved]:
        """The versions that are kept, the newest first; raises UnknownDraft."""
        question = (
            "SELECT version, began, changed, changed_by FROM versions WHERE draft = ? "
            "ORDER BY version DESC"
        )
        rows = self._workplace.rows(question, (draft_id,))
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
        with self._workplace.writing() as connection:
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
        with self._workplace.writing() as connection:
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
        with self._workplace.writing() as connection:
            find_draft(connection, draft_id)
            connection.execute("DELETE FROM versions WHERE draft = ?", (draft_id,))
            connection.execute("DELETE FROM drafts WHERE id = ?", (draft_id,))
