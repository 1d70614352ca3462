"""The table of tokens."""

from typing import cast

from deniable_collector.store.postgres.connections import Connection, transaction
from deniable_collector.tokens import Role, Token

_LOCK = "BEGIN; LOCK TABLE tokens IN ACCESS EXCLUSIVE MODE"


def add_token(connection: Connection, token: Token, digest: str) -> bool:
    """Whether it was added; False if its name or digest is taken."""
    with transaction(connection, _LOCK):
        added = connection.execute(
            "INSERT INTO tokens (name, role, digest) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
            (token.name, token.role.value, digest),
        )
        if added.rowcount:
            _forget_order(connection)
    return added.rowcount == 1


def find_token(connection: Connection, digest: str) -> Token | None:
    """The token of this digest."""
    row = connection.execute(
        "SELECT name, role FROM tokens WHERE digest = %s", (digest,)
    ).fetchone()
    return _token(row) if row else None


def list_tokens(connection: Connection) -> tuple[Token, ...]:
    """All tokens, by name."""
    rows = connection.execute('SELECT name, role FROM tokens ORDER BY name COLLATE "C"')
    return tuple(map(_token, rows))


def remove_token(connection: Connection, name: str) -> bool:
    """Whether there was one of this name."""
    with transaction(connection, _LOCK):
        removed = connection.execute("DELETE FROM tokens WHERE name = %s", (name,))
        _forget_order(connection)
    return removed.rowcount == 1


def _forget_order(connection: Connection) -> None:
    """Write the table anew by name, so that nothing tells which token is older."""
    rows = connection.execute("SELECT name, role, digest FROM tokens ORDER BY name").fetchall()
    connection.execute("TRUNCATE tokens")
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO tokens (name, role, digest) VALUES (%s, %s, %s)", rows)


def _token(row: tuple[object, ...]) -> Token:
    name, role = cast("tuple[str, str]", row)
    return Token(name, Role(role))
