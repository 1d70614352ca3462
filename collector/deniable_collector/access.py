"""What the routes work with, and who may use them."""

import hmac
from dataclasses import dataclass

from flask import current_app, request

from deniable_collector.errors import Refused
from deniable_collector.intake import GroupCommit, Readers
from deniable_collector.problems import problem
from deniable_collector.settings import ANALYST_TOKEN, OWNER_TOKEN, Settings
from deniable_collector.store.base import Store, StoredSurvey

EXTENSION = "deniable_collector"


@dataclass(frozen=True, slots=True)
class Collaborators:
    """What the routes work with."""

    store: Store
    settings: Settings
    commits: GroupCommit
    readers: Readers


def collaborators() -> Collaborators:
    """The store and the settings of the application that answers."""
    found: Collaborators = current_app.extensions[EXTENSION]
    return found


def require_survey(stored: StoredSurvey | None) -> StoredSurvey:
    """The survey.

    Raises:
        Refused: there is none.
    """
    if stored is None:
        raise Refused(
            problem(
                "unknown-survey",
                "No survey is published here under this name or digest; "
                "check the address, or ask whoever runs the survey.",
            )
        )
    return stored


def require_owner() -> None:
    """Nothing, if the request carries the owner's token.

    Raises:
        Refused: it does not.
    """
    _require(
        collaborators().settings.owner_token,
        f"This collector was started without {OWNER_TOKEN}, so nobody can publish or "
        "close surveys over HTTP; use `deniable publish` or `deniable close` beside it.",
        "Send the owner's token in the header Authorization: Bearer, never in an address.",
    )


def require_analyst() -> None:
    """Nothing, if the request carries the analyst's token.

    Raises:
        Refused: it does not.
    """
    _require(
        collaborators().settings.analyst_token,
        f"This collector was started without {ANALYST_TOKEN}, so nobody can read results "
        "over HTTP; use `deniable results` beside it, or start it with a token.",
        "Send the analyst's token in the header Authorization: Bearer, never in an address.",
    )


def _require(expected: str | None, not_configured: str, refused: str) -> None:
    if expected is None:
        raise Refused(problem("token-not-configured", not_configured))
    authorization = request.authorization
    given = authorization.token if authorization and authorization.type == "bearer" else None
    if given is None or not hmac.compare_digest(_octets(given), _octets(expected)):
        raise Refused(problem("token-refused", refused))


def _octets(token: str) -> bytes:
    return token.encode("utf-8", "replace")
