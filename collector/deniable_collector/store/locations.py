"""Where a store is, as it may be shown: without the password of its URL."""

import re
from pathlib import Path

_POSTGRES = re.compile(r"(?i:postgres(?:ql)?):")
# Only what is certainly no password: a raw sign in one could end it early.
_SHOWN = re.compile(
    r"(?P<scheme>[a-zA-Z]+://)(?:(?P<user>[^:@/?#]*)(?::[^@/?#]*)?@)?"
    r"(?P<rest>[^@/?#]*(?:/[^@/?#]*)?)(?:\?[^@]*)?"
)


def is_postgres(location: str | Path) -> bool:
    """Whether a location is the URL of a PostgreSQL database."""
    return isinstance(location, str) and bool(_POSTGRES.match(location))


def shown(location: str | Path) -> str:
    """The location for people and logs: a URL loses its password and options."""
    text = str(location)
    if not is_postgres(location):
        return text
    found = _SHOWN.fullmatch(text)
    if found is None:
        return "postgresql://..."
    user = f"{found['user']}@" if found["user"] else ""
    return f"{found['scheme']}{user}{found['rest']}"
