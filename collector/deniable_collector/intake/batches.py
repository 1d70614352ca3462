"""A body with one report, or with an array of reports up to the allowed number."""

from deniable_collector.errors import Refused
from deniable_collector.intake.commits import GroupCommit
from deniable_collector.intake.documents import Documents, Stream
from deniable_collector.intake.reading import Readers
from deniable_collector.intake.receipts import ReportReceipt, unreadable
from deniable_collector.intake.submissions import ReportBatch
from deniable_collector.problems import Problem, problem
from deniable_sdk.canonical import NotCanonical


def take_json(
    stream: Stream, readers: Readers, commits: GroupCommit, most_reports: int
) -> ReportReceipt | list[ReportReceipt]:
    """The receipt of the report in a JSON body, or one for each of an array.

    All legal reports of one body are stored in one transaction. Reading stops at the first
    report beyond the allowed number.

    Raises:
        Refused: the body as a whole cannot be read, or has too many reports.
        TooBusy, StoreUnavailable: nothing was stored.
    """
    gathered = ReportBatch(readers)
    documents = Documents(stream)
    if not documents.is_array():
        gathered.add_line(documents.whole())
        return gathered.submit(commits).receipts()[0]
    try:
        for text in documents.members():
            if len(gathered) == most_reports:
                raise Refused(_too_many(most_reports))
            gathered.add_text(text)
    except NotCanonical as error:
        commits.observer.refused("not-json")
        raise Refused(unreadable(error)) from None
    return gathered.submit(commits, is_batch=True).receipts()


def _too_many(most: int) -> Problem:
    return problem(
        "too-many-reports",
        f"The batch has more than {most} reports and none was stored; allowed are "
        f"{most} at a time; send them in several requests, or one a line as NDJSON.",
    )
