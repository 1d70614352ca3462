"""deniable serve: the collector and the pages on one port."""

import click

from deniable_collector.serving import serve
from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_web.commands.options import store_option
from deniable_web.commands.tables import say
from deniable_web.site import create_site


@click.command("serve", short_help="Take answers: the collector and the form.")
@store_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="The port to listen on; 0 takes a free one.",
)
def command(store: str, host: str, port: int) -> None:
    """Serve the surveys of the store until stopped (Ctrl-C)."""
    settings = Settings.from_environment()
    with open_store(store) as opened:
        def announce(url: str) -> None:
            click.echo(url)
            slugs = opened.slugs()
            if not slugs:
                say(f"No survey yet. Publish one: deniable publish FILE --store {store}")
            for slug in slugs:
                say(f"Survey: {url}/s/{slug}")

        serve(create_site(opened, settings), host=host, port=port, on_ready=announce)
