"""The tokens in a store, the same for every engine.

SQL here has ? for each value, whatever the engine writes.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import groupby
from operator import itemgetter
from typing import Any

from deniable_collector.tokens import AccessToken, Release, Role

_TOKENS_SQL = (
    "SELECT name, role, after_reports, slug FROM tokens "
    "LEFT JOIN token_releases ON token_releases.token = name "
    "LEFT JOIN token_surveys ON token_surveys.token = name"
)


class TokenTables(ABC):
    """The part of a store that has the tokens."""

    def find_token(self, digest: str) -> AccessToken | None:
        with self._reading() as connection:
            rows = self._run(connection, f"{_TOKENS_SQL} WHERE digest = ?", digest)
        return next(_tokens(rows), None)

    def list_tokens(self) -> tuple[AccessToken, ...]:
        with self._reading() as connection:
            return tuple(_tokens(self._run(connection, _TOKENS_SQL)))

    def add_token(self, token: AccessToken, digest: str) -> bool:
        with self._changing_tokens() as connection:
            return self._add_token(connection, token, digest)

    def change_rights(self, token: AccessToken) -> bool:
        with self._changing_tokens() as connection:
            statement = "SELECT digest FROM tokens WHERE name = ? AND role <> ?"
            found = self._run(connection, statement, token.name, Role.READER.value)
            if not found:
                return False
            self._remove_token(connection, token.name)
            return self._add_token(connection, token, found[0][0])

    def change_secret(self, name: str, digest: str, present: str | None = None) -> bool:
        with self._changing_tokens() as connection:
            statement = (
                "UPDATE tokens SET digest = ? WHERE name = ? AND digest = coalesce(?, digest) "
                "RETURNING name"
            )
            return bool(self._run(connection, statement, digest, name, present))

    def remove_token(self, name: str) -> bool:
        with self._changing_tokens() as connection:
            return self._remove_token(connection, name)

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Any]:
        """A connection for short reading."""

    @abstractmethod
    def _changing_tokens(self) -> AbstractContextManager[Any]:
        """A transaction that writes; meanwhile nobody else changes tokens.

        Afterwards nothing reveals which token is older.
        """

    @abstractmethod
    def _run(self, connection: Any, statement: str, *values: object) -> list[Any]:
        """All rows of a statement's result."""

    def _add_token(self, connection: Any, token: AccessToken, digest: str) -> bool:
        """Whether the token was added: its name and digest must be new."""
        added = self._run(
            connection,
            "INSERT INTO tokens (name, role, digest) VALUES (?, ?, ?) "
            "ON CONFLICT DO NOTHING RETURNING name",
            *(token.name, token.role.value, digest),
        )
        for slug in token.surveys or () if added else ():
            statement = "INSERT INTO token_surveys (token, slug) VALUES (?, ?)"
            self._run(connection, statement, token.name, slug)
        if added and token.release:
            statement = "INSERT INTO token_releases (token, after_reports) VALUES (?, ?)"
            self._run(connection, statement, token.name, token.release.after_reports)
        return bool(added)

    def _remove_token(self, connection: Any, name: str) -> bool:
        """Whether a token with this name existed; removes it."""
        for table in ("token_surveys", "token_releases"):
            self._run(connection, f"DELETE FROM {table} WHERE token = ?", name)  # noqa: S608  names from above
        return bool(
            self._run(connection, "DELETE FROM tokens WHERE name = ? RETURNING name", name)
        )


def _tokens(rows: Sequence[tuple[str, str, int | None, str | None]]) -> Iterator[AccessToken]:
    """The tokens by name; a token has a row for each of its surveys, or one without a slug."""
    by_name = groupby(sorted(rows, key=itemgetter(0)), itemgetter(0, 1, 2))
    for (name, role, after_reports), theirs in by_name:
        slugs = frozenset(slug for *_, slug in theirs if slug is not None)
        release = Release(after_reports) if role == Role.READER else None
        yield AccessToken(name, Role(role), slugs or None, release)
