"""deniable recount: compare the tallies of a store with its reports."""

from contextlib import closing

import click

from deniable_analysis.forms import counted
from deniable_collector.store import Counts, open_store, shown
from deniable_collector.store.base import StoredSurvey
from deniable_web.commands.options import store_option
from deniable_web.commands.slugs import slug_argument
from deniable_web.commands.tables import counting, print_json, say, warn
from deniable_web.publication import UnknownSlug


@click.command("recount", short_help="Compare the counts of a store with its reports.")
@slug_argument(required=False)
@click.option("--repair", is_flag=True, help="Correct counts that are not those of the reports.")
@store_option
def command(slug: str | None, repair: bool, store: str) -> int:
    """Count the reports of all editions of SLUG, or of all surveys, one by one.

    Results rest on counts that are kept beside the reports. If they are not those of
    the reports, the exit code is 1. Without --repair the store is only read, and
    collectors may store reports at the same time; while --repair counts a survey,
    its devices have to wait.
    """
    with closing(open_store(store, must_exist=True)) as opened:
        surveys = opened.list_surveys()
        wanted = [stored for stored in surveys if slug in (None, stored.survey.slug)]
        if slug is not None and not wanted:
            raise UnknownSlug(slug, surveys)
        found = {_name(stored): _recount(opened, stored, repair, store) for stored in wanted}
    print_json({"surveys": found})
    return int(not repair and any(each["differing"] for each in found.values()))


def _recount(
    counts: Counts, stored: StoredSurvey, is_repaired: bool, location: str
) -> dict[str, object]:
    count = counts.repair_tally if is_repaired else counts.recount
    with counting(f"Recounting {_name(stored)}") as on_progress:
        found = count(stored, on_progress)
    reports = counted(found.report_count, "report")
    if not found.differing:
        say(f"{_name(stored)}: {reports}, and its counts are theirs.")
    else:
        names = ", ".join(name or "all reports" for name in found.differing)
        remedy = (
            "They were corrected."
            if is_repaired
            else "Its results may be wrong, because somebody changed the store: "
            "restore a backup, or, if the reports themselves are right, run: deniable recount "
            f"{stored.survey.slug} --repair --store {shown(location)}"
        )
        warn(f"{_name(stored)}: {reports}, and its counts of {names} are not theirs. {remedy}")
    return {"reports": found.report_count, "differing": list(found.differing)}


def _name(stored: StoredSurvey) -> str:
    return f"{stored.survey.slug}@{stored.edition}"
