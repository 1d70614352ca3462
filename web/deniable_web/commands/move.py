"""deniable move: surveys from one store to another."""

import click

from deniable_collector.store import open_store, shown
from deniable_web.commands.options import slug_argument, store_words
from deniable_web.commands.tables import counting, print_json, say
from deniable_web.stores.publication import edition_name, editions_of
from deniable_web.stores.store_transfer import move_surveys


@click.command("move")
@click.argument("source")
@click.argument("target")
@slug_argument(required=False)
def command(source: str, target: str, slug: str | None) -> None:
    """Move all editions of SLUG, or all surveys, from SOURCE to TARGET.

    Both are given as for --store: a SQLite file or a PostgreSQL URL. SOURCE is
    only read and keeps everything. Stop its collector first. The command may be
    repeated, even after an interruption. Tokens are not moved.
    """
    with open_store(source, must_exist=True) as old, open_store(target) as new:
        wanted = editions_of(old, slug)
        with counting("Moving") as on_progress:
            added = move_surveys(old, new, wanted, on_progress)
        counts = {
            edition_name(stored): new.count_reports(stored.survey.digest) for stored in wanted
        }
    say(f"Moved to {shown(target)}: {len(counts)} surveys, {added:,} reports were new there.")
    say(f"Serve them from there: deniable serve{store_words(target)}")
    say(f"Once that works, remove {shown(source)}: it still has everything.")
    print_json({"surveys": counts, "new": added})
