"""deniable audit: who changed what, and on which day."""

from dataclasses import asdict

import click

from deniable_collector.clock import utc_now
from deniable_web.accounts.trail import Trail
from deniable_web.commands.options import format_option, store_option, workplace_option
from deniable_web.commands.tables import print_rows
from deniable_web.workplace import open_workplace, workplace_beside


@click.command("audit")
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
    with open_workplace(location) as opened:
        entries = Trail(opened, utc_now).entries()
    print_rows(
        "Audit trail", list(map(asdict, entries)), output_format, "Nothing was changed yet."
    )
