"""Who may use each route, as is declared beside the route.

An application refuses all other requests before the route sees them, and a route without a
declaration refuses everybody.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from flask import Flask, request

from deniable_collector.access import UNKNOWN, collaborators, sent_token
from deniable_collector.errors import Refused, UndeclaredAccess
from deniable_collector.tokens import AccessToken, Role

View = TypeVar("View", bound=Callable[..., Any])
# The attribute of a view with its access.
_DECLARED = "deniable_access"

# The roles whose tokens open the routes of a role.
_OPENS = {
    Role.OWNER: (Role.OWNER,),
    Role.EDITOR: (Role.EDITOR, Role.OWNER),
    Role.ANALYST: (Role.ANALYST, Role.OWNER),
    Role.READER: (Role.READER, Role.ANALYST, Role.OWNER),
}
# What a refusal says if the store has no token that opens the routes of a role.
_NOT_CONFIGURED = {
    Role.OWNER: (
        "This collector has no owner's token, so nobody can publish or close surveys over HTTP; "
        "make one on its machine with `deniable token make owner NAME`, or use `deniable "
        "publish` and `deniable close` there."
    ),
    Role.EDITOR: (
        "This collector has no editor's token, so nobody can write surveys here; make one on its "
        "machine with `deniable token make editor NAME`, or write a file for `deniable publish`."
    ),
    Role.ANALYST: (
        "This collector has no analyst's token, so nobody can read results over HTTP; make one "
        "on its machine with `deniable token make analyst NAME`, or use `deniable results` there."
    ),
    Role.READER: (
        "This collector has no token that opens results; its owner can make a link to them, or "
        "a token on its machine with `deniable token make reader NAME --survey SLUG`."
    ),
}


class Scope(Enum):
    """Which surveys a token must be for to open a route."""

    PATH = "the survey in the path; any token's if there is none"
    BODY = "the survey in the body, which the route reads and checks"
    DRAFT = "the survey of the draft in the path, which the route checks"
    ALL = "all surveys"


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use a route.

    Args:
        roles: of the tokens that open it; empty if nobody needs a token.
        scope: the surveys that the token must be for.
        unless: returns whether the present request needs no token.
    """

    roles: frozenset[Role] = frozenset()
    scope: Scope = Scope.PATH
    unless: Callable[[], bool] | None = None


def open_to_everybody(view: View) -> View:
    """Declare that a route needs no token."""
    return _declare(view, Access())


def open_to(
    first: Role,
    *others: Role,
    scope: Scope = Scope.PATH,
    unless: Callable[[], bool] | None = None,
) -> Callable[[View], View]:
    """Declare that a route needs a token of one of these roles, or of one that may do the same."""
    opens = frozenset(role for each in (first, *others) for role in _OPENS[each])
    return lambda view: _declare(view, Access(opens, scope, unless))


def _declare(view: View, access: Access) -> View:
    vars(view)[_DECLARED] = access
    return view


def access_of(app: Flask, endpoint: str) -> Access:
    """Who may use a route, as it is declared beside the route.

    Raises:
        UndeclaredAccess: it is not declared.
    """
    declared = getattr(app.view_functions[endpoint], _DECLARED, None)
    if not isinstance(declared, Access):
        raise UndeclaredAccess(
            f"the route {endpoint} does not say who may use it; declare it with open_to or "
            "open_to_everybody"
        )
    return declared


def guard(app: Flask) -> None:
    """Let an application refuse each request that its route's declaration does not allow."""

    @app.before_request
    def check() -> None:
        # Flask itself answers OPTIONS, and paths without a route.
        if request.endpoint is not None and request.method != "OPTIONS":
            _require(access_of(app, request.endpoint))


def _require(access: Access) -> None:
    """Raise Refused unless the request has a token with this access.

    A slug in the path always names a survey. A token for other surveys gets the response that it
    would get if there were no such survey.
    """
    if not access.roles or (access.unless and access.unless()):
        return
    token = sent_token()
    if token is None or token.role not in access.roles:
        raise _refused(access)
    if access.scope is Scope.ALL and not token.is_for_all:
        detail = (
            "This is for tokens for all surveys, and this token is for some; ask an owner of all "
            "surveys."
        )
        raise Refused.because("token-refused", detail)
    slug = (request.view_args or {}).get("slug")
    if slug is not None and not token.is_for(slug):
        raise Refused(UNKNOWN)


def _refused(access: Access) -> Refused:
    """The refusal of a request without a token of the right role."""
    least = next(role for role in reversed(Role) if role in access.roles)
    if all(known.role not in access.roles for known in collaborators().registry.list_tokens()):
        return Refused.because("token-not-configured", _NOT_CONFIGURED[least])
    which = f"{least}'s token{' for all surveys' if access.scope is Scope.ALL else ''}"
    detail = f"Send the {which} in the header Authorization: Bearer, never in an address."
    return Refused.because("token-refused", detail)


def require_survey_of_token(slug: str) -> None:
    """Refuse the request unless its token is for the survey of this slug, which its body names.

    Raises:
        Refused: it is not; the refusal does not reveal whether the survey exists.
    """
    if not present_token().is_for(slug):
        raise Refused.because(
            "survey-not-allowed",
            "This token is for some surveys only, and none of them has this name; choose the "
            "name of one of them, or ask whoever runs the collector for another token.",
        )


def present_token() -> AccessToken:
    """The token that opened the route of the present request."""
    token = sent_token()
    if token is None:
        raise UndeclaredAccess("the route uses a token, and is open to everybody")
    return token
