"""The location of a store, and the form that may be shown: without the URL's password."""

import re
from pathlib import Path

_POSTGRES = re.compile(r"(?i:postgres(?:ql)?):")
# Shows only parts that are certainly no password: an unescaped character could end the
# password early.
_SHOWN = re.compile(
    r"(?P<scheme>[a-zA-Z]+://)(?:(?P<user>[^:@/?#]*)(?::[^@/?#]*)?@)?"
    r"(?P<rest>[^@/?#]*(?:/[^@/?#]*)?)(?:\?[^@]*)?"
)


def is_postgres(location: str | Path) -> bool:
    """Whether a location is the URL of a PostgreSQL database."""
    return isinstance(location, str) and bool(_POSTGRES.match(location))


def shown(location: str | Path) -> str:
    """The location for people and logs: a URL without its password and options."""
    text = str(location)
    if not is_postgres(location):
        return text
    found = _SHOWN.fullmatch(text)
    if found is None:
        return "postgresql://..."
    user = f"{found['user']}@" if found["user"] else ""
    return f"{found['scheme']}{user}{found['rest']}"
