"""Whether the configuration of a proxy keeps addresses: of nginx, or of Caddy as JSON."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from deniable_sdk.foreign import NotJson, read_object
from deniable_web.doctor.diagnosis import Diagnosis, ok, problem, warning

_TOKEN: Final = re.compile(
    r"""\s+|\#[^\n]*|(?P<sign>[{};])|(?P<quote>["'])(?P<quoted>(?:\\.|(?!(?P=quote)).)*)(?P=quote)"""
    r"""|(?P<word>(?:\\.|\$\{[^}]*\}|[^\s{};"'\\])+)""",
    re.DOTALL,
)
_MOST_INCLUDES: Final = 8

_SUBJECT: Final = "proxy's logs"
_ok = partial(ok, _SUBJECT)
_warning = partial(warning, _SUBJECT)
_problem = partial(problem, _SUBJECT)
_REMEDIES: Final = {
    "access_log": "write access_log off; into the server, and into no location another one",
    "error_log": "write error_log /dev/null crit; into the server",
}

_Logs = dict[str, list[str]]
_NAMES: Final = ("access_log", "error_log")


class UnreadableConfiguration(Exception):
    """A file that is no configuration of nginx; the text says why."""


@dataclass(frozen=True, slots=True)
class Directive:
    """A line or a block of a configuration.

    Args:
        words: its name and arguments.
        inside: the directives of its block.
    """

    words: Sequence[str]
    inside: list["Directive"] = field(default_factory=list)


def _servers(directives: Sequence[Directive], outer: _Logs) -> Iterator[tuple[Directive, _Logs]]:
    """Each server, and where logs go around it."""
    for each in directives:
        if each.words[0] == "http":
            yield from _servers(each.inside, _own(each.inside, {}))
        elif each.words[0] == "server":
            yield each, outer


def _name(server: Directive) -> str:
    names = (each.words[1:] for each in server.inside if each.words[0] == "server_name")
    return " ".join(next(names, ["without a name"]))


def _kept(directives: Sequence[Directive], outer: _Logs) -> Iterator[str]:
    """The directives that keep addresses, of a server and of what is within.

    Each directive applies to the blocks within, unless they have it themselves.
    """
    logs = _own(directives, outer)
    access, errors = (logs.get(name, []) for name in _NAMES)
    if access != ["off"] * max(1, len(access)):
        yield "access_log"
    if errors != ["/dev/null"] * max(1, len(errors)):
        yield "error_log"
    for each in directives:
        if each.words[0] in ("location", "if", "limit_except"):
            yield from _kept(each.inside, logs)


def _own(directives: Sequence[Directive], outer: _Logs) -> _Logs:
    """Where logs go, by the name of the directive; an outer one applies if there is none here."""
    found: _Logs = {}
    for each in directives:
        if each.words[0] in _NAMES:
            found.setdefault(each.words[0], []).append(" ".join(each.words[1:2]))
    return {**outer, **found}


def _read(path: Path, folder: Path, depth: int) -> list[Directive]:
    """The directives of a file and of those that it includes; raises UnreadableConfiguration."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError):
        raise UnreadableConfiguration(f"{path} cannot be read") from None
    if depth > _MOST_INCLUDES:
        raise UnreadableConfiguration(f"{path} is included too deeply")
    tokens = list(_tokens(text, path))
    tokens.reverse()
    found = _block(tokens, path)
    if tokens:
        raise UnreadableConfiguration(f"{path} closes a block that it does not open")
    return _resolved(found, folder, depth)


def _resolved(directives: Sequence[Directive], folder: Path, depth: int) -> list[Directive]:
    """The directives, with those of included files in the place of each include."""
    found = []
    for each in directives:
        if each.words[0] == "include" and len(each.words) > 1:
            pattern = each.words[1]
            base = Path("/") if pattern.startswith("/") else folder
            for path in sorted(base.glob(pattern.lstrip("/"))):
                found += _read(path, folder, depth + 1)
        else:
            found.append(Directive(each.words, _resolved(each.inside, folder, depth)))
    return found


def _block(tokens: list[tuple[str, bool]], path: Path) -> list[Directive]:
    """The directives up to the end of a block; tokens are in reverse order."""
    found: list[Directive] = []
    words: list[str] = []
    while tokens:
        piece, is_sign = tokens.pop()
        if not is_sign:
            words.append(piece)
        elif piece == "}":
            tokens.append((piece, True))
            break
        elif not words:
            raise UnreadableConfiguration(f"{path} has a {piece} without a name before it")
        elif piece == ";":
            found.append(Directive(words))
            words = []
        else:
            inside = _block(tokens, path)
            if not tokens:
                raise UnreadableConfiguration(f"{path} does not close a block")
            tokens.pop()
            found.append(Directive(words, inside))
            words = []
    if words:
        raise UnreadableConfiguration(f"{path} ends within a directive")
    return found


def _tokens(text: str, path: Path) -> Iterator[tuple[str, bool]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise UnreadableConfiguration(f"{path} has a quote that does not end")
        at = found.end()
        if found["sign"]:
            yield found["sign"], True
        elif found["quote"]:
            yield found["quoted"], False
        elif found["word"]:
            yield found["word"], False


def check_proxy(path: Path, text: str) -> Iterator[Diagnosis]:
    """What a configuration keeps of people who come; nginx's includes are found from its path."""
    try:
        document = read_object(text.encode(errors="replace"))
    except NotJson:
        yield from _check_nginx(path, text)
        return
    yield from _check_caddy(document)


def _check_nginx(path: Path, text: str) -> Iterator[Diagnosis]:
    if "reverse_proxy" in text and "proxy_pass" not in text:
        yield _warning(
            f"{path} is a Caddyfile, which only Caddy reads.",
            "Run: caddy adapt --config FILE | deniable doctor --proxy-config -",
        )
        return
    try:
        servers = list(_servers(_read(path, path.absolute().parent, 0), {}))
    except UnreadableConfiguration as error:
        yield _warning(f"{error}.", "Give the file that nginx reads: nginx -t names it.")
        return
    if not servers:
        yield _warning(
            f"{path} has no server, so nothing was examined.",
            "Give the file with the server, or /etc/nginx/nginx.conf.",
        )
        return
    kept = [
        (_name(server), directive)
        for server, outer in servers
        for directive in dict.fromkeys(_kept(server.inside, outer))
    ]
    for name, directive in kept:
        yield _problem(
            f"nginx keeps the addresses of people: {directive} of the server {name}.",
            f"In {path}, {_REMEDIES[directive]}; then run nginx -s reload, and remove the old "
            "logs.",
        )
    if not kept:
        yield _ok("No server of nginx keeps an address.")


def _check_caddy(document: Mapping[str, Any]) -> Iterator[Diagnosis]:
    servers = document.get("apps", {}).get("http", {}).get("servers", {})
    if not servers:
        yield _warning(
            "This JSON has no servers of Caddy, so nothing was examined.",
            "Run: caddy adapt --config FILE | deniable doctor --proxy-config -",
        )
        return
    logs = document.get("logging", {}).get("logs", {})
    logs = {"default": {}, **logs}
    keeping = [name for name, log in logs.items() if _keeps_addresses(log)]
    if any("logs" in server for server in servers.values()) and keeping:
        yield _problem(
            "Caddy keeps an access log, with the addresses of people.",
            "Remove the directive log from the site in the Caddyfile, and remove the old logs.",
        )
    elif keeping:
        yield _problem(
            f"Caddy's log {', '.join(keeping)} has the errors of requests, which name addresses.",
            "Write into the first block of the Caddyfile: log default { include tls.obtain "
            "tls.renew tls.issuance }",
        )
    else:
        yield _ok("No log of Caddy has an address.")


def _keeps_addresses(log: Mapping[str, Any]) -> bool:
    """Whether requests and their errors get into a log."""
    if log.get("writer", {}).get("output") == "discard":
        return False
    included = log.get("include", [])
    if not included:
        return "http" not in log.get("exclude", [])
    return any(not name.startswith("tls.") for name in included)
