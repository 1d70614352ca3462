"""The audit trail: who changed what on which day, never what a respondent did."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from deniable_collector.clock import Clock
from deniable_collector.tokens import AccessToken
from deniable_web.workplace import Workplace

MOST_SHOWN: Final = 500
# How many surveys of somebody an entry names.
_MOST_NAMED: Final = 20


class Act(StrEnum):
    """What somebody did."""

    PUBLISHED = "published"
    CLOSED = "closed"
    EXTENDED = "extended"
    PURGED = "purged"
    DRAFT_REMOVED = "draft removed"
    TOKEN_MADE = "token made"  # noqa: S105  not a token
    TOKEN_REPLACED = "token replaced"  # noqa: S105  not a token
    TOKEN_REVOKED = "token revoked"  # noqa: S105  not a token
    ROLE_CHANGED = "role changed"
    SIGNED_OUT = "signed out everywhere"


# The routes that change something, and the status with which they have done so.
CHANGES: Final[Mapping[str, tuple[Act, int]]] = {
    "collector.publish": (Act.PUBLISHED, 201),
    "build.publish_survey": (Act.PUBLISHED, 201),
    "collector.close": (Act.CLOSED, 200),
    "collector.extend": (Act.EXTENDED, 200),
    "drafts.remove": (Act.DRAFT_REMOVED, 204),
    "accounts.end_all": (Act.SIGNED_OUT, 204),
    "accounts.add_colleague": (Act.TOKEN_MADE, 201),
    "accounts.add_reader": (Act.TOKEN_MADE, 201),
    "accounts.change_colleague": (Act.ROLE_CHANGED, 200),
    "accounts.replace_secret": (Act.TOKEN_REPLACED, 200),
    "accounts.remove_colleague": (Act.TOKEN_REVOKED, 204),
    "accounts.sign_out_colleague": (Act.SIGNED_OUT, 204),
}


@dataclass(frozen=True, slots=True)
class TrailEntry:
    """One act.

    Args:
        day: on which it was done, in UTC, like 2026-05-01.
        who: the name of a token or an account, or a user of the machine.
        what: what was done.
        about: the survey, or the name of the token or account, with the rights it got if it
            got some; empty if it is the name of `who`.
    """

    day: str
    who: str
    what: Act
    about: str


class Trail:
    """The audit trail in a workplace; the file refuses to change or remove an entry."""

    def __init__(self, workplace: Workplace, clock: Clock) -> None:
        self._workplace = workplace
        self._clock = clock

    def record(self, who: str, what: Act, about: str = "") -> None:
        """Add an entry of today."""
        day = self._clock().date().isoformat()
        with self._workplace.writing() as connection:
            connection.execute(
                "INSERT INTO trail (day, who, what, about) VALUES (?, ?, ?, ?)",
                (day, who, what.value, about),
            )

    def entries(
        self, is_shown: Callable[[TrailEntry], bool] = lambda _: True, most: int | None = None
    ) -> Sequence[TrailEntry]:
        """The entries, the newest first."""
        rows = self._workplace.rows("SELECT day, who, what, about FROM trail ORDER BY number DESC")
        found = [TrailEntry(day, who, Act(what), about) for day, who, what, about in rows]
        return [entry for entry in found if is_shown(entry)][:most]


def with_rights(got: AccessToken) -> str:
    """A token or account, its role, and its surveys if it is not for all: `ben (editor: ward)`."""
    surveys = sorted(got.surveys or ())
    named = ", ".join(surveys[:_MOST_NAMED]) + (", …" if len(surveys) > _MOST_NAMED else "")
    return f"{got.name} ({got.role.value}{': ' if named else ''}{named})"


# A name may be that of a survey, too.
_ABOUT_PEOPLE: Final = (
    Act.TOKEN_MADE,
    Act.TOKEN_REPLACED,
    Act.TOKEN_REVOKED,
    Act.ROLE_CHANGED,
    Act.SIGNED_OUT,
)


def is_shown_to(token: AccessToken, entry: TrailEntry) -> bool:
    """Whether an owner sees an entry: an owner of some surveys sees theirs, and own acts."""
    is_theirs = entry.what not in _ABOUT_PEOPLE and token.is_for(entry.about)
    return token.is_for_all or is_theirs or entry.who == token.name
