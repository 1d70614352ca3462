"""Fast reading of reports: the form that devices write is recognised as text.

A device writes a report in one form, with few different values for a block. A line of that
form whose values were all checked before is accepted without parsing it again; any other is
parsed and checked in full. Both ways accept the same reports and store the same rows.
"""

import re
from collections.abc import Callable
from itertools import repeat
from operator import lt
from typing import Final

from deniable_collector.errors import Refused
from deniable_collector.intake.receipts import at_other_site
from deniable_collector.intake.signatures import TOKEN_FORM, GroupTokens, has_signed
from deniable_collector.store.base import Row, StoredSurvey, Value, row_of
from deniable_sdk import PublishedSurvey, Report, check_report
from deniable_sdk.canonical import NotCanonical, decode
from deniable_sdk.mechanisms import InvalidValue, ValueForm
from deniable_sdk.survey.groups import NO_GROUP, group_of
from deniable_storage.tally_rows import members_by_text

# Enough for all values of most blocks; a subset of many options has too many values.
_MOST_KNOWN: Final = 4_096
_LONGEST_KNOWN: Final = 64
_BEFORE_DIGEST: Final = b',"survey":"'
# In a report that devices write, the digest begins before this.
_LATEST_DIGEST: Final = 160
_DIGEST_LENGTH: Final = 64
# Group, nonce and signature.
_TOKEN_GROUPS: Final = 3

FindEdition = Callable[[str], StoredSurvey | None]


class BlockValues:
    """The legal values of one block so far, by their canonical bytes."""

    def __init__(self, form: ValueForm) -> None:
        self._form = form
        self._known: dict[bytes, Value] = {}
        # The options of a list by their canonical bytes, with its brackets and separators.
        self._begin, self._between, self._end = b"[", b",", b"]"
        if form.are_pairs:
            self._begin, self._between, self._end = b"[[", b"],[", b"]]"
        self._options: dict[bytes, int] = {}
        if form.shape:
            for text, member in members_by_text(form).items():
                option = member if isinstance(member, int) else member[0]
                self._options[text.strip("[]").encode()] = option

    def read(self, text: bytes | None) -> Value | None:
        """The value in its stored form; None for a block that was not asked.

        Raises:
            InvalidValue: the mechanism cannot produce this value.
            NotCanonical: the bytes are not canonical JSON.
        """
        if text is None:
            return None
        known = self._known.get(text)
        return self._learn(text) if known is None else known

    def _learn(self, text: bytes) -> Value:
        stored: Value
        if self._is_list(text):
            stored = text.decode("ascii")
        else:
            value = decode(text)
            self._form.check(value)
            stored = value if type(value) is int else text.decode("ascii")
        if len(self._known) < _MOST_KNOWN and len(text) <= _LONGEST_KNOWN:
            self._known[text] = stored
        return stored

    def _is_list(self, text: bytes) -> bool:
        """Whether these are the canonical bytes of a legal list; no other reading is needed."""
        if not self._options or not (text.startswith(self._begin) and text.endswith(self._end)):
            return False
        members = text[len(self._begin) : -len(self._end)].split(self._between)
        if len(members) != self._form.shape[0]:
            return False
        options = list(map(self._options.get, members, repeat(-1)))
        # Ascending from 0 on, so every member is an option.
        return options[0] >= 0 and all(map(lt, options, options[1:]))


class SurveyReader:
    """Reads the reports of one published survey.

    Args:
        survey: the survey.
        site: of the collector; empty if it has no name, and refuses no group.
    """

    def __init__(self, survey: PublishedSurvey, site: str = "") -> None:
        self.survey = survey
        self._site = site
        names = [block.id for block in survey.blocks]
        in_form = sorted(names)
        self._match = re.compile(_form(survey, in_form)).fullmatch
        # In the form the blocks are in the order of their names, in a row in the survey's order.
        self._link_group = 1 if survey.link_groups else 0
        self._id_group = self._link_group + 1
        self._tokens = GroupTokens(survey, site) if survey.invited else None
        first = self._id_group + 1 + (_TOKEN_GROUPS if survey.invited else 0)
        self._token_groups = tuple(range(self._id_group + 1, first))
        self._groups = tuple(first + in_form.index(name) for name in names)
        self._blocks = tuple(BlockValues(block.mechanism.form) for block in survey.blocks)
        self._not_asked = len(names) - survey.asked

    def read_known_form(self, line: bytes) -> Row | None:
        """The row of a report in the form that devices write; None for any other.

        If the result is None, the report may still be legal, in another form.
        """
        match = self._match(line)
        if match is None:
            return None
        texts = match.group(*self._groups) if len(self._groups) > 1 else (match[self._groups[0]],)
        if self._not_asked and texts.count(None) != self._not_asked:
            return None
        values: list[Value | None]
        try:
            values = [block.read(text) for block, text in zip(self._blocks, texts, strict=True)]
        except (InvalidValue, NotCanonical):
            return None
        report = bytes.fromhex(match[self._id_group].decode("ascii"))
        if self._link_group:
            named = match[self._link_group]
            return (report, *[named.decode("ascii") if named else NO_GROUP, *values])
        if self._tokens is None:
            return (report, *values)
        # Last, because it takes longer than everything before.
        group = self._tokens.group_of(report, *match.group(*self._token_groups))
        return None if group is None else (report, *[group, *values])

    def read(self, report: Report) -> Row:
        """The row of a report, checked in full.

        Raises:
            InvalidReport: no device makes such a report for this survey.
            Refused: it is of a group of another site.
        """
        check_report(report, self.survey, has_signed)
        if report.token:
            group = group_of(self.survey.groups, report.token.group)
            if not group.is_at(self._site):
                raise Refused(at_other_site(group.site, self._site))
        return row_of(report, self.survey)


class Readers:
    """The readers of all surveys of a store, each built on first use.

    Args:
        find_edition: finds the survey with a digest.
        site: of the collector; see SurveyReader.
    """

    def __init__(self, find_edition: FindEdition, site: str = "") -> None:
        self._find_edition = find_edition
        self._site = site
        # A digest always names the same document, so no entry becomes outdated.
        self._readers: dict[str, SurveyReader] = {}
        self._by_octets: dict[bytes, SurveyReader] = {}

    def find(self, digest: str) -> SurveyReader | None:
        """The reader for the survey with this digest; None if there is no such survey."""
        found = self._readers.get(digest)
        if found is None:
            stored = self._find_edition(digest)
            if stored is None:
                return None
            found = self._readers[digest] = SurveyReader(stored.survey, self._site)
            self._by_octets[digest.encode("ascii")] = found
        return found

    def read_known_form(self, line: bytes) -> tuple[str, Row] | None:
        """The digest and row of a report in the form that devices write; None for any other."""
        start = line.find(_BEFORE_DIGEST, 0, _LATEST_DIGEST) + len(_BEFORE_DIGEST)
        reader = self._by_octets.get(line[start : start + _DIGEST_LENGTH])
        if reader is None:
            return None
        row = reader.read_known_form(line)
        return None if row is None else (reader.survey.digest, row)


def _form(survey: PublishedSurvey, names: list[str]) -> bytes:
    # The group is atomic, and does not end in a comma. Otherwise backtracking over a long
    # body that does not match would take a second.
    value = r'"{}":((?>[0-9\[\],]*[0-9\]]))'
    if survey.asked == len(names):
        values = ",".join(value.format(re.escape(name)) for name in names)
    else:
        # Each block is optional, and follows a comma unless it is the first.
        values = "".join(
            rf"(?:(?:(?<=\{{)|(?<!\{{),){value.format(re.escape(name))})?" for name in names
        )
    token = f",{TOKEN_FORM}" if survey.invited else ""
    ids = "|".join(re.escape(group.id) for group in survey.link_groups)
    group = f'(?:"group":"({ids})",)?' if ids else ""
    return (
        rf'\{{"format":"deniable-report/1",{group}"report":"([0-9a-f]{{32}})",'
        rf'"survey":"{survey.digest}"{token},"values":\{{{values}\}}\}}'
    ).encode("ascii")
