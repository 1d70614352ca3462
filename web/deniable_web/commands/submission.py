"""How the commands simulate and demo submit the reports of many respondents."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from deniable_collector.store import add_reports, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_sdk import Report
from deniable_sdk.transport import CollectorConnection
from deniable_sdk.wording import counted
from deniable_web.commands.program import NotDone
from deniable_web.commands.tables import progress_bar
from deniable_web.simulation.respondents import SimulatedRespondents

BATCH_SIZE = 500
Submit = Callable[[Sequence[Report]], None]


def submit_all(respondents: SimulatedRespondents, submit: Submit) -> None:
    """Submit every respondent's report in batches, with a progress bar."""
    reports = respondents.reports()
    with progress_bar() as progress:
        task = progress.add_task("Answering", total=respondents.truth.count)
        while batch := list(itertools.islice(reports, BATCH_SIZE)):
            submit(batch)
            progress.advance(task, len(batch))


@contextmanager
def submitting_to(url: str | None, store: str) -> Iterator[Submit]:
    """A function that submits reports over HTTP to a collector, or directly to the store."""
    if url is None:
        with open_store(store) as opened:
            yield lambda reports: _expect_all(
                [outcome is ReportOutcome.STORED for outcome in add_reports(opened, reports)]
            )
    else:
        with CollectorConnection(url) as connection:
            yield lambda reports: _expect_all(
                [receipt.is_stored for receipt in connection.submit(reports)]
            )


def _expect_all(stored: Sequence[bool]) -> None:
    if not all(stored):
        raise NotDone(
            f"{stored.count(False)} of {counted(len(stored), 'report')} not accepted; is the "
            "survey closed, or does the collector serve another store?"
        )
