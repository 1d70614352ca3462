"""The tables of drafts: what a row has, and how rows are found and added."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from deniable_sdk.survey.reading import SLUG_PATTERN
from deniable_web.drafts.errors import UnknownDraft
from deniable_web.workplace import to_moment, to_text

NEWEST_SQL: Final = """
SELECT id, version, title, slug, created, created_by, changed, changed_by
FROM drafts JOIN versions USING (version) WHERE draft = id
"""


FORGET_SQL: Final = """
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
        title: as in its document: a text, or texts by language.
        slug: the name of the survey; empty if it has none yet.
        created: when it began, in UTC.
        created_by: the name of the author who began it.
        changed: when it was changed last.
        changed_by: the name of the author who changed it last.
    """

    id: str
    version: int
    title: str | Mapping[str, str] = field(repr=False)
    slug: str
    created: datetime
    created_by: str
    changed: datetime
    changed_by: str


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


def find_draft(connection: sqlite3.Connection, draft_id: str) -> Draft:
    """The draft with an id; raises UnknownDraft."""
    row = connection.execute(f"{NEWEST_SQL} AND id = ?", (draft_id,)).fetchone()
    if row is None:
        raise UnknownDraft
    return draft_of(row)


def read_document(connection: sqlite3.Connection, draft_id: str, version: int) -> bytes:
    """The document of a version, as JSON; raises UnknownDraft."""
    question = "SELECT document FROM versions WHERE draft = ? AND version = ?"
    row = connection.execute(question, (draft_id, version)).fetchone()
    if row is None:
        raise UnknownDraft
    return str(row[0]).encode()


def draft_of(row: Sequence[Any]) -> Draft:
    """The draft in a row of NEWEST_SQL."""
    draft_id, version, title, slug, created, created_by, changed, changed_by = row
    titles, began, last = json.loads(title), to_moment(created), to_moment(changed)
    return Draft(draft_id, version, titles, slug, began, created_by, last, changed_by)


def insert_version(
    connection: sqlite3.Connection, draft_id: str, document: Mapping[str, Any], saved: Saved
) -> None:
    """Add a version of a draft."""
    definition = document["definition"]
    title, slug = definition.get("title", ""), definition.get("slug", "")
    connection.execute(
        "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            draft_id,
            saved.version,
            to_text(saved.began),
            to_text(saved.changed),
            saved.changed_by,
            to_json(title if isinstance(title, (str, dict)) else ""),
            slug if isinstance(slug, str) and SLUG_PATTERN.fullmatch(slug) else "",
            to_json(document),
        ),
    )


def to_json(value: object) -> str:
    """A value as JSON."""
    # As ASCII: a text may have half of a pair of surrogates, which UTF-8 does not.
    return json.dumps(value, separators=(",", ":"))
