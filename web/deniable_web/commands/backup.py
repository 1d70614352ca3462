"""deniable backup: a copy of a store that is served."""

from pathlib import Path

import click

from deniable_collector.store.backup import back_up
from deniable_web.commands.options import FILE, store_option
from deniable_web.commands.tables import say


@click.command("backup")
@click.argument("path", type=FILE)
@store_option
def command(path: Path, store: str) -> None:
    """Write a copy of the SQLite store to the new file PATH.

    The copy contains every report that was acknowledged before. To restore it, stop the
    collector and replace the store with the copy; see docs/OPERATING.md.
    """
    back_up(store, path)
    say(f"Backed up: {path}. Keep it as secret as the store.")
