"""What the routes work with, and who may use them."""

from dataclasses import dataclass

from flask import current_app, g, request

from deniable_collector.addresses import is_loopback
from deniable_collector.errors import OpenToTheNetwork, Refused
from deniable_collector.intake import GroupCommit, Readers
from deniable_collector.metrics import Metrics
from deniable_collector.problems import problem
from deniable_collector.settings import Settings
from deniable_collector.store.base import Store, StoredSurvey
from deniable_collector.tokens import Role, Token, digest_of, is_token
from deniable_sdk.errors import quote

EXTENSION = "deniable_collector"


@dataclass(frozen=True, slots=True)
class Collaborators:
    """What the routes work with."""

    store: Store
    settings: Settings
    commits: GroupCommit
    readers: Readers
    metrics: Metrics


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
    """Nothing, if the request carries an owner's token.

    Raises:
        Refused: it does not.
    """
    _require(
        Role.OWNER,
        "This collector has no owner's token, so nobody can publish or close surveys over HTTP; "
        "make one beside it with `deniable token make owner NAME`, or use `deniable publish` "
        "and `deniable close` there.",
    )


def require_analyst() -> None:
    """Nothing, if the request carries an analyst's token, or an owner's.

    Raises:
        Refused: it does not.
    """
    _require(
        Role.ANALYST,
        "This collector has no analyst's token, so nobody can read results over HTTP; make one "
        "beside it with `deniable token make analyst NAME`, or use `deniable results` there.",
    )


def sent_token() -> Token | None:
    """The token that came with the request, as the store knows it now."""
    if "sent_token" not in g:
        authorization = request.authorization
        text = authorization.token if authorization and authorization.type == "bearer" else None
        # What cannot be a token is not worth asking the store.
        digest = digest_of(text) if text and is_token(text) else None
        g.sent_token = collaborators().store.find_token(digest) if digest else None
    remembered: Token | None = g.sent_token
    return remembered


def require_tokens(host: str, store: Store) -> None:
    """Nothing, if whoever can reach this address may do so.

    Raises:
        OpenToTheNetwork: other machines can, and the store has no token.
    """
    if not is_loopback(host) and not store.list_tokens():
        raise OpenToTheNetwork(
            f"got the host {quote(host)}, which other machines can reach, and a store without "
            "any token; make one with `deniable token make owner NAME`, or listen on 127.0.0.1"
        )


def _require(role: Role, not_configured: str) -> None:
    token = sent_token()
    opens = (role, Role.OWNER)
    if token is not None and token.role in opens:
        return
    if all(known.role not in opens for known in collaborators().store.list_tokens()):
        raise Refused(problem("token-not-configured", not_configured))
    raise Refused(
        problem(
            "token-refused",
            f"Send the {role}'s token in the header Authorization: Bearer, never in an address.",
        )
    )
