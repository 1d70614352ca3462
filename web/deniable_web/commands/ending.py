"""deniable close, extend and purge: the end of a survey, and of its reports."""

from contextlib import closing

import click

from deniable_analysis.forms import counted
from deniable_collector.clock import utc_now
from deniable_collector.errors import StillOpen
from deniable_collector.store import Registry, open_store
from deniable_collector.store.base import StoredSurvey, read_extension
from deniable_sdk.survey.writing import moment_text
from deniable_web.accounts.trail import Act
from deniable_web.commands import NotDone
from deniable_web.commands.audit import note
from deniable_web.commands.options import slug_argument, store_option, store_words
from deniable_web.commands.tables import print_json, say, warn
from deniable_web.publication import UnknownSlug, edition_name, editions_of


@click.command("close", short_help="Accept no more answers to a survey.")
@slug_argument()
@store_option
def close(slug: str, store: str) -> None:
    """Close the survey SLUG: it can no longer be answered, and new reports are refused."""
    with closing(open_store(store, must_exist=True)) as opened:
        closed = opened.close_survey(slug, utc_now())
        if closed is None:
            raise UnknownSlug(slug, opened.list_surveys())
    note(store, Act.CLOSED, slug)
    name = edition_name(closed)
    say(f"Closed: {name}. Its reports are kept: deniable results {name}{store_words(store)}")


@click.command("extend", short_help="Accept answers for longer, or more of them.")
@slug_argument()
@click.option("--closes", metavar="MOMENT", help="A later end, like 2026-12-27T18:00+01:00.")
@click.option("--at-most", type=int, metavar="N", help="A larger number of reports.")
@store_option
def extend(slug: str, closes: str | None, at_most: int | None, store: str) -> None:
    """Move the published end of the survey SLUG: later, or to more reports, or both.

    Only an end that was published can be moved, and only if the survey is not
    closed. Everybody can see that it was extended.
    """
    given = {"closes": closes, "at_most_reports": at_most}
    asked = read_extension({key: value for key, value in given.items() if value is not None})
    with closing(open_store(store, must_exist=True)) as opened:
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


@click.command("purge", short_help="Permanently remove a closed survey's reports.")
@slug_argument()
@click.option("--edition", type=click.IntRange(1), help="The edition.  [default: the newest]")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
def purge(slug: str, edition: int | None, yes: bool, store: str) -> None:
    """Remove every report of an edition of SLUG; the edition must be closed.

    The published survey is kept, with the record that it was purged: devices learn that
    it is closed, and publishing it again does not open it. Reports in backups and
    exports are not removed.
    """
    with closing(open_store(store, must_exist=True)) as opened:
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
