"""The tables of tokens and of their surveys."""

from typing import cast

from deniable_collector.store.postgres.connections import Connection, transaction
from deniable_collector.tokens import AccessToken

_LOCK = "BEGIN; LOCK TABLE tokens, token_surveys IN ACCESS EXCLUSIVE MODE"
_SELECT = (
    "SELECT name, role, (SELECT string_agg(slug, ',') FROM token_surveys WHERE token = name) "
    "FROM tokens"
)


def add_token(connection: Connection, token: AccessToken, digest: str) -> bool:
    """Whether the token was added; False if its name or digest is in use."""
    with transaction(connection, _LOCK):
        added = connection.execute(
            "INSERT INTO tokens (name, role, digest) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
            (token.name, token.role.value, digest),
        )
        if added.rowcount:
            for slug in token.surveys or ():
                connection.execute(
                    "INSERT INTO token_surveys (token, slug) VALUES (%s, %s)", (token.name, slug)
                )
            _forget_order(connection)
    return added.rowcount == 1


def find_token(connection: Connection, digest: str) -> AccessToken | None:
    """The token with this digest."""
    row = connection.execute(f"{_SELECT} WHERE digest = %s".encode(), (digest,)).fetchone()
    return _token(row) if row else None


def list_tokens(connection: Connection) -> tuple[AccessToken, ...]:
    """All tokens, by name."""
    rows = connection.execute(f'{_SELECT} ORDER BY name COLLATE "C"'.encode())
    return tuple(map(_token, rows))


def remove_token(connection: Connection, name: str) -> bool:
    """Whether a token with this name existed; removes it."""
    with transaction(connection, _LOCK):
        removed = connection.execute("DELETE FROM tokens WHERE name = %s", (name,))
        connection.execute("DELETE FROM token_surveys WHERE token = %s", (name,))
        _forget_order(connection)
    return removed.rowcount == 1


def _forget_order(connection: Connection) -> None:
    """Rewrite the tables by name, so that nothing reveals which token is older."""
    rows = connection.execute("SELECT name, role, digest FROM tokens ORDER BY name").fetchall()
    surveys = connection.execute(
        "SELECT token, slug FROM token_surveys ORDER BY token, slug"
    ).fetchall()
    connection.execute("TRUNCATE tokens, token_surveys")
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO tokens (name, role, digest) VALUES (%s, %s, %s)", rows)
        cursor.executemany("INSERT INTO token_surveys (token, slug) VALUES (%s, %s)", surveys)


def _token(row: tuple[object, ...]) -> AccessToken:
    return AccessToken.from_row(*cast("tuple[str, str, str | None]", row))
