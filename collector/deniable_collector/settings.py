"""What an operator can set, read from the environment and checked at start."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from deniable_collector.errors import InvalidSettings
from deniable_sdk.errors import quote

OWNER_TOKEN = "DENIABLE_OWNER_TOKEN"  # noqa: S105  the variable's name, not a token
ANALYST_TOKEN = "DENIABLE_ANALYST_TOKEN"  # noqa: S105  the variable's name, not a token
MAX_BODY_BYTES = "DENIABLE_MAX_BODY_BYTES"
MAX_BATCH_REPORTS = "DENIABLE_MAX_BATCH_REPORTS"
MAX_WAITING_REPORTS = "DENIABLE_MAX_WAITING_REPORTS"

_MIN_TOKEN_LENGTH = 16
_BODY_RANGE = (1 << 10, 1 << 28)
_BATCH_RANGE = (1, 1_000_000)
_WAITING_RANGE = (1, 10_000_000)


@dataclass(frozen=True, slots=True)
class Settings:
    """The collector's settings; the defaults are right for a small survey.

    Args:
        owner_token: lets its bearer publish and close surveys over HTTP; with
            None nobody can, and the command line is the only way.
        analyst_token: lets its bearer read results over HTTP.
        max_body_bytes: the longest body a request may have.
        max_batch_reports: the most reports a JSON array may bring, and the
            most receipts that an answer has.
        max_waiting_reports: the most reports that may wait to be stored.
    """

    owner_token: str | None = field(default=None, repr=False)
    analyst_token: str | None = field(default=None, repr=False)
    max_body_bytes: int = 4 << 20
    max_batch_reports: int = 10_000
    max_waiting_reports: int = 20_000

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """The settings in the environment; what is unset or empty is default.

        Raises:
            InvalidSettings: names every variable that cannot be used.
        """
        problems: list[str] = []
        settings = cls(
            owner_token=_read_token(environment, OWNER_TOKEN, problems),
            analyst_token=_read_token(environment, ANALYST_TOKEN, problems),
            max_body_bytes=_read_integer(
                environment, MAX_BODY_BYTES, cls().max_body_bytes, _BODY_RANGE, problems
            ),
            max_batch_reports=_read_integer(
                environment, MAX_BATCH_REPORTS, cls().max_batch_reports, _BATCH_RANGE, problems
            ),
            max_waiting_reports=_read_integer(
                environment,
                MAX_WAITING_REPORTS,
                cls().max_waiting_reports,
                _WAITING_RANGE,
                problems,
            ),
        )
        if settings.owner_token and settings.owner_token == settings.analyst_token:
            problems.append(
                f"{OWNER_TOKEN} and {ANALYST_TOKEN} are the same; who may read results "
                "could close the survey; make two tokens"
            )
        if problems:
            raise InvalidSettings("\n".join(problems))
        return settings


def _read_token(environment: Mapping[str, str], name: str, problems: list[str]) -> str | None:
    token = environment.get(name, "")
    if not token:
        return None
    if len(token) < _MIN_TOKEN_LENGTH or not all("!" <= sign <= "~" for sign in token):
        problems.append(
            f"{name}: got {len(token)} characters; allowed are at least {_MIN_TOKEN_LENGTH} "
            "ASCII letters, digits and signs without spaces; make one with: openssl rand -hex 32"
        )
    return token


def _read_integer(
    environment: Mapping[str, str],
    name: str,
    default: int,
    allowed: tuple[int, int],
    problems: list[str],
) -> int:
    text = environment.get(name, "")
    if not text:
        return default
    lowest, highest = allowed
    # Twelve digits are more than any limit here and can always be read.
    if text.isascii() and text.isdigit() and len(text) <= 12 and lowest <= int(text) <= highest:
        return int(text)
    problems.append(
        f"{name}: got {quote(text)}; allowed is a whole number from {lowest} to {highest}; "
        f"leave it out for {default}"
    )
    return default
