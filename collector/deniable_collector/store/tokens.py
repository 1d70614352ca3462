"""The tables of tokens and of the surveys that they are for."""

import sqlite3

from deniable_collector.tokens import Token

_SELECT = (
    "SELECT name, role, (SELECT group_concat(slug) FROM token_surveys WHERE token = name) "
    "FROM tokens"
)


def add_token(connection: sqlite3.Connection, token: Token, digest: str) -> bool:
    """Whether it was added; False if its name or digest is taken; call it in a transaction."""
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


def find_token(connection: sqlite3.Connection, digest: str) -> Token | None:
    """The token of this digest."""
    row = connection.execute(f"{_SELECT} WHERE digest = ?", (digest,)).fetchone()
    return Token.from_row(*row) if row else None


def list_tokens(connection: sqlite3.Connection) -> tuple[Token, ...]:
    """All tokens, by name."""
    rows = connection.execute(f"{_SELECT} ORDER BY name").fetchall()
    return tuple(Token.from_row(*row) for row in rows)


def remove_token(connection: sqlite3.Connection, name: str) -> bool:
    """Whether there was one of this name; call it in a transaction."""
    removed = connection.execute("DELETE FROM tokens WHERE name = ?", (name,))
    connection.execute("DELETE FROM token_surveys WHERE token = ?", (name,))
    return removed.rowcount == 1
