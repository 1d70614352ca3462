"""Whether the configuration of a proxy keeps addresses: of nginx, or of Caddy as JSON."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from deniable_web.doctor.diagnosis import Diagnosis, ok, problem, warning
from deniable_web.doctor.nginx import (
    UnreadableConfiguration,
    count_servers,
    logging_servers,
    read_nginx,
)

_SUBJECT: Final = "proxy's logs"
_ok = partial(ok, _SUBJECT)
_warning = partial(warning, _SUBJECT)
_problem = partial(problem, _SUBJECT)
_REMEDIES: Final = {
    "access_log": "write access_log off; into the server, and into no location another one",
    "error_log": "write error_log /dev/null crit; into the server",
}


def check_proxy(path: Path, text: str) -> Iterator[Diagnosis]:
    """What a configuration keeps of people who come.

    Args:
        path: of the file, from which nginx's includes are found.
        text: of the file.
    """
    try:
        document = json.loads(text)
    except ValueError:
        yield from _check_nginx(path, text)
        return
    yield from _check_caddy(document if isinstance(document, dict) else {})


def _check_nginx(path: Path, text: str) -> Iterator[Diagnosis]:
    if "reverse_proxy" in text and "proxy_pass" not in text:
        yield _warning(
            f"{path} is a Caddyfile, which only Caddy reads.",
            "Run: caddy adapt --config FILE | deniable doctor --proxy-config -",
        )
        return
    try:
        directives = read_nginx(path)
    except UnreadableConfiguration as error:
        yield _warning(f"{error}.", "Give the file that nginx reads: nginx -t names it.")
        return
    if not count_servers(directives):
        yield _warning(
            f"{path} has no server, so nothing was examined.",
            "Give the file with the server, or /etc/nginx/nginx.conf.",
        )
        return
    kept = list(logging_servers(directives))
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
