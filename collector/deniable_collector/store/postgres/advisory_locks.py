"""Keeping the closing of a survey and the storing of its reports apart.

Storing shares the survey's lock with other storing; closing holds it alone.
Waiters queue, so that many storing requests cannot keep closing out, as locks
on the survey's row would let them; and nothing is written for it.
"""

from collections.abc import Sequence
from typing import cast

from deniable_collector.store.postgres.connections import Connection


def begin_storing_sql(digests: Sequence[str]) -> str:
    """Statements that begin a transaction in which none of these is closed.

    Args:
        digests: hexadecimal, in ascending order.
    """
    locks = (f"SELECT pg_advisory_xact_lock_shared({_key(digest)})" for digest in digests)
    return "; ".join(["BEGIN", *locks])


def lock_exclusive(connection: Connection, digest: str) -> None:
    """Wait until nobody stores reports of a survey, until the transaction ends."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_key(digest),))


def are_closed(connection: Connection, digests: Sequence[str]) -> list[tuple[str, bool]]:
    """Those of the surveys that there are, and whether each is closed."""
    rows = connection.execute(
        "SELECT digest, is_closed FROM surveys WHERE digest = ANY(%s) ORDER BY digest",
        (list(digests),),
    ).fetchall()
    return cast("list[tuple[str, bool]]", rows)


def _key(digest: str) -> int:
    """What stands for a digest among locks, a number of 64 bits with a sign."""
    return int.from_bytes(bytes.fromhex(digest[:16]), "big", signed=True)
