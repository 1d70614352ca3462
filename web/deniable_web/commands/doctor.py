"""deniable doctor: checks an installation from outside and from inside."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from deniable_collector.settings import MAX_BODY_BYTES, Settings
from deniable_sdk.addresses import InvalidAddress, read_address
from deniable_sdk.errors import printable
from deniable_web.commands.options import (
    FILE,
    store_option,
    table_or_json_option,
    workplace_option,
)
from deniable_web.commands.tables import print_json
from deniable_web.doctor.diagnosis import Diagnosis, Urgency
from deniable_web.doctor.inside import Inside, examine_inside
from deniable_web.doctor.outside import Outside, examine_outside
from deniable_web.doctor.proxies import check_proxy

_EXIT_CODES: Final = {Urgency.OK: 0, Urgency.WARNING: 1, Urgency.PROBLEM: 2}
_MOST_S: Final = 600


@click.command("doctor")
@click.argument("url", required=False)
@store_option
@workplace_option
@click.option("--backup", type=FILE, metavar="FILE", help="The newest backup of the store.")
@click.option(
    "--proxy-config",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="The configuration of the proxy: of nginx, or what caddy adapt prints; - reads it from "
    "standard input.",
)
@click.option(
    "--http-port",
    type=click.IntRange(1, 65535),
    default=80,
    show_default=True,
    help="The port at which http should lead to https.",
)
@click.option(
    "--timeout",
    "timeout_s",
    type=click.IntRange(1, _MOST_S),
    default=30,
    show_default=True,
    metavar="S",
    help="How many seconds each request may take.",
)
@table_or_json_option
@click.pass_context
def command(
    context: click.Context,
    url: str | None,
    store: str,
    workplace: str | None,
    backup: Path | None,
    proxy_config: Path | None,
    http_port: int,
    timeout_s: int,
    output_format: str,
) -> int:
    """Check the installation at URL from outside, and its store from inside.

    Without URL, only this machine is examined; with URL, the store as well if --store or
    DENIABLE_STORE names one. Nothing is changed. The exit code is 0 if all is well, 1 if
    there are warnings, and 2 if there is a problem.
    """
    found: list[Diagnosis] = []
    named = context.get_parameter_source("store") is not ParameterSource.DEFAULT
    for each in _examine(
        _read_url(url, http_port, timeout_s) if url else None,
        Inside(store, workplace, backup, bool(url or proxy_config)) if named or not url else None,
        proxy_config,
    ):
        found.append(each)
        if output_format != "json":
            _print(each)
    worst = max((each.urgency for each in found), key=list(Urgency).index)
    if output_format == "json":
        checks = [
            {
                "subject": each.subject,
                "result": each.urgency,
                "found": each.found,
                "remedy": each.remedy,
            }
            for each in found
        ]
        print_json({"result": worst, "checks": checks})
    return _EXIT_CODES[worst]


def _examine(
    outside: Outside | None, inside: Inside | None, proxy_config: Path | None
) -> Iterator[Diagnosis]:
    if outside:
        yield from examine_outside(outside)
    if proxy_config:
        is_input = str(proxy_config) == "-"
        text = sys.stdin.read() if is_input else proxy_config.read_text(errors="replace")
        yield from check_proxy(proxy_config, text)
    if inside:
        yield from examine_inside(inside)


def _read_url(url: str, http_port: int, timeout_s: int) -> Outside:
    # Only what the service shares with this command decides here.
    allowed = {MAX_BODY_BYTES: os.environ.get(MAX_BODY_BYTES, "")}
    longest = Settings.from_environment(allowed).max_body_bytes
    try:
        return Outside(read_address(url), http_port, longest, timeout_s)
    except InvalidAddress as error:
        raise click.UsageError(printable(f"URL: {error}")) from None


def _print(each: Diagnosis) -> None:
    remedy = f"\n         -> {each.remedy}" if each.remedy else ""
    click.echo(printable(f"{each.urgency:8} {each.subject}: {each.found}") + printable(remedy))
