"""The objects that routes use, and the token of the present request."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import current_app, g, has_request_context, request

from deniable_collector.addresses import is_loopback
from deniable_collector.errors import OpenToTheNetwork, Refused
from deniable_collector.intake import GroupCommit, Readers
from deniable_collector.margin_watch import MarginWatch
from deniable_collector.metrics import Metrics
from deniable_collector.problems import problem
from deniable_collector.settings import Settings
from deniable_collector.store import Counts, Intake, Registry
from deniable_collector.store.base import StoredSurvey, refusal_of
from deniable_collector.tokens import AccessToken, digest_of, is_session_token, is_token
from deniable_sdk.errors import quote
from deniable_storage.ends import Fieldwork

EXTENSION = "deniable_collector"


# The rights of the token with a digest; None if it is not known.
FindToken = Callable[[str], AccessToken | None]

UNKNOWN = problem(
    "unknown-survey",
    "No survey is published here under this name or digest; "
    "check the address, or ask whoever runs the survey.",
)


@dataclass(frozen=True, slots=True)
class Collaborators:
    """The objects that routes use.

    `find_session` knows the tokens of sessions; None if nobody can have a session.
    """

    registry: Registry
    intake: Intake
    counts: Counts
    settings: Settings
    commits: GroupCommit
    readers: Readers
    metrics: Metrics
    watch: MarginWatch | None = None
    find_session: FindToken | None = None

    def close(self) -> None:
        """Store all accepted reports, and stop looking at margins."""
        self.commits.close()
        if self.watch:
            self.watch.close()


# The key of a function that says whether a request's sender has closed the connection.
IS_GONE = "deniable_collector.is_gone"


def sender_is_gone() -> bool:
    """Whether nobody waits for the response to the current request any more.

    It is false if the server does not know, and outside a request.
    """
    environ = request.environ if has_request_context() else {}
    is_gone: Callable[[], bool] | None = environ.get(IS_GONE)
    return is_gone is not None and is_gone()


def collaborators() -> Collaborators:
    """The collaborators of the application that handles the current request."""
    found: Collaborators = current_app.extensions[EXTENSION]
    return found


def require_survey(stored: StoredSurvey | None) -> StoredSurvey:
    """The survey.

    Raises:
        Refused: there is no such survey.
    """
    if stored is None:
        raise Refused(UNKNOWN)
    return stored


def described(stored: StoredSurvey) -> dict[str, object]:
    """A survey as responses describe it; its state is "open", or why it accepts no new reports.

    The window is that of an extended survey.
    """
    state, fieldwork = state_of(stored)
    return {
        "slug": stored.survey.slug,
        "edition": stored.edition,
        "digest": stored.survey.digest,
        "is_closed": stored.is_closed,
        "state": state,
        **fieldwork.to_document(),
    }


def state_of(stored: StoredSurvey) -> tuple[str, Fieldwork]:
    """The name of a survey's present state, and the state of its fieldwork."""
    using = collaborators()
    now = using.commits.clock()
    fieldwork = using.counts.fieldwork(stored, now)
    refusal = refusal_of(stored, fieldwork, now)
    return refusal.name.lower() if refusal else "open", fieldwork


def sent_token() -> AccessToken | None:
    """The token in the request, with its present rights; None if it is not known."""
    if "sent_token" not in g:
        text = bearer()
        # The store is not asked about a text that cannot be a token.
        g.sent_token = _find(text) if is_token(text) else None
    remembered: AccessToken | None = g.sent_token
    return remembered


def bearer() -> str:
    """The secret in the request; empty if it carries none."""
    sent = request.authorization
    return (sent.token if sent and sent.type == "bearer" else None) or ""


def require_tokens(host: str, registry: Registry) -> None:
    """Raise OpenToTheNetwork if other machines can connect and no token exists."""
    if not is_loopback(host) and not registry.list_tokens():
        raise OpenToTheNetwork(
            f"got the host {quote(host)}, which other machines can reach, and a store without "
            "any token; make one with `deniable token make owner NAME`, or listen on 127.0.0.1"
        )


def _find(token: str) -> AccessToken | None:
    using = collaborators()
    if not is_session_token(token):
        return using.registry.find_token(digest_of(token))
    return using.find_session(digest_of(token)) if using.find_session else None
