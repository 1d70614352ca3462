"""An operator's settings, read from the environment and checked at start."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deniable_collector import logs
from deniable_collector.errors import CryptographyMissing, DamagedKey, InvalidSettings
from deniable_collector.signing import SigningKey, read_key_file
from deniable_sdk.addresses import InvalidAddress, read_address
from deniable_sdk.errors import quote
from deniable_sdk.survey import reading

MAX_BODY_BYTES = "DENIABLE_MAX_BODY_BYTES"
MAX_BATCH_REPORTS = "DENIABLE_MAX_BATCH_REPORTS"
MAX_WAITING_REPORTS = "DENIABLE_MAX_WAITING_REPORTS"
RATE_LIMIT = "DENIABLE_RATE_LIMIT"
PROXIES = "DENIABLE_PROXIES"
LOG = "DENIABLE_LOG"
LOG_KEY = "DENIABLE_LOG_KEY"
FRAME_ANCESTORS = "DENIABLE_FRAME_ANCESTORS"
ADDRESS = "DENIABLE_ADDRESS"
SITE = "DENIABLE_SITE"

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
        log_key: signs the head of the public log of surveys; None if nobody signs it.
        frame_ancestors: the sites whose pages may show a form in a frame, in the syntax of
            Content-Security-Policy.
        address: where devices reach the collector, as in their browsers; empty if the
            operator has not said so.
        site: the name of the collector's site; reports of groups of other sites are refused.
            Empty if it refuses none.
    """

    max_body_bytes: int = 4 << 20
    max_batch_reports: int = 10_000
    max_waiting_reports: int = 20_000
    rate_limit: int = 600
    proxies: int = 0
    log: str = logs.AUTO
    log_key: SigningKey | None = None
    frame_ancestors: str = "*"
    address: str = ""
    site: str = ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """The settings in the environment; unset or empty variables have their defaults.

        Raises:
            InvalidSettings: a variable cannot be used; the message names all such variables.
        """
        default = cls()
        problems: list[str] = []
        numbers = _read_numbers(environment, default, problems)
        log = environment.get(LOG) or default.log
        if log not in logs.STYLES:
            problems.append(
                f"{LOG}: got {quote(log)}; allowed is auto, json or text; leave it out for auto"
            )
        log_key = _read_log_key(environment, problems)
        framing = environment.get(FRAME_ANCESTORS) or default.frame_ancestors
        if not _FRAMING.fullmatch(framing):
            problems.append(
                f"{FRAME_ANCESTORS}: got {quote(framing)}; allowed is *, 'none', or addresses "
                "like https://example.org, separated by spaces; leave it out for *"
            )
        address = _read_address(environment, problems)
        site = _read_site(environment, problems)
        if problems:
            raise InvalidSettings("\n".join(problems))
        return cls(
            **numbers,
            log=log,
            log_key=log_key,
            frame_ancestors=framing,
            address=address,
            site=site,
        )


def _read_log_key(environment: Mapping[str, str], problems: list[str]) -> SigningKey | None:
    path = environment.get(LOG_KEY)
    if not path:
        return None
    try:
        return read_key_file(Path(path))
    except OSError as error:
        reason = (
            f"{quote(path)} cannot be read ({error.strerror}); make a key with: deniable log key "
            "FILE; leave it out for a log that nobody signs"
        )
    except (CryptographyMissing, DamagedKey) as error:
        reason = str(error)
    problems.append(f"{LOG_KEY}: {reason}")
    return None


def _read_address(environment: Mapping[str, str], problems: list[str]) -> str:
    address = environment.get(ADDRESS, "")
    try:
        return read_address(address) if address else ""
    except InvalidAddress as error:
        problems.append(f"{ADDRESS}: {error}; leave it out if nobody needs a form in one file")
        return ""


def _read_site(environment: Mapping[str, str], problems: list[str]) -> str:
    site = environment.get(SITE, "")
    if site and not reading.ID_PATTERN.fullmatch(site):
        problems.append(
            f"{SITE}: got {quote(site)}; allowed is {reading.ID_RULE}, as the survey names it; "
            "leave it out if the survey has one collector"
        )
    return site


def _read_numbers(
    environment: Mapping[str, str], default: Settings, problems: list[str]
) -> dict[str, int]:
    """The settings that are numbers; those that are left out are missing."""
    numbers = {}
    for variable, (name, lowest, highest) in _ALLOWED.items():
        text = environment.get(variable, "")
        # Twelve digits exceed every limit here, and int() can always read them.
        is_number = text.isascii() and text.isdigit() and len(text) <= 12
        if is_number and lowest <= int(text) <= highest:
            numbers[name] = int(text)
        elif text:
            problems.append(
                f"{variable}: got {quote(text)}; allowed is a whole number from {lowest} to "
                f"{highest}; leave it out for {getattr(default, name)}"
            )
    return numbers
