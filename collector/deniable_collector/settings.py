"""An operator's settings, read from the environment and checked at start."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from deniable_collector import logs
from deniable_collector.errors import DamagedKey, InvalidSettings, PackageMissing
from deniable_collector.signing import SigningKey, read_key_file
from deniable_sdk.addresses import InvalidAddress, read_address
from deniable_sdk.errors import quote
from deniable_sdk.randomness import system_bytes
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
BACKUPS = "DENIABLE_BACKUPS"


_STARTED_BYTES = 16


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
        backups: the folder of the store's backups, whose age operators watch; empty if the
            operator has not said so.
        started: random, so that two addresses of one running collector say the same. It is
            drawn once, and passed on to all workers.
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
    backups: str = ""
    started: str = field(
        default_factory=lambda: system_bytes(_STARTED_BYTES).hex(), compare=False, repr=False
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """The settings in the environment; unset or empty variables have their defaults.

        Raises:
            InvalidSettings: a variable cannot be used; the message names all such variables.
        """
        default = cls()
        values: dict[str, Any] = {}
        problems: list[str] = []
        for variable, (name, read) in _READERS.items():
            text = environment.get(variable)
            try:
                if text:
                    values[name] = read(text, getattr(default, name))
            except InvalidSettings as error:
                problems.append(f"{variable}: {error}")
        if problems:
            raise InvalidSettings("\n".join(problems))
        return replace(default, **values)


def _read_number(lowest: int, highest: int, text: str, default: int) -> int:
    # Twelve digits exceed every limit here, and int() can always read them.
    if text.isascii() and text.isdigit() and len(text) <= 12 and lowest <= int(text) <= highest:
        return int(text)
    raise InvalidSettings(
        f"got {quote(text)}; allowed is a whole number from {lowest} to {highest}; leave it out "
        f"for {default}"
    )


def _read_text(form: re.Pattern[str], rule: str, text: str, _: str) -> str:
    if form.fullmatch(text):
        return text
    raise InvalidSettings(f"got {quote(text)}; allowed is {rule}")


def _read_log_key(path: str, _: None) -> SigningKey:
    try:
        return read_key_file(Path(path))
    except OSError as error:
        raise InvalidSettings(
            f"{quote(path)} cannot be read ({error.strerror}); make a key with: deniable log key "
            "FILE; leave it out for a log that nobody signs"
        ) from None
    except (PackageMissing, DamagedKey) as error:
        raise InvalidSettings(str(error)) from None


def _read_address(text: str, _: str) -> str:
    try:
        return read_address(text)
    except InvalidAddress as error:
        raise InvalidSettings(
            f"{error}; leave it out if nobody needs a form in one file"
        ) from None


_STYLES = re.compile("|".join(logs.STYLES))
_STYLES_RULE = f"auto, json or text; leave it out for {logs.AUTO}"
# The allowed values of a policy's frame-ancestors: everyone, nobody, this site, or some sites.
_FRAMING = re.compile(
    r"\*|'none'|('self'|https?://[\w*.:\[\]-]+)( ('self'|https?://[\w*.:\[\]-]+))*"
)
_FRAMING_RULE = (
    "*, 'none', or addresses like https://example.org, separated by spaces; leave it out for *"
)
_SITE_RULE = (
    f"{reading.ID_RULE}, as the survey names it; leave it out if the survey has one collector"
)
# Commands and services start in different folders.
_FOLDER = re.compile("/.+")
_FOLDER_RULE = (
    "a folder from the root on, like /var/backups/deniable; leave it out if there is none"
)
# For each variable its setting, and what reads it, given the setting's default.
_READERS: Mapping[str, tuple[str, Callable[..., Any]]] = {
    MAX_BODY_BYTES: ("max_body_bytes", partial(_read_number, 1 << 10, 1 << 28)),
    MAX_BATCH_REPORTS: ("max_batch_reports", partial(_read_number, 1, 1_000_000)),
    MAX_WAITING_REPORTS: ("max_waiting_reports", partial(_read_number, 1, 10_000_000)),
    RATE_LIMIT: ("rate_limit", partial(_read_number, 0, 1_000_000)),
    PROXIES: ("proxies", partial(_read_number, 0, 16)),
    LOG: ("log", partial(_read_text, _STYLES, _STYLES_RULE)),
    LOG_KEY: ("log_key", _read_log_key),
    FRAME_ANCESTORS: ("frame_ancestors", partial(_read_text, _FRAMING, _FRAMING_RULE)),
    ADDRESS: ("address", _read_address),
    SITE: ("site", partial(_read_text, reading.ID_PATTERN, _SITE_RULE)),
    BACKUPS: ("backups", partial(_read_text, _FOLDER, _FOLDER_RULE)),
}
