"""Sessions: a browser that stays signed in, for a personal token or an account of a provider.

A session has a secret, which is in a cookie of one browser, and short-lived tokens, which the
pages of that browser send as they would send a personal token. The file has only the SHA-256
of each.
"""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from deniable_collector.clock import Clock
from deniable_collector.tokens import AccessToken, Role, digest_of, draw_secret, make_session_token
from deniable_sdk.foreign import read_json
from deniable_web.workplace import Workplace, to_moment, to_text

# However much it is used: what a provider says about a person is asked again after that.
LONGEST: Final = timedelta(hours=12)
# Without use.
IDLE: Final = timedelta(hours=2)
TOKEN_LASTS: Final = timedelta(minutes=10)
# Of one account; the oldest ones end.
MOST_SESSIONS: Final = 20
# Of one session at once: about one for each of its tabs.
MOST_TOKENS: Final = 100

_FIND_SQL: Final = """
SELECT account, token, began, used FROM sessions JOIN session_tokens ON session = sessions.digest
WHERE session_tokens.digest = ? AND until > ?
"""
_TRIM_SQL: Final = """
DELETE FROM sessions WHERE account = :account AND digest NOT IN (
    SELECT digest FROM sessions WHERE account = :account
    ORDER BY digest = :new DESC, began DESC, digest LIMIT :most
)
"""
_TRIM_TOKENS_SQL: Final = """
DELETE FROM session_tokens WHERE session = :session AND digest NOT IN (
    SELECT digest FROM session_tokens WHERE session = :session
    ORDER BY digest = :new DESC, until DESC, digest LIMIT :most
)
"""
_FORGET_TOKENS_SQL: Final = (
    "DELETE FROM session_tokens WHERE until <= ? OR session NOT IN (SELECT digest FROM sessions)"
)

# The rights of the personal token with a digest; None if it is revoked.
FindPersonal = Callable[[str], AccessToken | None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A session that is in use now: a token for it, and the rights of its account."""

    token: str = field(repr=False)
    rights: AccessToken


class Sessions:
    """The sessions in a workplace. Every method may raise StoreUnavailable.

    Args:
        workplace: the open file.
        find_personal: knows the personal tokens.
        clock: returns the present moment.
    """

    def __init__(self, workplace: Workplace, find_personal: FindPersonal, clock: Clock) -> None:
        self._workplace = workplace
        self._find_personal = find_personal
        self._clock = clock

    def begin(self, account: str, token: str | None = None) -> str:
        """Begin a session, and return its secret; each session has a new one.

        Args:
            account: the name of a personal token or of an account of a provider.
            token: the digest of the personal token; None for an account of a provider.
        """
        secret, now = draw_secret(), self._clock()
        with self._workplace.writing() as connection:
            _forget(connection, now)
            connection.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, ?, ?)",
                (digest_of(secret), account, token, to_text(now), to_text(now)),
            )
            trimmed = {"account": account, "new": digest_of(secret), "most": MOST_SESSIONS}
            connection.execute(_TRIM_SQL, trimmed)
            connection.execute(_FORGET_TOKENS_SQL, (to_text(now),))
        return secret

    def open(self, secret: str) -> Opened | None:
        """A new token for the session with a secret; None if there is no such session now."""
        digest, token, now = digest_of(secret), make_session_token(), self._clock()
        with self._workplace.writing() as connection:
            _forget(connection, now)
            question = "SELECT account, token FROM sessions WHERE digest = ?"
            row = connection.execute(question, (digest,)).fetchone()
            rights = self._rights(connection, *row) if row else None
            if rights is None:
                return None
            connection.execute(_FORGET_TOKENS_SQL, (to_text(now),))
            connection.execute(
                "INSERT INTO session_tokens VALUES (?, ?, ?)",
                (digest_of(token), digest, to_text(now + TOKEN_LASTS)),
            )
            trimmed = {"session": digest, "new": digest_of(token), "most": MOST_TOKENS}
            connection.execute(_TRIM_TOKENS_SQL, trimmed)
            connection.execute(
                "UPDATE sessions SET used = ? WHERE digest = ?", (to_text(now), digest)
            )
        return Opened(token, rights)

    def find(self, token_digest: str) -> AccessToken | None:
        """The present rights of a session, by the digest of one of its tokens."""
        if not self._workplace.exists:
            return None
        now = self._clock()
        with self._workplace.reading() as connection:
            row = connection.execute(_FIND_SQL, (token_digest, to_text(now))).fetchone()
            if row is None or _is_over(row[2], row[3], now):
                return None
            return self._rights(connection, row[0], row[1])

    def end(self, secret: str) -> None:
        """End the session with a secret, and its tokens; nothing happens if there is none."""
        with self._workplace.writing() as connection:
            connection.execute("DELETE FROM sessions WHERE digest = ?", (digest_of(secret),))
            connection.execute(_FORGET_TOKENS_SQL, (to_text(self._clock()),))

    def end_all(self, account: str) -> None:
        """End all sessions of an account, and their tokens."""
        with self._workplace.writing() as connection:
            connection.execute("DELETE FROM sessions WHERE account = ?", (account,))
            connection.execute(_FORGET_TOKENS_SQL, (to_text(self._clock()),))

    def newest(self) -> Mapping[str, str]:
        """When the newest session of each account began, as a text, if it has one now."""
        found = self._workplace.rows("SELECT account, began, used FROM sessions ORDER BY began")
        now = self._clock()
        return {name: began for name, began, used in found if not _is_over(began, used, now)}

    def accounts(self) -> Sequence[AccessToken]:
        """The accounts of a provider, with the rights of the last time, by name."""
        rows = self._workplace.rows("SELECT name, role, surveys FROM accounts ORDER BY name")
        return [_account(*row) for row in rows]

    def forget(self, account: str) -> bool:
        """Whether a provider's account of this name existed; removes it, and all its sessions."""
        with self._workplace.writing() as connection:
            removed = connection.execute("DELETE FROM accounts WHERE name = ?", (account,))
            connection.execute("DELETE FROM sessions WHERE account = ?", (account,))
            connection.execute(_FORGET_TOKENS_SQL, (to_text(self._clock()),))
            return removed.rowcount > 0

    def admit(self, provider: str, subject: str, rights: AccessToken) -> bool:
        """Keep the present rights of a person; returns whether they are new or have changed.

        `subject` is the provider's own name for the person, which never changes.

        Raises:
            NameTaken: somebody else has an account of this name.
        """
        surveys = None if rights.surveys is None else json.dumps(sorted(rights.surveys))
        name, key = rights.name, (provider, subject)
        now = (name, rights.role.value, surveys)
        with self._workplace.writing() as connection:
            owner = connection.execute(
                "SELECT provider, subject FROM accounts WHERE name = ?", (name,)
            ).fetchone()
            if owner not in (None, key):
                raise NameTaken
            before = connection.execute(
                "SELECT name, role, surveys FROM accounts WHERE provider = ? AND subject = ?", key
            ).fetchone()
            connection.execute("DELETE FROM accounts WHERE provider = ? AND subject = ?", key)
            connection.execute(
                "INSERT INTO accounts VALUES (?, ?, ?, ?, ?)", (name, *key, *now[1:])
            )
            if before and before[0] != name:
                connection.execute("DELETE FROM sessions WHERE account = ?", (before[0],))
        return bool(before != now)

    def _rights(
        self, connection: sqlite3.Connection, account: str, token: str | None
    ) -> AccessToken | None:
        if token is not None:
            return self._find_personal(token)
        row = connection.execute(
            "SELECT name, role, surveys FROM accounts WHERE name = ?", (account,)
        ).fetchone()
        return _account(*row) if row else None


class NameTaken(Exception):
    """Somebody else has an account of this name."""


def _account(name: str, role: str, surveys: str | None) -> AccessToken:
    """The rights in a row of an account."""
    return AccessToken(
        name, Role(role), frozenset(read_json(surveys.encode())) if surveys else None
    )


def _is_over(began: str, used: str, now: datetime) -> bool:
    return to_moment(began) + LONGEST <= now or to_moment(used) + IDLE <= now


def _forget(connection: sqlite3.Connection, now: datetime) -> None:
    """Remove the sessions that are over."""
    connection.execute(
        "DELETE FROM sessions WHERE began <= ? OR used <= ?",
        (to_text(now - LONGEST), to_text(now - IDLE)),
    )
