"""The tables of a workplace, and how a moment is written there."""

from datetime import UTC, datetime
from typing import Final

from deniable_collector.store.connections import FileKind

_DRAFTS_SQL: Final = """
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
) WITHOUT ROWID;
"""
_ACCOUNTS_SQL: Final = """
CREATE TABLE accounts (
    name TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    surveys TEXT,
    UNIQUE (provider, subject)
) WITHOUT ROWID;
CREATE TABLE sessions (
    digest TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    token TEXT,
    began TEXT NOT NULL,
    used TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE session_tokens (
    digest TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    until TEXT NOT NULL
) WITHOUT ROWID;
"""
_TRAIL_SQL: Final = """
CREATE TABLE trail (
    number INTEGER PRIMARY KEY,
    day TEXT NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    about TEXT NOT NULL
);
CREATE TRIGGER trail_is_not_changed BEFORE UPDATE ON trail
BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER trail_is_not_shortened BEFORE DELETE ON trail
BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END
"""
# The number is "work" in ASCII.
KIND: Final = FileKind("a workplace", 0x776F726B, 1, _DRAFTS_SQL + _ACCOUNTS_SQL + _TRAIL_SQL)


def to_text(moment: datetime) -> str:
    """A moment as it is stored: in UTC, to the second. The order of texts is that of time."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def to_moment(text: str) -> datetime:
    """The moment in a stored text."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
