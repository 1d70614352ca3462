"""deniable backup: a copy of the store while it is served."""

from pathlib import Path

import click

from deniable_collector.store.backup import back_up
from deniable_web.commands.options import store_option
from deniable_web.commands.tables import say


@click.command("backup", short_help="Copy the store while it is served.")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@store_option
def command(path: Path, store: str) -> None:
    """Write a copy of the SQLite store to the new file PATH.

    It holds every report that was acknowledged before. To restore it, stop
    the collector, and put it in the place of the store; docs/OPERATING.md
    says more.
    """
    back_up(store, path)
    say(f"Backed up: {path}. It is as secret as the store.")
