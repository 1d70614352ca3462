"""The store in a PostgreSQL database, for several collectors at once."""

from deniable_collector.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
