"""deniable extend: accept answers for longer, or more of them."""

import click

from deniable_collector.clock import utc_now
from deniable_collector.store import open_store
from deniable_collector.store.base import read_extension
from deniable_sdk.survey.writing import moment_text
from deniable_web.accounts.trail import Act
from deniable_web.commands.audit_entries import note
from deniable_web.commands.options import slug_argument, store_option
from deniable_web.commands.tables import say
from deniable_web.stores.publication import UnknownSlug


@click.command("extend")
@slug_argument()
@click.option("--closes", metavar="MOMENT", help="A later end, like 2026-12-27T18:00+01:00.")
@click.option("--at-most", type=int, metavar="N", help="A larger number of reports.")
@store_option
def command(slug: str, closes: str | None, at_most: int | None, store: str) -> None:
    """Move the published end of the survey SLUG: later, or to more reports, or both.

    Only an end that was published can be moved, and only if the survey is not
    closed. Everybody can see that it was extended.
    """
    given = {"closes": closes, "at_most_reports": at_most}
    asked = read_extension({key: value for key, value in given.items() if value is not None})
    with open_store(store, must_exist=True) as opened:
        extended = opened.extend(
            slug, utc_now(), closes=asked.closes, at_most_reports=asked.at_most_reports
        )
        if extended is None:
            raise UnknownSlug(slug, opened.list_surveys())
    note(store, Act.EXTENDED, slug)
    window = extended.window
    ends = []
    if window and window.closes:
        ends.append(f"until {moment_text(window.closes)}")
    if window and window.at_most_reports:
        ends.append(f"until it has {window.at_most_reports:,} reports")
    say(f"Extended: {slug}@{extended.edition} accepts reports {', or '.join(ends)}.")
