"""What a provider knows of a client: what is common to all who send people there to sign in."""

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Protocol
from urllib.parse import urlsplit

from deniable_collector.addresses import is_loopback
from deniable_collector.errors import PackageMissing
from deniable_sdk.addresses import InvalidAddress, read_address
from deniable_sdk.errors import quote
from deniable_sdk.survey.reading import Section

CLIENT_KEYS = ("provider", "client_id", "client_secret_variable", "scopes")

_PROVIDER_RULE = "an address like https://login.example.org, exactly as the provider writes it"
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,99}", re.ASCII)
_VARIABLE_RULE = "the name of an environment variable in capitals, not the secret itself"
_WORD = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,200}", re.ASCII)
_WORD_RULE = "up to 200 letters, digits and signs without blanks and quotes"
_MOST_SCOPES = 20


class ProviderClient(Protocol):
    """A client of a provider.

    `provider` is the provider's own name, an https address; `client_secret` is None for a
    public client; `callback` is where the provider sends people back to; `claims` are the
    names of all claims that are read.
    """

    @property
    def provider(self) -> str: ...
    @property
    def client_id(self) -> str: ...
    @property
    def client_secret(self) -> str | None: ...
    @property
    def scopes(self) -> Sequence[str]: ...
    @property
    def callback(self) -> str: ...
    @property
    def claims(self) -> Sequence[str]: ...


def require_authlib() -> None:
    """Raise PackageMissing unless what reads a provider's messages is installed."""
    if find_spec("authlib") is None or find_spec("requests") is None:
        raise PackageMissing(
            "signing in needs the packages Authlib and requests, which are not installed; "
            "run: pip install 'deniable[web,issuer,sign-in]'",
            name="authlib",
        )


def read_client(
    section: Section, environment: Mapping[str, str]
) -> tuple[str, str, str | None, Sequence[str]]:
    """The provider, the id, the secret and the scopes of a client; problems are in the section."""
    provider = read_safe_address(section, "provider", _PROVIDER_RULE)
    client_id = section.identifier("client_id", _WORD, _WORD_RULE)
    secret = _read_secret(section, environment)
    return provider, client_id, secret, ("openid", *_read_scopes(section))


def read_safe_address(section: Section, key: str, rule: str) -> str:
    """An address as it is written: a slash at the end belongs to a provider's name."""
    value = section.require(key, rule)
    if isinstance(value, str) and is_safe(value):
        return value
    if key in section:
        # It may contain a password.
        section.refuse(f"this is no such address; allowed is {rule}", key)
    return ""


def is_safe(address: str) -> bool:
    """Whether nobody on the way can read what is sent to an address."""
    try:
        parts = urlsplit(read_address(address))
    except InvalidAddress:
        return False
    return parts.scheme == "https" or is_loopback(parts.hostname or "")


def read_optional_word(section: Section, key: str) -> str | None:
    """The word under a key; None if it is left out."""
    return section.identifier(key, _WORD, _WORD_RULE) if key in section else None


def _read_secret(section: Section, environment: Mapping[str, str]) -> str | None:
    key = "client_secret_variable"
    if key not in section:
        return None
    name = section.values[key]
    # What does not fit may be the secret itself.
    if not (isinstance(name, str) and _VARIABLE.fullmatch(name)):
        section.refuse(f"allowed is {_VARIABLE_RULE}", key)
        return None
    if not environment.get(name):
        section.refuse(f"the environment variable {name} is not set; set it to the secret", key)
    return environment.get(name)


def _read_scopes(section: Section) -> Iterator[str]:
    if "scopes" not in section:
        return
    for value in section.members("scopes", 1, _MOST_SCOPES, "scopes"):
        if isinstance(value, str) and _WORD.fullmatch(value):
            yield value
        else:
            section.refuse(f"got {quote(value)}; allowed is {_WORD_RULE}", "scopes")
