"""The location of a store, and the form that may be shown: without the URL's password."""

import re
from pathlib import Path

SQLITE = "sqlite:///"

_POSTGRES = re.compile(r"(?i:postgres(?:ql)?):")
_URL = re.compile(r"(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]*)://")
# Shows only parts that are certainly no password: an unescaped character could end the
# password early.
_SHOWN = re.compile(
    r"(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]*://)(?:(?P<user>[^:@/?#]*)(?::[^@/?#]*)?@)?"
    r"(?P<rest>[^@/?#]*(?:/[^@/?#]*)?)(?:\?[^@]*)?"
)


def is_postgres(location: str | Path) -> bool:
    """Whether a location is the URL of a PostgreSQL database."""
    return isinstance(location, str) and bool(_POSTGRES.match(location))


def scheme_of(location: str | Path) -> str:
    """The scheme of a URL in lower case; empty for a path."""
    if is_postgres(location):
        return "postgresql"
    found = _URL.match(location) if isinstance(location, str) else None
    return found["scheme"].lower() if found else ""


def sqlite_path(location: str) -> Path:
    """The path of an SQLite store, from a path or sqlite:/// and a path."""
    return Path(location.removeprefix(SQLITE))


def shown(location: str | Path) -> str:
    """The location for people and logs: a URL without its password and options."""
    text, scheme = str(location), scheme_of(location)
    if scheme in ("", "sqlite"):
        return text
    found = _SHOWN.fullmatch(text)
    if found is None:
        return f"{scheme}://..."
    user = f"{found['user']}@" if found["user"] else ""
    return f"{found['scheme']}{user}{found['rest']}"
