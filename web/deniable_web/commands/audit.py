"""deniable audit: who changed what, and on which day; and how commands add to this."""

import getpass
import os
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from deniable_collector.clock import utc_now
from deniable_collector.errors import StoreUnavailable, UnreadableStore
from deniable_web.accounts.trail import Act, Trail
from deniable_web.commands.options import WORKPLACE, format_option, store_option, workplace_option
from deniable_web.commands.tables import print_rows, warn
from deniable_web.workplace import open_workplace, workplace_beside


@click.command("audit", short_help="List who changed what, and on which day.")
@store_option
@workplace_option
@format_option
def command(store: str, workplace: str | None, output_format: str) -> None:
    """Print the audit trail, the newest entry first.

    It has what owners and editors changed over HTTP and by command, and nothing that a
    respondent did.
    """
    location = workplace or workplace_beside(store)
    if location is None:
        raise click.UsageError("the store has no file beside it; name the workplace: --workplace")
    with closing(open_workplace(location)) as opened:
        entries = Trail(opened, utc_now).entries()
    print_rows(
        "Audit trail", list(map(asdict, entries)), output_format, "Nothing was changed yet."
    )


def note(store: str, what: Act, about: str) -> None:
    """Add what a command did to the audit trail, if there is a workplace; else warn."""
    location: str | Path | None = os.environ.get(WORKPLACE) or workplace_beside(store)
    if location is None:
        return
    try:
        with closing(open_workplace(location)) as opened:
            Trail(opened, utc_now).record(f"{_user()} (command line)", what, about)
    except (StoreUnavailable, UnreadableStore) as error:
        warn(f"This was done, but is not in the audit trail: {error}")


def _user() -> str:
    """The name of the machine's user, or its number if it has none, as in a container."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"
