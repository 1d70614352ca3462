"""How many people the report of an invited person is hidden among."""

from __future__ import annotations

from typing import Literal

from deniable_sdk import canonical
from deniable_sdk.client.background import TookTooLong, in_background
from deniable_sdk.client.entry import Entry, entry_of
from deniable_sdk.client.errors import FewCollected
from deniable_sdk.client.options import Options
from deniable_sdk.client.submitting import invitation_of, require_survey
from deniable_sdk.report import Report
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.tokens import Token
from deniable_sdk.transport import CollectorConnection, CollectorRefused, CollectorUnreachable

FEW = 20
PATIENCE_S = 5.0


class Crowd:
    """The people of this person's group who have collected a token."""

    def __init__(self, options: Options) -> None:
        self._options = options
        # They no longer change once they are public.
        self._known: dict[str, int] = {}

    def refuse_few(
        self, survey: PublishedSurvey, shown: int | None, state: Literal["asked", "held"]
    ) -> None:
        """Fail if they are few and the person does not know how few.

        Args:
            survey: whose report is to be sent.
            shown: the number that the person knows.
            state: in which the survey must be on this device, else all is well.
        Raises:
            FewCollected: see above.
        """
        require_survey(survey)
        entry = self._entry(survey)
        if entry is None or entry.state != state:
            return
        count = self.count(survey)
        if count is not None and count < FEW and count != shown:
            raise FewCollected(count)

    def count(self, survey: PublishedSurvey) -> int | None:
        """How many they are; None while that is not known."""
        require_survey(survey)
        group = _group_of(self._entry(survey))
        until = survey.invited.collect_until if survey.invited else None
        # Before, there is nothing to know, and nobody else needs to know who is about to answer.
        if not (survey.invited and group and until):
            return None
        if self._options.clock.now() < until.timestamp():
            return None
        found = self._known.get(survey.digest)
        if found is None:
            found = _published(survey.invited.issuer, survey.digest, group)
        if found is not None:
            self._known[survey.digest] = found
        return found

    def _entry(self, survey: PublishedSurvey) -> Entry | None:
        with self._options.storage.transaction() as stored:
            return entry_of(stored.entries(), survey.digest)


def _group_of(entry: Entry | None) -> str:
    """The group of the token on this device; "" if there is none."""
    token = Report.from_bytes(entry.body).token if entry and entry.body else None
    kept = token or invitation_of(entry)
    return kept.group if isinstance(kept, Token) else ""


def _published(issuer: str, digest: str, group: str) -> int | None:
    """What the issuer says of a group to everybody; None if it says nothing in time."""

    def ask() -> bytes:
        with CollectorConnection(issuer, timeout_s=PATIENCE_S) as connection:
            return connection.fetch(f"/api/surveys/{digest}")

    try:
        document = canonical.parse(in_background(ask, PATIENCE_S))
    except (CollectorUnreachable, CollectorRefused, TookTooLong, canonical.NotCanonical):
        return None
    groups = document.get("groups") if isinstance(document, dict) else None
    for each in groups if isinstance(groups, list) else ():
        if isinstance(each, dict) and each.get("id") == group:
            count = each.get("collected")
            return count if isinstance(count, int) else None
    return None
