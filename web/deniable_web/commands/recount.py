"""deniable recount: whether the counts of a store are those of its reports."""

import click

from deniable_collector.store import Counts, open_store
from deniable_collector.store.base import StoredSurvey
from deniable_sdk.wording import counted
from deniable_web.commands.options import slug_argument, store_option, store_words
from deniable_web.commands.tables import counting, print_json, say, warn
from deniable_web.stores.publication import edition_name, editions_of


@click.command("recount")
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
    with open_store(store, must_exist=True) as opened:
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
