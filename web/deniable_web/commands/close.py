"""deniable close: accept no more answers to a survey."""

import click

from deniable_collector.clock import utc_now
from deniable_collector.store import open_store
from deniable_web.accounts.trail import Act
from deniable_web.commands.audit_entries import note
from deniable_web.commands.options import slug_argument, store_option, store_words
from deniable_web.commands.tables import say
from deniable_web.stores.publication import UnknownSlug, edition_name


@click.command("close")
@slug_argument()
@store_option
def command(slug: str, store: str) -> None:
    """Close the survey SLUG: it can no longer be answered, and new reports are refused."""
    with open_store(store, must_exist=True) as opened:
        closed = opened.close_survey(slug, utc_now())
        if closed is None:
            raise UnknownSlug(slug, opened.list_surveys())
    note(store, Act.CLOSED, slug)
    name = edition_name(closed)
    say(f"Closed: {name}. Its reports are kept: deniable results {name}{store_words(store)}")
