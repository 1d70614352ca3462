"""deniable list: the surveys of a store."""

import click

from deniable_collector.clock import utc_now
from deniable_collector.store import Counts, open_store
from deniable_collector.store.base import StoredSurvey
from deniable_sdk.survey.text import in_language
from deniable_sdk.survey.writing import moment_text
from deniable_sdk.wording import counted
from deniable_web.commands.options import format_option, store_option, store_words
from deniable_web.commands.tables import Row, print_rows
from deniable_web.pages.languages import DEFAULT
from deniable_web.stores.publication import edition_name


@click.command("list")
@store_option
@format_option
def command(store: str, output_format: str) -> None:
    """Print each edition of each survey: its name, its state, when it ends and its reports."""
    with open_store(store, must_exist=True) as opened:
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
