"""The tables of tokens and of their surveys."""

import sqlite3

from deniable_collector.tokens import AccessToken

_SELECT = (
    "SELECT name, role, (SELECT group_concat(slug) FROM token_surveys WHERE token = name) "
    "FROM tokens"
)


def add_token(connection: sqlite3.Connection, token: AccessToken, digest: str) -> bool:
    """Whether the token was added: its name and digest must be new; call it in a transaction."""
    added = connection.execute(
        "INSERT INTO tokens (name, role, digest) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        (token.name, token.role, digest),
    )
    if added.rowcount:
        connection.executemany(
            "INSERT INTO token_surveys (token, slug) VALUES (?, ?)",
            [(token.name, slug) for slug in token.surveys or ()],
        )
    return added.rowcount == 1


def find_token(connection: sqlite3.Connection, digest: str) -> AccessToken | None:
    """The token with this digest."""
    row = connection.execute(f"{_SELECT} WHERE digest = ?", (digest,)).fetchone()
    return AccessToken.from_row(*row) if row else None


def list_tokens(connection: sqlite3.Connection) -> tuple[AccessToken, ...]:
    """All tokens, by name."""
    rows = connection.execute(f"{_SELECT} ORDER BY name").fetchall()
    return tuple(AccessToken.from_row(*row) for row in rows)


def remove_token(connection: sqlite3.Connection, name: str) -> bool:
    """Whether a token with this name existed; removes it. Call it in a transaction."""
    removed = connection.execute("DELETE FROM tokens WHERE name = ?", (name,))
    connection.execute("DELETE FROM token_surveys WHERE token = ?", (name,))
    return removed.rowcount == 1
