"""deniable list, backup, move and recount: the surveys of a store, and its upkeep."""

from contextlib import closing
from pathlib import Path

import click

from deniable_analysis.forms import counted
from deniable_collector.clock import utc_now
from deniable_collector.store import Counts, open_store, shown
from deniable_collector.store.backup import back_up
from deniable_collector.store.base import StoredSurvey
from deniable_sdk.survey.text import in_language
from deniable_sdk.survey.writing import moment_text
from deniable_web.commands.options import (
    FILE,
    format_option,
    slug_argument,
    store_option,
    store_words,
)
from deniable_web.commands.tables import Row, counting, print_json, print_rows, say, warn
from deniable_web.moving import move_surveys
from deniable_web.pages.languages import DEFAULT
from deniable_web.publication import edition_name, editions_of


@click.command("list", short_help="List the surveys of a store.")
@store_option
@format_option
def listing(store: str, output_format: str) -> None:
    """Print each edition of each survey: its name, its state, when it ends and its reports."""
    with closing(open_store(store, must_exist=True)) as opened:
        rows = [_row(opened, stored) for stored in opened.list_surveys()]
    if_none = f"There is no survey. Publish one: deniable publish FILE{store_words(store)}"
    print_rows("Surveys", rows, output_format, if_none)


def _row(counts: Counts, stored: StoredSurvey) -> Row:
    refusal = counts.refusal(stored, utc_now())
    state = "purged" if stored.is_purged else refusal.value if refusal else "open"
    marks = {
        "simulated": stored.ending.is_simulated,
        "not finished": stored.is_unfinished,
    }
    return {
        "survey": edition_name(stored),
        "title": in_language(stored.survey.title, DEFAULT),
        "state": ", ".join((state, *(mark for mark, applies in marks.items() if applies))),
        "ends": _ends(stored),
        "reports": counts.count_reports(stored.survey.digest),
        "digest": stored.survey.digest,
    }


def _ends(stored: StoredSurvey) -> str | None:
    """What ends the survey by itself: a moment, a number of reports, or both."""
    window = stored.window
    if window is None:
        return None
    most = window.at_most_reports
    ends = (
        moment_text(window.closes) if window.closes else "",
        f"at {counted(most, 'report', commas=True)}" if most else "",
    )
    return ", ".join(filter(None, ends)) or None


@click.command("backup", short_help="Copy the store while it is served.")
@click.argument("path", type=FILE)
@store_option
def backup(path: Path, store: str) -> None:
    """Write a copy of the SQLite store to the new file PATH.

    The copy contains every report that was acknowledged before. To restore it, stop the
    collector and replace the store with the copy; see docs/OPERATING.md.
    """
    back_up(store, path)
    say(f"Backed up: {path}. Keep it as secret as the store.")


@click.command("move", short_help="Move surveys from one store to another.")
@click.argument("source")
@click.argument("target")
@slug_argument(required=False)
def move(source: str, target: str, slug: str | None) -> None:
    """Move all editions of SLUG, or all surveys, from SOURCE to TARGET.

    Both are given as for --store: a SQLite file or a PostgreSQL URL. SOURCE is
    only read and keeps everything. Stop its collector first. The command may be
    repeated, even after an interruption. Tokens are not moved.
    """
    with closing(open_store(source, must_exist=True)) as old, closing(open_store(target)) as new:
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


@click.command("recount", short_help="Compare the counts of a store with its reports.")
@slug_argument(required=False)
@click.option("--repair", is_flag=True, help="Correct counts that are not those of the reports.")
@store_option
def recount(slug: str | None, repair: bool, store: str) -> int:
    """Count the reports of all editions of SLUG, or of all surveys, one by one.

    Results rest on counts that are kept beside the reports. If they are not those of
    the reports, the exit code is 1. Without --repair the store is only read, and
    collectors may store reports at the same time; while --repair counts a survey,
    its devices have to wait.
    """
    with closing(open_store(store, must_exist=True)) as opened:
        found = {
            edition_name(stored): _recount(opened, stored, repair, store)
            for stored in editions_of(opened, slug)
        }
    print_json({"surveys": found})
    return int(not repair and any(each["differing"] for each in found.values()))


def _recount(
    counts: Counts, stored: StoredSurvey, is_repaired: bool, location: str
) -> dict[str, object]:
    name = edition_name(stored)
    count = counts.repair_tally if is_repaired else counts.recount
    with counting(f"Recounting {name}") as on_progress:
        found = count(stored, on_progress)
    reports = counted(found.report_count, "report")
    if not found.differing:
        say(f"{name}: {reports}, and its counts are theirs.")
    else:
        names = ", ".join(name or "all reports" for name in found.differing)
        remedy = (
            "They were corrected."
            if is_repaired
            else "Its results may be wrong, because somebody changed the store: "
            "restore a backup, or, if the reports themselves are right, run: deniable recount "
            f"{stored.survey.slug} --repair{store_words(location)}"
        )
        warn(f"{name}: {reports}, and its counts of {names} are not theirs. {remedy}")
    return {"reports": found.report_count, "differing": list(found.differing)}
