"""An operator's settings, read from the environment and checked at start."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from deniable_collector import logs
from deniable_collector.errors import InvalidSettings
from deniable_sdk.errors import quote

MAX_BODY_BYTES = "DENIABLE_MAX_BODY_BYTES"
MAX_BATCH_REPORTS = "DENIABLE_MAX_BATCH_REPORTS"
MAX_WAITING_REPORTS = "DENIABLE_MAX_WAITING_REPORTS"
RATE_LIMIT = "DENIABLE_RATE_LIMIT"
PROXIES = "DENIABLE_PROXIES"
LOG = "DENIABLE_LOG"
FRAME_ANCESTORS = "DENIABLE_FRAME_ANCESTORS"

# The allowed values of a policy's frame-ancestors: everyone, nobody, this site, or some sites.
_FRAMING = re.compile(
    r"\*|'none'|('self'|https?://[\w*.:\[\]-]+)( ('self'|https?://[\w*.:\[\]-]+))*"
)

# Each variable, its setting, and the allowed numbers.
_ALLOWED = {
    MAX_BODY_BYTES: ("max_body_bytes", 1 << 10, 1 << 28),
    MAX_BATCH_REPORTS: ("max_batch_reports", 1, 1_000_000),
    MAX_WAITING_REPORTS: ("max_waiting_reports", 1, 10_000_000),
    RATE_LIMIT: ("rate_limit", 0, 1_000_000),
    PROXIES: ("proxies", 0, 16),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The collector's settings; the defaults are right for a small survey.

    Args:
        max_body_bytes: the longest body that a request may have.
        max_batch_reports: the most reports in a JSON array, and the most receipts in a
            response.
        max_waiting_reports: the most reports that may wait to be stored.
        rate_limit: how many requests per minute one address may send to each worker; 0 for
            any number.
        proxies: how many reverse proxies are in front of the collector, each of which
            appends the address it sees to X-Forwarded-For; with 0 that header is ignored.
        log: how events are logged: json, text, or auto, which is text on a
            terminal and json elsewhere.
        frame_ancestors: the sites whose pages may show a form in a frame, in the syntax of
            Content-Security-Policy.
    """

    max_body_bytes: int = 4 << 20
    max_batch_reports: int = 10_000
    max_waiting_reports: int = 20_000
    rate_limit: int = 600
    proxies: int = 0
    log: str = logs.AUTO
    frame_ancestors: str = "*"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """The settings in the environment; unset or empty variables have their defaults.

        Raises:
            InvalidSettings: a variable cannot be used; the message names all such variables.
        """
        default = cls()
        problems: list[str] = []
        values = {
            name: _read_integer(
                environment, variable, getattr(default, name), (lowest, highest), problems
            )
            for variable, (name, lowest, highest) in _ALLOWED.items()
        }
        log = environment.get(LOG) or default.log
        if log not in logs.STYLES:
            problems.append(
                f"{LOG}: got {quote(log)}; allowed is auto, json or text; leave it out for auto"
            )
        framing = environment.get(FRAME_ANCESTORS) or default.frame_ancestors
        if not _FRAMING.fullmatch(framing):
            problems.append(
                f"{FRAME_ANCESTORS}: got {quote(framing)}; allowed is *, 'none', or addresses "
                "like https://example.org, separated by spaces; leave it out for *"
            )
        if problems:
            raise InvalidSettings("\n".join(problems))
        return cls(**values, log=log, frame_ancestors=framing)


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
    # Twelve digits exceed every limit here, and int() can always read them.
    if text.isascii() and text.isdigit() and len(text) <= 12 and lowest <= int(text) <= highest:
        return int(text)
    problems.append(
        f"{name}: got {quote(text)}; allowed is a whole number from {lowest} to {highest}; "
        f"leave it out for {default}"
    )
    return default
