"""The drafts in a workplace: each with the versions that authors saved."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from deniable_collector.errors import Refused
from deniable_collector.problems import problem
from deniable_sdk.foreign import read_json
from deniable_sdk.randomness import system_bytes
from deniable_sdk.survey.reading import SLUG_PATTERN
from deniable_sdk.tokens import base64url
from deniable_web.workplace import Workplace, to_moment, to_text

_NEWEST_SQL: Final = """
SELECT id, version, title, slug, created, created_by, changed, changed_by
FROM drafts JOIN versions USING (version) WHERE draft = id
"""
_FORGET_SQL: Final = """
DELETE FROM versions WHERE draft = :draft AND version IN (
    SELECT version FROM (
        SELECT version, row_number() OVER newest AS place,
            sum(length(document)) OVER newest AS size
        FROM versions WHERE draft = :draft AND version < :newest
        WINDOW newest AS (ORDER BY version DESC)
    ) WHERE place >= :most OR size > :bytes
)
"""

MOST_DRAFTS: Final = 1_000
# Of each draft; older ones are removed.
MOST_VERSIONS: Final = 100
# Of all versions of a draft but the newest one; older ones are removed.
MOST_EARLIER_BYTES: Final = 4 << 20
# What one author saves within this time is one version.
STRETCH: Final = timedelta(minutes=10)
# Whoever was not seen for so long has left; a visible page looks every four seconds.
ABSENT: Final = timedelta(seconds=20)
_SEEN_AGAIN: Final = timedelta(seconds=8)
_ID_BYTES: Final = 12


class UnknownDraft(Refused):
    """There is no such draft, or no such version of it."""

    def __init__(self) -> None:
        detail = "There is no draft at this address; it may have been removed."
        super().__init__(problem("unknown-draft", detail))


class TooManyDrafts(Refused):
    """The store has as many drafts as it can have."""

    def __init__(self, most: int) -> None:
        detail = f"There are {most:,} drafts already; remove some that nobody needs."
        super().__init__(problem("too-many-drafts", detail))


class DraftChanged(Refused):
    """There is a newer version than the one that the author changed."""

    def __init__(self) -> None:
        detail = (
            "Somebody saved a newer version of this draft; get it, merge the changes, and save "
            "them with its number."
        )
        super().__init__(problem("draft-changed", detail))


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft, without its document.

    Args:
        id: random letters.
        version: of its document, from 1; it grows with each change.
        title: as in its document: a text, or texts by language.
        slug: the name of the survey; empty if it has none yet.
        created: when it began, as texts of `to_text` say it.
        created_by: the name of the author who began it.
        changed: when it was changed last.
        changed_by: the name of the author who changed it last.
    """

    id: str
    version: int
    title: str | Mapping[str, str] = field(repr=False)
    slug: str
    created: str
    created_by: str
    changed: str
    changed_by: str


class Saved(NamedTuple):
    """When and by whom one version of a draft was saved.

    Args:
        version: its number.
        began: when its author began to change it, as a text of `to_text`.
        changed: when it was saved last, as such a text.
        changed_by: the name of the author.
    """

    version: int
    began: str
    changed: str
    changed_by: str


def _find(connection: sqlite3.Connection, draft_id: str) -> Draft:
    row = connection.execute(f"{_NEWEST_SQL} AND id = ?", (draft_id,)).fetchone()
    if row is None:
        raise UnknownDraft
    return _draft_of(row)


def _read(connection: sqlite3.Connection, draft_id: str, version: int) -> bytes:
    question = "SELECT document FROM versions WHERE draft = ? AND version = ?"
    row = connection.execute(question, (draft_id, version)).fetchone()
    if row is None:
        raise UnknownDraft
    return str(row[0]).encode()


def _draft_of(row: Sequence[Any]) -> Draft:
    draft_id, version, title, *others = row
    return Draft(draft_id, version, read_json(title.encode()), *others)


def _insert(
    connection: sqlite3.Connection, draft_id: str, document: Mapping[str, Any], saved: Saved
) -> None:
    definition = document["definition"]
    title, slug = definition.get("title", ""), definition.get("slug", "")
    connection.execute(
        "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            draft_id,
            *saved,
            _to_json(title if isinstance(title, (str, dict)) else ""),
            slug if isinstance(slug, str) and SLUG_PATTERN.fullmatch(slug) else "",
            _to_json(document),
        ),
    )


def _to_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


class DraftStore:
    """The drafts in a workplace.

    Raises:
        StoreUnavailable: every method, if the file cannot be opened or written now.
    """

    def __init__(self, workplace: Workplace) -> None:
        self._workplace = workplace

    def list_drafts(self) -> Sequence[Draft]:
        """All drafts, the one that was changed last first."""
        return list(
            map(_draft_of, self._workplace.rows(f"{_NEWEST_SQL} ORDER BY changed DESC, id"))
        )

    def find(self, draft_id: str) -> Draft:
        """The draft with an id; raises UnknownDraft."""
        with self._workplace.reading() as connection:
            return _find(connection, draft_id)

    def newest(self, draft_id: str) -> tuple[Draft, bytes]:
        """The draft and its document as JSON, of one moment; raises UnknownDraft."""
        with self._workplace.reading() as connection:
            connection.execute("BEGIN")
            try:
                found = _find(connection, draft_id)
                return found, _read(connection, draft_id, found.version)
            finally:
                connection.execute("ROLLBACK")

    def document(self, draft_id: str, version: int) -> bytes:
        """The document of one version, as JSON; raises UnknownDraft."""
        with self._workplace.reading() as connection:
            return _read(connection, draft_id, version)

    def versions(self, draft_id: str) -> Sequence[Saved]:
        """The versions that are kept, the newest first; raises UnknownDraft."""
        question = (
            "SELECT version, began, changed, changed_by FROM versions WHERE draft = ? "
            "ORDER BY version DESC"
        )
        rows = self._workplace.rows(question, (draft_id,))
        if not rows:
            raise UnknownDraft
        return [Saved(*row) for row in rows]

    def meet(self, draft_id: str, name: str, now: datetime) -> Sequence[str]:
        """The names of the others who have a draft open; from now on, `name` has."""
        found = self._workplace.rows(
            "SELECT name, seen FROM present WHERE draft = ? ORDER BY name", (draft_id,)
        )
        ages = {other: now - to_moment(seen) for other, seen in found}
        if not timedelta(0) <= ages.get(name, ABSENT) < _SEEN_AGAIN:
            with self._workplace.writing() as connection:
                before = to_text(now - ABSENT)
                connection.execute(
                    "DELETE FROM present WHERE seen < ? OR seen > ?", (before, to_text(now))
                )
                connection.execute(
                    "INSERT OR REPLACE INTO present VALUES (?, ?, ?)",
                    (draft_id, name, to_text(now)),
                )
        return [each for each, age in ages.items() if each != name and age < ABSENT]

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
            saved = Saved(1, to_text(now), to_text(now), author)
            connection.execute(
                "INSERT INTO drafts VALUES (?, 1, ?, ?)", (draft_id, saved.began, author)
            )
            _insert(connection, draft_id, document, saved)
            return _find(connection, draft_id)

    def save(
        self, draft_id: str, base: int, document: Mapping[str, Any], author: str, now: datetime
    ) -> Draft:
        """Keep a new version of a draft. The same document again changes nothing.

        Raises:
            UnknownDraft: there is no such draft.
            DraftChanged: there is a newer version than `base`, which the author changed; nothing
                was kept.
        """
        with self._workplace.writing() as connection:
            newest = _find(connection, draft_id)
            if newest.version != base:
                raise DraftChanged
            before, began = connection.execute(
                "SELECT document, began FROM versions WHERE draft = ? AND version = ?",
                (draft_id, base),
            ).fetchone()
            if before == _to_json(document):
                return newest
            saved = Saved(base + 1, to_text(now), to_text(now), author)
            if newest.changed_by == author and timedelta(0) <= now - to_moment(began) < STRETCH:
                saved = saved._replace(began=began)
                connection.execute(
                    "DELETE FROM versions WHERE draft = ? AND version = ?", (draft_id, base)
                )
            _insert(connection, draft_id, document, saved)
            connection.execute(
                "UPDATE drafts SET version = ? WHERE id = ?", (saved.version, draft_id)
            )
            limits = {"most": MOST_VERSIONS, "bytes": MOST_EARLIER_BYTES}
            connection.execute(_FORGET_SQL, {"draft": draft_id, "newest": saved.version, **limits})
            return _find(connection, draft_id)

    def remove(self, draft_id: str) -> None:
        """Remove a draft with all of its versions; raises UnknownDraft."""
        with self._workplace.writing() as connection:
            _find(connection, draft_id)
            connection.execute("DELETE FROM versions WHERE draft = ?", (draft_id,))
            connection.execute("DELETE FROM present WHERE draft = ?", (draft_id,))
            connection.execute("DELETE FROM drafts WHERE id = ?", (draft_id,))
