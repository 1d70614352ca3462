"""Whether two locations are one place, whose reports would count twice."""

from collections.abc import Hashable
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from deniable_analysis.arguments import check_kind
from deniable_analysis.errors import StudyNotFound
from deniable_analysis.sources.addresses import is_local

_SQLITE = "sqlite:///"
_PORTS = {"http": 80, "https": 443, "postgresql": 5432}
_OTHER_NAMES = {"postgres": "postgresql"}


def place_of(location: str | Path) -> Hashable:
    """The same for all names of one place, as far as the names show it.

    A file has one place under all of its paths and links, and so has a server under all names
    of this machine; whether two other names are one server, only the server can say.
    """
    if isinstance(location, str) and "://" in location:
        if not location.lower().startswith(_SQLITE):
            return _place_of_url(location)
        location = location[len(_SQLITE) :]
    check_location(location)
    path = Path(location)
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return path.absolute()


def check_location(location: object) -> None:
    """Raise StudyNotFound unless it is a text or a path."""
    check_kind("location", location, (str, Path), "a text or a pathlib.Path", StudyNotFound)


def _place_of_url(url: str) -> Hashable:
    try:
        parts = urlsplit(url)
        scheme = _OTHER_NAMES.get(parts.scheme, parts.scheme)
        port = parts.port or _PORTS.get(scheme)
    except ValueError:
        # Whoever opens it says what is wrong.
        return url
    host = (parts.hostname or "").rstrip(".")
    where = "localhost" if is_local(host) else host
    # The page of a survey is the same with any query.
    query = "" if scheme in ("http", "https") else parts.query
    return scheme, where, port, unquote(parts.path).rstrip("/"), query
