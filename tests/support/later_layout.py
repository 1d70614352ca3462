"""The layout of a store in a later version, with a step that this version does not have."""

import pytest

from deniable_collector.store import migrations
from deniable_collector.store.postgres import migrations as postgres_migrations
from deniable_storage.sqlite_tables import TABLES_SQL

LATER = "create_notes"


def later_version(patch: pytest.MonkeyPatch) -> None:
    """Make both engines those of a version with one more table and one more step."""
    for module in (migrations, postgres_migrations):
        statements = {**module.STEPS_SQL, LATER: ("CREATE TABLE notes (text TEXT)",)}
        patch.setattr(module, "STEPS", (*module.STEPS, LATER))
        patch.setattr(module, "STEPS_SQL", statements)
    tables = {**TABLES_SQL, "notes": "CREATE TABLE notes (text TEXT)"}
    patch.setattr(migrations, "TABLES_SQL", tables)
