"""An invited person's token, and how many people of the group have collected one."""

from __future__ import annotations

import hashlib
import http.client
import json
from collections.abc import Callable
from typing import Literal

from deniable_sdk import canonical
from deniable_sdk.client.entry import Entry, entry_of
from deniable_sdk.client.errors import AlreadyAnswered, FewCollected, OtherSite
from deniable_sdk.client.options import Options
from deniable_sdk.client.submitting import invitation_of, new_entry, require_survey
from deniable_sdk.client.transport import REQUEST_TIMEOUT_S, TookTooLong, in_background
from deniable_sdk.errors import printable
from deniable_sdk.invitation import (
    TokenRequest,
    finish_token,
    read_code,
    request_token,
    token_text,
)
from deniable_sdk.report import Report
from deniable_sdk.survey.groups import SMALL_GROUP
from deniable_sdk.survey.invited import invited_group
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.tokens import InvalidToken, Token, base64url, from_base64url
from deniable_sdk.transport import (
    CollectorConnection,
    CollectorRefused,
    CollectorUnreachable,
    problem_of,
)

PATIENCE_S = 5.0


def collect_token(
    options: Options,
    survey: PublishedSurvey,
    code: str,
    check_open: Callable[[], None],
    site: str | None = None,
) -> str:
    """The group of an invited person, once this device has their token.

    The request is kept before it is sent, so that a lost answer can be asked
    for again; it is wiped once the token is there.
    """
    require_survey(survey)
    asking = {"survey": survey.digest, "code": read_code(code)}
    known_by = hashlib.sha256(asking["code"].encode()).hexdigest()
    kept = _keep(options, survey, None, check_open)
    # The request of another code may be for another group, whose key signs no other message.
    if kept is None or (isinstance(kept, TokenRequest) and kept.code != known_by):
        group = _ask_issuer(survey, "codes", asking).get("group", "")
        own = invited_group(survey.groups, group)
        if site and not own.is_at(site):
            raise OtherSite(own.site, site)
        request = request_token(survey, own.id, options.read_bytes).replace(code=known_by)
        # Another process may have been first.
        kept = _keep(options, survey, request, check_open) or request
    if isinstance(kept, TokenRequest):
        answer = _ask_issuer(survey, "tokens", {**asking, "blinded": base64url(kept.message)})
        token = finish_token(survey, kept, _signature(answer.get("signature", "")))
        _keep(options, survey, token, check_open)
    return kept.group


def _keep(
    options: Options,
    survey: PublishedSurvey,
    new: Token | TokenRequest | None,
    check_open: Callable[[], None],
) -> Token | TokenRequest | None:
    """What the device has of its invitation afterwards.

    A token replaces its request, and the request of a code that of another one.

    Raises:
        AlreadyAnswered: this device has a report to the survey.
    """
    with options.storage.transaction() as stored:
        check_open()
        entries = stored.entries()
        entry = entry_of(entries, survey.digest) or new_entry(options, survey, entries)
        if entry.state != "asked":
            raise AlreadyAnswered(entry.report, "this device has answered the survey")
        kept = invitation_of(entry)
        if new is None or isinstance(kept, Token):
            return kept
        if kept and isinstance(new, TokenRequest) and kept.code == new.code:
            return kept
        text = token_text(new) if isinstance(new, Token) else new.to_text()
        stored.put(entry.replace(invitation=text))
        return new


def _ask_issuer(survey: PublishedSurvey, what: str, document: object) -> dict[str, str]:
    """The texts in an issuer's answer, by their names."""
    if survey.invited is None:
        raise InvalidToken("everybody may answer this survey, without a token")
    with CollectorConnection(survey.invited.issuer, timeout_s=REQUEST_TIMEOUT_S) as connection:
        body = json.dumps(document).encode()
        answer = connection.ask("POST", f"/api/{what}", body, "application/json")
    said = problem_of(answer.body)
    if answer.status == http.client.OK:
        return said
    why = printable(said.get("detail") or "without saying why")
    raise CollectorRefused(answer.status, f"the issuer answered {answer.status}: {why}")


def _signature(text: str) -> bytes:
    try:
        return from_base64url(text)
    except ValueError:
        raise InvalidToken(
            "the issuer's answer has no signature; nothing of it was kept"
        ) from None


class TokenCount:
    """The people of this person's group who have collected a token."""

    def __init__(self, options: Options) -> None:
        self._options = options
        # They no longer change once they are public.
        self._known: dict[str, int] = {}

    def refuse_few(
        self, survey: PublishedSurvey, shown: int | None, state: Literal["asked", "held"]
    ) -> None:
        """Refuse to go on if few people have collected a token and the person was not told.

        Args:
            survey: the survey; in another state than `state`, nothing is refused.
            shown: the number that the person was shown.
            state: of the survey on the device.
        Raises:
            FewCollected: they are few, and not as many as was shown.
        """
        require_survey(survey)
        entry = self._entry(survey)
        if entry is None or entry.state != state:
            return
        count = self.count(survey)
        if count is not None and count < SMALL_GROUP and count != shown:
            raise FewCollected(count)

    def count(self, survey: PublishedSurvey) -> int | None:
        """How many they are; None while that is not known."""
        require_survey(survey)
        entry = self._entry(survey)
        token = Report.from_bytes(entry.body).token if entry and entry.body else None
        kept = token or invitation_of(entry)
        group = kept.group if isinstance(kept, Token) else ""
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
