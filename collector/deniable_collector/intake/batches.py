"""One report, or as many as fit a body that is read whole."""

from deniable_collector.errors import Refused
from deniable_collector.intake.commits import GroupCommit
from deniable_collector.intake.reading import Readers
from deniable_collector.intake.receipts import Receipt, unreadable
from deniable_collector.intake.submissions import Gathered
from deniable_collector.problems import problem
from deniable_sdk.canonical import JSON, NotCanonical, parse


def take_json(
    body: bytes, readers: Readers, commits: GroupCommit, most_reports: int
) -> Receipt | list[Receipt]:
    """The receipt of the report in a JSON body, or one for each of an array.

    All legal reports of one body are stored in one transaction.

    Raises:
        Refused: the body as a whole cannot be read, or has too many reports.
        TooBusy, StoreUnavailable: nothing was stored.
    """
    gathered = Gathered(readers)
    if body.startswith(b"{"):
        gathered.add_line(body)
        return gathered.submit(commits).receipts()[0]
    try:
        value = parse(body)
    except NotCanonical as error:
        commits.watch.refused("not-json")
        raise Refused(unreadable(error)) from None
    if not isinstance(value, list):
        gathered.add_document(value)
        return gathered.submit(commits).receipts()[0]
    for document in _limited(value, most_reports):
        gathered.add_document(document)
    return gathered.submit(commits, is_batch=True).receipts()


def _limited(reports: list[JSON], most: int) -> list[JSON]:
    if len(reports) > most:
        raise Refused(
            problem(
                "too-many-reports",
                f"The batch has {len(reports)} reports and none was stored; allowed are "
                f"{most} at a time; send them in several requests, or one a line as NDJSON.",
            )
        )
    return reports
