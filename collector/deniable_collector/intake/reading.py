"""Reports read fast: what a device writes is recognised word for word.

A device writes a report in one form, with few different values for a block.
A line of that form whose values have been checked before is taken as it
stands; any other is read and checked in full. Both ways accept the same
reports and store the same rows.
"""

import re
from collections.abc import Callable
from typing import Final

from deniable_collector.store.base import Row, StoredSurvey, Value, row_of
from deniable_sdk import Block, PublishedSurvey, Report, check_report
from deniable_sdk.canonical import JSON, NotCanonical, decode
from deniable_sdk.mechanisms import InvalidValue

# Enough for every value of most blocks; a subset of many options has too many.
_MOST_KNOWN: Final = 4_096
_LONGEST_KNOWN: Final = 64
_DIGEST = slice(-66, -2)

FindEdition = Callable[[str], StoredSurvey | None]


class BlockValues:
    """The values of one block that were found legal, by their canonical bytes."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._known: dict[bytes, Value] = {}

    def read(self, text: bytes | None) -> Value | None:
        """The value as it is stored; None for a block that was not asked.

        Raises:
            InvalidValue: the mechanism does not give this value.
            NotCanonical: the bytes are not canonical JSON.
        """
        if text is None:
            return None
        known = self._known.get(text)
        return self._learn(text) if known is None else known

    def _learn(self, text: bytes) -> Value:
        value = decode(text)
        self._block.mechanism.form.check(value)
        stored = value if type(value) is int else text.decode("ascii")
        if len(self._known) < _MOST_KNOWN and len(text) <= _LONGEST_KNOWN:
            self._known[text] = stored
        return stored


class SurveyReader:
    """Reads the reports of one published survey.

    Args:
        survey: the survey whose reports are read.
    """

    def __init__(self, survey: PublishedSurvey) -> None:
        self.survey = survey
        names = [block.id for block in survey.blocks]
        in_form = sorted(names)
        self._match = re.compile(_form(survey, in_form)).fullmatch
        # The form has the blocks by name, a row has them in the survey's order.
        self._groups = tuple(1 + in_form.index(name) for name in names)
        self._id_group = 1 + len(names)
        self._blocks = tuple(map(BlockValues, survey.blocks))
        self._not_asked = len(names) - survey.asked

    def read_known_form(self, line: bytes) -> Row | None:
        """The row of a report in the form devices write; None for any other.

        What gives None may be a legal report all the same, in another form.
        """
        match = self._match(line)
        if match is None:
            return None
        texts = match.group(*self._groups) if len(self._groups) > 1 else (match[1],)
        if self._not_asked and texts.count(None) != self._not_asked:
            return None
        try:
            values = [block.read(text) for block, text in zip(self._blocks, texts, strict=True)]
        except (InvalidValue, NotCanonical):
            return None
        return (bytes.fromhex(match[self._id_group].decode("ascii")), *values)

    def read(self, report: Report) -> Row:
        """The row of a report, checked in full.

        Raises:
            InvalidReport: no device makes such a report for this survey.
        """
        check_report(report, self.survey)
        return row_of(report, self.survey)


class Readers:
    """The readers of all surveys of a store, each made when first wanted."""

    def __init__(self, find_edition: FindEdition) -> None:
        self._find_edition = find_edition
        # A digest always names the same document, so nothing here gets stale.
        self._readers: dict[str, SurveyReader] = {}
        self._by_octets: dict[bytes, SurveyReader] = {}

    def find(self, digest: str) -> SurveyReader | None:
        """The reader for the survey of this digest, None if there is none."""
        found = self._readers.get(digest)
        if found is None:
            stored = self._find_edition(digest)
            if stored is None:
                return None
            found = self._readers[digest] = SurveyReader(stored.survey)
            self._by_octets[digest.encode("ascii")] = found
        return found

    def read_known_form(self, line: bytes) -> tuple[str, Row] | None:
        """Digest and row of a report in the form devices write, or None."""
        reader = self._by_octets.get(line[_DIGEST])
        if reader is None:
            return None
        row = reader.read_known_form(line)
        return None if row is None else (reader.survey.digest, row)

    def read_document(self, document: JSON) -> tuple[Report, Row | None]:
        """A report and its row, None if its survey is not known.

        Raises:
            InvalidReport: no device makes such a report.
        """
        report = Report.from_document(document)
        reader = self.find(report.survey)
        return report, reader.read(report) if reader else None


def _form(survey: PublishedSurvey, names: list[str]) -> bytes:
    # Atomic, and without a comma at its end: what does not match is not tried in other
    # ways, with which anybody's long body would take a second.
    value = r'"{}":((?>[0-9\[\],]*[0-9\]]))'
    if survey.asked == len(names):
        answers = ",".join(value.format(re.escape(name)) for name in names)
    else:
        # Each block may be there, after a comma unless it is the first.
        answers = "".join(
            rf"(?:(?:(?<=\{{)|(?<!\{{),){value.format(re.escape(name))})?" for name in names
        )
    return (
        rf'\{{"answers":\{{{answers}\}},"format":"deniable-report/1",'
        rf'"report":"([0-9a-f]{{32}})","survey":"{survey.digest}"\}}'
    ).encode("ascii")
