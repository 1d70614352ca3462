"""An invited person's token: collected from the issuer, and kept on the device."""

from __future__ import annotations

import hashlib
import http.client
import json
from collections.abc import Callable

from deniable_sdk.client.entry import entry_of
from deniable_sdk.client.errors import AlreadyAnswered, OtherSite
from deniable_sdk.client.options import Options
from deniable_sdk.client.submitting import invitation_of, new_entry, require_survey
from deniable_sdk.client.transport import REQUEST_TIMEOUT_S
from deniable_sdk.errors import printable
from deniable_sdk.invitation import (
    TokenRequest,
    finish_token,
    read_code,
    request_token,
    token_text,
)
from deniable_sdk.survey.invited import group_of
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.tokens import InvalidToken, Token, base64url, from_base64url
from deniable_sdk.transport import CollectorConnection, CollectorRefused, problem_of


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
        _refuse_other(survey, group, site)
        request = request_token(survey, group, options.read_bytes).replace(code=known_by)
        # Another process may have been first.
        kept = _keep(options, survey, request, check_open) or request
    if isinstance(kept, TokenRequest):
        answer = _ask_issuer(survey, "tokens", {**asking, "blinded": base64url(kept.message)})
        token = finish_token(survey, kept, _signature(answer.get("signature", "")))
        _keep(options, survey, token, check_open)
    return kept.group


def _refuse_other(survey: PublishedSurvey, group_id: str, site: str | None) -> None:
    group = group_of(survey.invited, group_id)
    if site and not group.is_at(site):
        raise OtherSite(group.site, site)


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
