"""Tokens: random secrets that open the routes of one role, for all surveys or some.

A store keeps a token's SHA-256 and never the token. A slow or salted hash would add
nothing: such hashes protect secrets that people choose, and nobody can guess 256 random
bits even from their hash. A token is looked up by its hash, so the time of the look-up
reveals nothing about any token either.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from deniable_collector.errors import InvalidRelease, InvalidTokenName, InvalidTokenSurvey
from deniable_sdk.errors import quote
from deniable_sdk.survey.reading import SLUG_PATTERN, SLUG_RULE
from deniable_sdk.survey.text import INVISIBLE
from deniable_sdk.survey.window import MAX_REPORTS
from deniable_sdk.tokens import base64url
from deniable_storage.ends import Fieldwork

TOKEN_BYTES = 32
LONGEST_NAME = 64
# With fewer reports, each of them is hidden among too few others.
FEWEST_REPORTS = 20
DEFAULT_REPORTS = 100

_PREFIX = "deniable_"
_SESSION = "session"
_KINDS = f"owner|editor|analyst|reader|{_SESSION}"
_TOKEN = re.compile(rf"{_PREFIX}(?:{_KINDS})_[A-Za-z0-9_-]{{43}}", re.ASCII)
# What may stand in a name beside letters, marks and digits.
_SIGNS = frozenset(" ._@-\u2010'\u2019&,+\u00b7\u30fb")
# They show nothing, and some scripts cannot be written without them.
_JOINERS = "\u200c\u200d"
NAME_RULE = (
    f"at most {LONGEST_NAME} letters of any script, digits, blanks and . _ @ - ' & , + \u00b7, "
    "the first a letter or digit"
)


class Role(StrEnum):
    """Which routes a token opens: an owner's also all others, an analyst's also a reader's."""

    OWNER = "owner"
    EDITOR = "editor"
    ANALYST = "analyst"
    READER = "reader"


@dataclass(frozen=True, slots=True)
class Release:
    """From when on a reader sees the results of an edition.

    Args:
        after_reports: with how many reports; None if only once the edition has ended.
    """

    after_reports: int | None = None

    @property
    def least(self) -> int:
        """The fewest reports of each part of the results that is shown."""
        return self.after_reports or FEWEST_REPORTS

    def has_come(self, fieldwork: Fieldwork, count: Callable[[], int]) -> bool:
        """Whether the results are shown.

        Args:
            fieldwork: the state of the edition's fieldwork.
            count: the number of its reports; called only if that decides.
        """
        if self.after_reports is None:
            return fieldwork.end is not None
        return count() >= self.after_reports


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token as a store knows it.

    Args:
        name: the operator's name for it.
        role: the role whose routes it opens.
        surveys: the slugs of its surveys, with all editions of each, published or not yet;
            None for all surveys. A reader's token is for one survey.
        release: from when on a reader sees results; None for other roles.
    """

    name: str
    role: Role
    surveys: frozenset[str] | None = None
    release: Release | None = None

    @property
    def is_for_all(self) -> bool:
        """Whether it opens its role's routes for all surveys; a reader's never does."""
        return self.surveys is None and self.role is not Role.READER

    def is_for(self, slug: str) -> bool:
        """Whether it opens its role's routes for the survey of this slug."""
        return self.is_for_all or slug in (self.surveys or ())


def make_token(role: Role) -> str:
    """A new random token for a role."""
    return f"{_PREFIX}{role}_{draw_secret()}"


def make_session_token() -> str:
    """A new random token for a session: it opens what the session's account may do."""
    return f"{_PREFIX}{_SESSION}_{draw_secret()}"


def draw_secret() -> str:
    """256 random bits in 43 characters."""
    return base64url(os.urandom(TOKEN_BYTES))


def digest_of(token: str) -> str:
    """The digest that identifies a token in a store: 64 hex digits."""
    return sha256(token.encode()).hexdigest()


def is_token(text: str) -> bool:
    """Whether a text could be a token at all."""
    return _TOKEN.fullmatch(text) is not None


def is_session_token(token: str) -> bool:
    """Whether a token belongs to a session, and no store of surveys knows it."""
    return token.startswith(f"{_PREFIX}{_SESSION}_")


def check_name(name: str) -> str:
    """The name in the one form that a store has, however it was encoded or spaced.

    Raises:
        InvalidTokenName: the name is not allowed; no token is repeated.
    """
    found = " ".join(filter(None, unicodedata.normalize("NFKC", name).split(" ")))
    if found.startswith(_PREFIX):
        raise InvalidTokenName(
            f"got a name that begins with {_PREFIX}, as tokens do; give the name of a token, "
            "never the token"
        )
    if not (0 < len(found) <= LONGEST_NAME and found[0].isalnum() and _is_written(found)):
        raise InvalidTokenName(f"got the name {quote(name)}; allowed are {NAME_RULE}")
    return found


def _is_written(name: str) -> bool:
    """Whether a name consists of what people write, each part of which can be seen."""
    around = zip(f" {name}", name, f"{name[1:]} ", strict=False)
    return not INVISIBLE.search(name) and all(
        each in _SIGNS
        or unicodedata.category(each)[0] in "LMN"
        or (each in _JOINERS and _is_joined(before) and _is_joined(after))
        for before, each, after in around
    )


def _is_joined(character: str) -> bool:
    return not character.isascii() and unicodedata.category(character)[0] in "LM"


def check_surveys(slugs: Iterable[str]) -> frozenset[str] | None:
    """The slugs of a token's surveys; None, which means all surveys, if no slug is given.

    Raises:
        InvalidTokenSurvey: one of them is not a survey's short name.
    """
    for slug in slugs:
        if not SLUG_PATTERN.fullmatch(slug):
            raise InvalidTokenSurvey(
                f"got the survey {quote(slug)}; allowed is the name of a survey as in its "
                f"address: {SLUG_RULE}"
            )
    return frozenset(slugs) or None


def check_release(after_reports: int | None) -> Release:
    """The release after a number of reports; None stands for the end of the edition.

    Raises:
        InvalidRelease: the number is too small to hide a report, or too large.
    """
    if after_reports is not None and not FEWEST_REPORTS <= after_reports <= MAX_REPORTS:
        raise InvalidRelease(
            f"got {after_reports} reports; allowed are {FEWEST_REPORTS} to {MAX_REPORTS:,}: among "
            "fewer a report is hardly hidden"
        )
    return Release(after_reports)
