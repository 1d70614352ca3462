"""deniable purge: remove a closed survey's reports."""

import click

from deniable_collector.errors import StillOpen
from deniable_collector.store import Registry, open_store
from deniable_collector.store.base import StoredSurvey
from deniable_sdk.wording import counted
from deniable_web.accounts.trail import Act
from deniable_web.commands.audit_entries import note
from deniable_web.commands.options import slug_argument, store_option
from deniable_web.commands.program import NotDone
from deniable_web.commands.tables import print_json, say, warn
from deniable_web.stores.publication import edition_name, editions_of


@click.command("purge")
@slug_argument()
@click.option("--edition", type=click.IntRange(1), help="The edition.  [default: the newest]")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
def command(slug: str, edition: int | None, yes: bool, store: str) -> None:
    """Remove every report of an edition of SLUG; the edition must be closed.

    The published survey is kept, with the record that it was purged: devices learn that
    it is closed, and publishing it again does not open it. Reports in backups and
    exports are not removed.
    """
    with open_store(store, must_exist=True) as opened:
        stored = _find(opened, slug, edition)
        if not stored.is_closed:
            raise StillOpen(slug, stored.edition)
        if not yes:
            _confirm(stored, opened.count_reports(stored.survey.digest))
        count = opened.purge_reports(stored.survey.digest)
    note(store, Act.PURGED, slug)
    say(f"Purged: {counted(count, 'report')} of {edition_name(stored)}, permanently")
    print_json(
        {"slug": slug, "edition": stored.edition, "digest": stored.survey.digest, "purged": count}
    )


def _find(registry: Registry, slug: str, edition: int | None) -> StoredSurvey:
    editions = {each.edition: each for each in editions_of(registry, slug)}
    found = editions.get(edition or max(editions))
    if found is None:
        raise NotDone(
            f"got edition {edition} of {slug}; there are: {', '.join(map(str, editions))}"
        )
    return found


def _confirm(stored: StoredSurvey, count: int) -> None:
    slug = stored.survey.slug
    warn(
        f"{counted(count, 'report')} of {edition_name(stored)} will be removed permanently; no "
        "command can restore them."
    )
    if click.prompt("Type the survey's slug to continue", err=True) != slug:
        raise NotDone(
            f"nothing was removed; type {slug} to remove the reports, or use --yes to skip this "
            "question"
        )
