"""The report: what leaves the device, and the check that it is legal."""

from collections.abc import Mapping

from deniable_sdk import canonical
from deniable_sdk.canonical import JSON, kind
from deniable_sdk.errors import InvalidReport
from deniable_sdk.mechanisms import InvalidValue
from deniable_sdk.records import Record
from deniable_sdk.survey.published import PublishedSurvey

FORMAT = "deniable-report/1"

# So that what a refusal says does not grow with the survey.
_NAMED_BLOCKS = 5

_KEYS = {"format", "survey", "report", "answers"}
_HEX_DIGITS = frozenset("0123456789abcdef")


class Report(Record, hidden="answers"):
    """Randomized answers of one respondent to one survey.

    Args:
        survey: the digest of the published survey.
        id: 32 hex digits, drawn at random; resending keeps it.
        answers: block id to randomized value.
    """

    survey: str
    id: str
    answers: Mapping[str, JSON]

    def to_bytes(self) -> bytes:
        """The canonical bytes that are sent, the same on every try."""
        return canonical.encode(
            {
                "format": FORMAT,
                "survey": self.survey,
                "report": self.id,
                "answers": dict(self.answers),
            }
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> "Report":
        """The report in JSON bytes, its form checked but not its values.

        Raises:
            InvalidReport: the bytes are not a report of this format.
        """
        try:
            return cls.from_document(canonical.parse(data))
        except canonical.NotCanonical as error:
            raise InvalidReport(f"not a report: {error}") from None

    @classmethod
    def from_document(cls, document: JSON) -> "Report":
        """The report in a JSON value, its form checked but not its values.

        Raises:
            InvalidReport: the value is not a report of this format.
        """
        if not isinstance(document, dict):
            raise InvalidReport(f"got {kind(document)}; a report is an object")
        if set(document) != _KEYS or document["format"] != FORMAT:
            raise InvalidReport(
                f"a report has the keys {', '.join(sorted(_KEYS))} and no others, "
                f"and its format is {FORMAT}"
            )
        survey, report_id, answers = document["survey"], document["report"], document["answers"]
        if not (isinstance(survey, str) and _is_hex(survey, 64)):
            raise InvalidReport("survey: allowed is a digest of 64 lower-case hex digits")
        if not (isinstance(report_id, str) and _is_hex(report_id, 32)):
            raise InvalidReport("report: allowed is an id of 32 lower-case hex digits")
        if not isinstance(answers, dict):
            raise InvalidReport(f"answers: got {kind(answers)}; allowed is an object")
        return cls(survey, report_id, answers)


def check_report(report: Report, survey: PublishedSurvey) -> None:
    """Accept exactly the reports that a device can make for this survey.

    Raises:
        InvalidReport: it is another survey's, has another number of blocks,
            an unknown block, or a value its mechanism cannot produce.
    """
    if report.survey != survey.digest:
        raise InvalidReport(f"survey: the report is for another survey than {survey.digest}")
    known = {block.id: block for block in survey.blocks}
    if len(report.answers) != survey.asked or not known.keys() >= report.answers.keys():
        named = [*known][:_NAMED_BLOCKS] + ["..."] * (len(known) > _NAMED_BLOCKS)
        raise InvalidReport(
            f"answers: got {len(report.answers)} blocks; allowed are exactly {survey.asked} of: "
            f"{', '.join(named)}"
        )
    for block_id, value in report.answers.items():
        try:
            known[block_id].mechanism.form.check(value)
        except InvalidValue as error:
            raise InvalidReport(f"answers.{block_id}: {error}") from None


def _is_hex(text: str, length: int) -> bool:
    return len(text) == length and _HEX_DIGITS.issuperset(text)
