"""deniable serve: the collector and the pages on one port."""

import os
from contextlib import closing

import click

from deniable_collector.access import require_tokens
from deniable_collector.serving import serve
from deniable_collector.settings import Settings
from deniable_collector.store import Store, open_store
from deniable_web.commands.options import store_option
from deniable_web.commands.tables import say
from deniable_web.site import create_site


@click.command("serve", short_help="Take answers: the collector and the form.")
@store_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on; 0 takes a free one.",
)
def command(store: str, host: str, port: int) -> None:
    """Serve the surveys of the store until stopped (Ctrl-C)."""
    settings = Settings.from_environment(os.environ)
    with closing(open_store(store)) as opened:
        require_tokens(host, opened)
        serve(
            create_site(opened, settings),
            host=host,
            port=port,
            on_ready=lambda url: _announce(url, opened, store),
        )


def _announce(url: str, store: Store, location: str) -> None:
    click.echo(url)
    surveys = [found for found in store.list_surveys() if not found.is_closed]
    if not surveys:
        say(f"No survey is open. Publish one: deniable publish FILE --store {location}")
    for found in surveys:
        say(f"Survey: {url}/s/{found.survey.slug}")
