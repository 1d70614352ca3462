"""Locks, so that a survey is never closed while its reports are being stored.

Several transactions may store reports under the survey's shared lock; closing needs the
lock exclusively. Waiting transactions queue, so that storing cannot delay closing forever,
as it could with locks on the survey's row. Nothing is written for these locks.
"""

from collections.abc import Sequence
from typing import cast

from deniable_collector.store.postgres.connections import Connection


def begin_storing_sql(digests: Sequence[str]) -> str:
    """The statements that begin a transaction during which none of these surveys is closed.

    Args:
        digests: hexadecimal, in ascending order.
    """
    locks = (f"SELECT pg_advisory_xact_lock_shared({_key(digest)})" for digest in digests)
    return "; ".join(["BEGIN", *locks])


def lock_exclusive(connection: Connection, digest: str) -> None:
    """Wait until nobody stores reports of a survey; nobody can until the transaction ends."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_key(digest),))


def are_closed(connection: Connection, digests: Sequence[str]) -> list[tuple[str, bool]]:
    """The digests of those surveys that exist, and whether each is closed."""
    rows = connection.execute(
        "SELECT digest, is_closed FROM surveys WHERE digest = ANY(%s) ORDER BY digest",
        (list(digests),),
    ).fetchall()
    return cast("list[tuple[str, bool]]", rows)


def _key(digest: str) -> int:
    """The number of a digest's lock: 64 bits with a sign."""
    return int.from_bytes(bytes.fromhex(digest[:16]), "big", signed=True)
