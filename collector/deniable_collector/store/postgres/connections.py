"""Connections to a PostgreSQL database, with the settings that a store needs."""

import select
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager

import psycopg
from psycopg import conninfo
from psycopg.abc import ConnParam

from deniable_collector.deadlines import left_s, present_deadline
from deniable_collector.errors import StoreUnavailable, UnsupportedStore
from deniable_collector.store.postgres.presence import Presence, Watched

Connection = Watched

# The time limit of one use of a connection, unless locks may be waited for longer.
USE_TIMEOUT_S = 12.0
_BEYOND_PATIENCE_S = 2.0
# How long a request that may wait no more waits for a connection, and how long it uses it.
_LEAST_USE_S = 1.0
_LEAST_CONNECT_TIMEOUT_S = 2
_DEFAULTS: Mapping[str, ConnParam] = {
    "connect_timeout": 4,
    "application_name": "deniable",
    # A connection is given up after 30 seconds if the server's machine has disappeared.
    "tcp_user_timeout": 30_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
}
# Parts of libpq's messages when it cannot connect, and their meanings.
_REASONS = (
    ("authentication failed", "the server refuses the user or the password"),
    ("no password supplied", "the server asks for a password"),
    ("pg_hba.conf", "the server does not let this user in from here"),
    ("does not exist", "the server has no such database or user"),
    ("timeout", "the server does not answer in time"),
    ("starting up", "the server is starting"),
    ("shutting down", "the server is stopping"),
    ("too many", "the server has too many connections"),
    ("certificate", "the server's certificate is not the one that is asked for"),
    ("SSL", "the server and the URL do not agree on TLS"),
)


class Connections:
    """A pool of connections, each used by one thread at a time.

    Args:
        url: the URL of the database; it may contain a password, and is never shown.
        most: the most connections at the same time.
        patience_s: how long to wait for a connection, and for locks of others.
        presence: whether the server answers; shared by all who use the server.
        use_timeout_s: the time limit of one use; by default longer than the wait for locks.
    """

    def __init__(
        self,
        url: str,
        *,
        most: int,
        patience_s: float,
        presence: Presence | None = None,
        use_timeout_s: float | None = None,
    ) -> None:
        self._url = url
        self._presence = presence or presence_of(url)
        self._use_timeout_s = use_timeout_s or max(USE_TIMEOUT_S, patience_s + _BEYOND_PATIENCE_S)
        self._patience_s = patience_s
        self._places = threading.BoundedSemaphore(most)
        self._idle: list[Connection] = []
        self._lock = threading.Lock()
        self._is_open = True

    @contextmanager
    def lend(self) -> Iterator[Connection]:
        """A working connection outside a transaction; failures in the block become our errors.

        Raises:
            StoreUnavailable: there is no free connection, or it failed; the next use
                replaces a broken connection.
        """
        latest = time.monotonic() + self._use_timeout_s
        patience_s = min(self._patience_s, max(left_s(self._patience_s), _LEAST_USE_S))
        if not self._places.acquire(timeout=patience_s):
            raise StoreUnavailable("all connections to the database are in use")
        deadline = min(latest, max(present_deadline(), time.monotonic() + _LEAST_USE_S))
        try:
            with unavailable_if_failing():
                connection = self._take(deadline)
                connection.deadline = deadline
                try:
                    connection.limit_locks()
                    yield connection
                finally:
                    self._give_back(connection)
        finally:
            self._places.release()

    def close(self) -> None:
        """Close the connections that are not in use, and lend no more."""
        with self._lock:
            self._is_open = False
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self, deadline: float) -> Connection:
        self._presence.require()
        with self._lock:
            if not self._is_open:
                raise StoreUnavailable("it was closed")
            connection = self._idle.pop() if self._idle else None
        if connection is not None and _has_ended(connection):
            connection.close()
            connection = None
        return connection or connect(
            self._url,
            patience_s=self._patience_s,
            statement_timeout_s=self._use_timeout_s,
            presence=self._presence,
            deadline=deadline,
        )

    def _give_back(self, connection: Connection) -> None:
        is_usable = connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        with self._lock:
            if is_usable and self._is_open:
                self._idle.append(connection)
                return
        connection.close()


def presence_of(url: str) -> Presence:
    """The presence of the server of a URL; share it among all who use the server.

    Raises:
        UnsupportedStore: the URL cannot be read.
    """
    return Presence(conninfo.make_conninfo("", **_parameters(url)))


def connect(
    url: str,
    *,
    patience_s: float,
    statement_timeout_s: float,
    presence: Presence,
    deadline: float | None = None,
) -> Connection:
    """A new connection; every statement on it is its own transaction.

    Args:
        url: of the database.
        patience_s: how long to wait for locks of others.
        statement_timeout_s: the time limit of one statement; 0 is no limit.
        presence: whether the server answers.
        deadline: when the connection must be ready.
    Raises:
        UnsupportedStore: the URL cannot be read.
        StoreUnavailable: the server cannot be reached, or refuses the connection.
    """
    presence.require()
    parameters = _parameters(url, deadline)
    with unavailable_if_failing():
        try:
            connection = Watched.connect(conninfo.make_conninfo("", **parameters), autocommit=True)
        except psycopg.errors.ConnectionTimeout:
            presence.note_silence()
            raise
        connection.presence, connection.deadline = presence, deadline
        connection.patience_s = patience_s
        try:
            # A commit returns only when the log is on disk, whatever the server's default is.
            connection.execute(
                "SELECT set_config('synchronous_commit', 'on', false) "
                "WHERE current_setting('synchronous_commit') = 'off'"
            )
            connection.limit_locks()
            for name, value in (
                ("statement_timeout", round(1000 * statement_timeout_s)),
                ("client_min_messages", "warning"),
                # Measured: compiling takes longer than it saves in counting.
                ("jit", "off"),
            ):
                connection.execute("SELECT set_config(%s, %s, false)", (name, str(value)))
        except BaseException:
            connection.close()
            raise
    return connection


def _parameters(url: str, deadline: float | None = None) -> dict[str, ConnParam]:
    try:
        given = conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise UnsupportedStore(
            "got a PostgreSQL URL that cannot be read; allowed is "
            "postgresql://USER@HOST:PORT/DATABASE, with characters such as @ / ? # in a password "
            "written in percent-encoding"
        ) from None
    parameters = {**_DEFAULTS, **given, "client_encoding": "utf8"}
    if deadline is not None:
        left = max(_LEAST_CONNECT_TIMEOUT_S, int(deadline - time.monotonic()))
        asked = str(parameters["connect_timeout"])
        if not (asked.isdecimal() and 0 < int(asked) <= left):
            parameters["connect_timeout"] = left
    return parameters


@contextmanager
def connected(url: str, *, patience_s: float, presence: Presence) -> Iterator[Connection]:
    """A separate connection for long work; failures in the block become our errors.

    Raises:
        StoreUnavailable: the database cannot be used now.
    """
    connection = connect(url, patience_s=patience_s, statement_timeout_s=0, presence=presence)
    with closing(connection), unavailable_if_failing():
        yield connection


@contextmanager
def transaction(
    connection: Connection, begin: str = "BEGIN"
) -> Iterator[psycopg.Cursor[tuple[object, ...]]]:
    """A block that is committed as a whole, or leaves nothing; with the rows it begins with.

    `begin` may contain the first statements too, which saves a round trip for each. The rows
    are those that its last statement returns.
    """
    try:
        connection.limit_locks()
        # Several statements at once cannot be prepared.
        begun = connection.execute(begin.encode(), prepare=False)
        while begun.nextset():
            pass
        yield begun
        connection.execute("COMMIT")
    except BaseException:
        try:
            if not connection.closed:
                connection.execute("ROLLBACK")
        except psycopg.Error:
            connection.close()
        raise


@contextmanager
def unavailable_if_failing() -> Iterator[None]:
    """A block in which the engine's failures become StoreUnavailable.

    Only the name of the error's class is kept: its message may quote stored data, or name
    the server.

    Raises:
        StoreUnavailable: the engine raised any error.
    """
    try:
        yield
    except psycopg.Error as error:
        raise StoreUnavailable(_cause(error)) from None


def _cause(error: psycopg.Error) -> str:
    name = type(error).__name__
    if error.sqlstate:
        return f"{name}, SQLSTATE {error.sqlstate}"
    text = str(error)
    reason = next((reason for part, reason in _REASONS if part in text), "")
    return reason or f"{name}: the database cannot be reached, or the connection was lost"


def _has_ended(connection: Connection) -> bool:
    """Whether the server closed a connection while it was idle."""
    try:
        # Twice, because the server sends a last message before the stream ends.
        for _ in range(2):
            if connection.closed:
                return True
            if select.select([connection], [], [], 0)[0]:
                connection.pgconn.consume_input()
    except (psycopg.Error, OSError, ValueError):
        return True
    return connection.broken
