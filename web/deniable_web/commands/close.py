"""deniable close: take no more answers to a survey."""

import click

from deniable_collector.store import open_store
from deniable_web.commands.options import store_option
from deniable_web.commands.tables import say


@click.command("close", short_help="Take no more answers to a survey.")
@click.argument("slug")
@store_option
def command(slug: str, store: str) -> None:
    """Close the survey SLUG: its form and its reports are refused from now on."""
    with open_store(store) as opened:
        opened.close_survey(slug)
    say(f"Closed: {slug}. Its reports stay; see them with: deniable results {slug} --store {store}")
