"""The routes with which owners of all surveys decide who else may do what here.

Any owner makes links to the results of their surveys.

A link that hands over a token is in one response, and nowhere else. Nobody changes, replaces or
removes their own token here. Should no owner be left, a command on the machine makes one.
"""

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, Response, g

from deniable_collector.access import collaborators, require_survey
from deniable_collector.errors import (
    InvalidRelease,
    InvalidTokenName,
    InvalidTokenSurvey,
    Refused,
)
from deniable_collector.permissions import Scope, open_to, present_token
from deniable_collector.responses import json_response, read_sent_object
from deniable_collector.tokens import (
    AccessToken,
    Release,
    Role,
    check_name,
    check_release,
    check_surveys,
)
from deniable_sdk.errors import quote
from deniable_web.accounts.sessions import Sessions
from deniable_web.accounts.settings import MOST_SURVEYS, ROLES
from deniable_web.accounts.trail import with_rights
from deniable_web.pages.organiser_frame import described
from deniable_web.pages.sign_in_links import SignInLink, make_link

_ALL: Final = "/manage/colleagues"
_ONE: Final = f"{_ALL}/<name>"
# Longer than all names of surveys that somebody may have.
_MOST_BYTES: Final = 1 << 20
# An owner of some surveys could make tokens for others.
_OPEN: Final = open_to(Role.OWNER, scope=Scope.ALL)


def add_colleagues(accounts: Blueprint, sessions: Sessions) -> None:
    """Add all routes of colleagues to those of accounts."""
    _add_list(accounts, sessions)
    _add_rights(accounts, sessions)
    _add_links(accounts, sessions)
    _add_ends(accounts, sessions)
    _add_readers(accounts, sessions)


def _add_list(accounts: Blueprint, sessions: Sessions) -> None:
    @accounts.get(_ALL)
    @_OPEN
    def list_colleagues() -> Response:
        registry, signed_in = collaborators().registry, sessions.newest()
        found = [
            {
                **described(rights),
                "signs_in_with": way,
                "signed_in": signed_in.get(rights.name),
            }
            for way, everybody in (
                ("token", registry.list_tokens()),
                ("provider", sessions.accounts()),
            )
            for rights in everybody
        ]
        found.sort(key=lambda each: str(each["name"]))
        slugs = sorted({each.survey.slug for each in registry.list_surveys()})
        return json_response({"you": present_token().name, "colleagues": found, "surveys": slugs})


def _add_rights(accounts: Blueprint, sessions: Sessions) -> None:
    @accounts.post(_ALL)
    @_OPEN
    def add_colleague() -> Response:
        """Make a token for somebody new, which a link hands over."""
        sent = _read("name", "role", "surveys")
        name, (role, surveys) = _read_name(sent), _read_rights(sent)
        return _added(sessions, AccessToken(name, role, surveys))

    @accounts.put(_ONE)
    @_OPEN
    def change_colleague(name: str) -> Response:
        """Give somebody another role, or other surveys; the token stays."""
        role, surveys = _read_rights(_read("role", "surveys"))
        _refuse_own(name)
        if _token_of(sessions, name).role is Role.READER:
            raise _refuse_fixed("A reader's token is for a link; remove it, and make another.")
        changed = AccessToken(name, role, surveys)
        _require_found(collaborators().registry.change_rights(changed))
        g.changed = with_rights(changed)
        return json_response(described(changed))


def _add_links(accounts: Blueprint, sessions: Sessions) -> None:
    @accounts.post(f"{_ONE}/link")
    @_OPEN
    def replace_secret(name: str) -> Response:
        """Make a link to a new token for somebody; the present one is no longer accepted."""
        _refuse_own(name)
        link = _make_link(_token_of(sessions, name))
        # What may fail, and does no harm if it was done in vain, comes first.
        sessions.end_all(name)
        _require_found(collaborators().registry.change_secret(name, link.digest))
        g.changed = name
        return json_response({"name": name, "link": link.path})


def _add_ends(accounts: Blueprint, sessions: Sessions) -> None:
    @accounts.delete(_ONE)
    @_OPEN
    def remove_colleague(name: str) -> tuple[str, int]:
        """Remove a token, or an account until the provider lets it in again."""
        _refuse_own(name)
        was_account = sessions.forget(name)
        was_token = collaborators().registry.remove_token(name)
        _require_found(was_token or was_account)
        g.changed = name
        return "", 204

    @accounts.delete(f"{_ONE}/sessions")
    @_OPEN
    def sign_out_colleague(name: str) -> tuple[str, int]:
        """Sign somebody out everywhere."""
        tokens = collaborators().registry.list_tokens()
        _require_found(any(each.name == name for each in tokens) or _is_account(sessions, name))
        sessions.end_all(name)
        g.changed = name
        return "", 204


def _add_readers(accounts: Blueprint, sessions: Sessions) -> None:
    @accounts.post("/manage/surveys/<slug>/readers")
    @open_to(Role.OWNER)
    def add_reader(slug: str) -> Response:
        """Make a token for the results of one survey, which a link hands over."""
        require_survey(collaborators().registry.find_survey(slug))
        sent = _read("name", "after_reports")
        reader = AccessToken(_read_name(sent), Role.READER, frozenset({slug}), _read_release(sent))
        return _added(sessions, reader)


def _added(sessions: Sessions, made: AccessToken) -> Response:
    """The response with the link to the new token of somebody new.

    Raises:
        Refused: somebody has the name. A draft belongs to whoever has the name of its author.
    """
    name, link = made.name, _make_link(made)
    is_taken = _is_account(sessions, name)
    if is_taken or not collaborators().registry.add_token(made, link.digest):
        detail = f"Somebody is called {quote(name)} here; choose another name."
        raise Refused.because("name-taken", detail)
    g.changed = with_rights(made)
    return json_response({"name": name, "link": link.path}, 201)


def _make_link(rights: AccessToken) -> SignInLink:
    return make_link(rights, collaborators().commits.clock())


def _token_of(sessions: Sessions, name: str) -> AccessToken:
    """The token with a name.

    Raises:
        Refused: there is none; the provider decides about accounts.
    """
    for token in collaborators().registry.list_tokens():
        if token.name == name:
            return token
    if _is_account(sessions, name):
        raise _refuse_fixed(
            "This person signs in at the provider, which decides the rights; change them there."
        )
    raise _unknown()


def _is_account(sessions: Sessions, name: str) -> bool:
    return any(each.name == name for each in sessions.accounts())


def _refuse_own(name: str) -> None:
    if present_token().name == name:
        raise _refuse_fixed("These are your own rights; ask another owner of all surveys.")


def _require_found(is_found: bool) -> None:
    if not is_found:
        raise _unknown()


def _unknown() -> Refused:
    return Refused.because("unknown-colleague", "Nobody here has this name; load the list again.")


def _refuse_fixed(reason: str) -> Refused:
    return Refused.because("rights-fixed", reason)


def _read(*keys: str) -> Mapping[str, Any]:
    """The JSON object in the request, with these keys.

    Raises:
        Refused: there is none, or it has other keys: a missing key must not mean all surveys.
    """
    sent = read_sent_object(_MOST_BYTES)
    if sent.keys() != set(keys):
        raise _refuse(f"allowed is a JSON object with the keys {', '.join(keys)} and no others")
    return sent


def _read_name(sent: Mapping[str, Any]) -> str:
    name = sent["name"]
    try:
        return check_name(name if isinstance(name, str) else "")
    except InvalidTokenName as error:
        raise _refuse(f"name: {error}") from None


def _read_rights(sent: Mapping[str, Any]) -> tuple[Role, frozenset[str] | None]:
    role, slugs = sent["role"], sent["surveys"]
    if role not in ROLES:
        raise _refuse(f"role: allowed is one of {', '.join(ROLES)}")
    is_list = isinstance(slugs, list) and 0 < len(slugs) <= MOST_SURVEYS
    if slugs is not None and not (is_list and all(isinstance(each, str) for each in slugs)):
        raise _refuse(
            f"surveys: allowed is null for all surveys, or a list of 1 to {MOST_SURVEYS} names"
        )
    try:
        return Role(role), check_surveys(slugs or ())
    except InvalidTokenSurvey as error:
        raise _refuse(f"surveys: {error}") from None


def _read_release(sent: Mapping[str, Any]) -> Release:
    count = sent["after_reports"]
    if count is not None and type(count) is not int:
        raise _refuse("after_reports: allowed is a whole number, or null for after the end")
    try:
        return check_release(count)
    except InvalidRelease as error:
        raise _refuse(f"after_reports: {error}") from None


def _refuse(reason: str) -> Refused:
    return Refused.because("invalid-colleague", f"Nothing was changed: {reason}.")
