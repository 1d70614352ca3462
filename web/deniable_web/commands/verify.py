"""deniable verify: whether a live form is what this version makes."""

import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from deniable_sdk import InvalidSurvey, PublishedSurvey
from deniable_sdk.addresses import InvalidAddress, read_address
from deniable_sdk.errors import printable
from deniable_sdk.log import DIGEST
from deniable_sdk.wording import counted
from deniable_web.commands.options import Format, table_or_json_option
from deniable_web.commands.tables import print_json, say
from deniable_web.verification.checks import Check, CheckResult
from deniable_web.verification.expected import made_with
from deniable_web.verification.opening import LiveForm
from deniable_web.verification.verifying import Verification, verify

_EXIT_CODES: Final = {CheckResult.SAME: 0, CheckResult.DIFFERS: 1, CheckResult.UNCHECKED: 2}
_RESULTS: Final = {
    CheckResult.DIFFERS: "differs",
    CheckResult.MISSING: "is missing",
    CheckResult.UNKNOWN: "is unknown",
    CheckResult.UNCHECKED: "could not be checked",
}
_CONCLUSIONS: Final = {
    CheckResult.SAME: "Every byte is what this version of deniable makes for this survey.",
    CheckResult.DIFFERS: "This is NOT what this version of deniable makes for this survey.",
    CheckResult.UNCHECKED: "The form could not be checked.",
}
# What is before the form's own path, if its site is below a path.
_BELOW: Final = re.compile(r"(/.+)(?=/s/[^/.]+$)")
_TIMEOUT_S: Final = 60
_MOST_S: Final = 3600


@click.command("verify")
@click.argument("url")
@click.option(
    "--digest", metavar="HEX", help="The digest of the survey that the form should contain."
)
@click.option(
    "--survey",
    "survey_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The published survey (JSON), instead of the one that the server has.",
)
@click.option(
    "--collector",
    metavar="URL",
    help="The form is in one file (deniable form), and should send reports to this collector.",
)
@click.option(
    "--address",
    "addresses",
    multiple=True,
    metavar="IP",
    help="Connect to this address of the server; may be repeated. Name and certificate stay "
    "those of the URL.",
)
@table_or_json_option
@click.option(
    "--timeout",
    "timeout_s",
    type=click.IntRange(1, _MOST_S),
    default=_TIMEOUT_S,
    show_default=True,
    metavar="S",
    help="How many seconds one client may take to fetch all files.",
)
def command(
    url: str,
    digest: str | None,
    survey_file: Path | None,
    collector: str | None,
    addresses: Sequence[str],
    output_format: str,
    timeout_s: int,
) -> int:
    """Fetch the form at URL as several clients, and compare each byte.

    The exit code is 0 if all is the same, 1 if something differs, and 2 if
    the form cannot be checked.
    """
    server, path = _read_url(url)
    reports_to = _read_collector(collector)
    survey = _read_survey(survey_file)
    wanted = _read_digest(digest, survey)
    over: list[str | None] = [*map(_read_ip, addresses)]
    form = LiveForm(server, path, over or [None], timeout_s, wanted, survey, reports_to)
    found = verify(form, _tell if sys.stderr.isatty() else lambda _: None)
    if output_format == Format.JSON:
        print_json(_document(server + path, found))
    else:
        _print(found)
    return _EXIT_CODES[found.result]


def _read_url(url: str) -> tuple[str, str]:
    """The address of the site, and the path of the form on it."""
    try:
        parts = urlsplit(read_address(url))
    except InvalidAddress:
        # The address is not repeated: an invitation's link has a code.
        raise click.UsageError(
            "URL: allowed is the address of a form, like https://survey.example.org/s/wards, "
            "without what follows ? or #"
        ) from None
    # A host of files distinguishes a folder, which the address in its normal form does not.
    path = parts.path + ("/" if url.strip().endswith("/") else "")
    below = _BELOW.match(path)
    before = below[1] if below else ""
    return f"{parts.scheme}://{parts.netloc}{before}", path.removeprefix(before) or "/"


def _read_collector(collector: str | None) -> str | None:
    try:
        return read_address(collector) if collector else None
    except InvalidAddress as error:
        raise click.UsageError(printable(f"--collector: {error}")) from None


def _read_survey(file: Path | None) -> PublishedSurvey | None:
    if file is None:
        return None
    try:
        return PublishedSurvey.from_bytes(file.read_bytes())
    except InvalidSurvey as error:
        raise click.UsageError(printable(f"{file}: not a published survey: {error}")) from None


def _read_digest(digest: str | None, survey: PublishedSurvey | None) -> str | None:
    if digest is None:
        return survey.digest if survey else None
    wanted = digest.lower()
    if not DIGEST.fullmatch(wanted):
        raise click.UsageError("--digest: allowed are the 64 hexadecimal digits of a digest")
    if survey and survey.digest != wanted:
        raise click.UsageError(f"--survey: the file has another digest, {survey.digest}")
    return wanted


def _read_ip(address: str) -> str:
    try:
        return str(ip_address(address))
    except ValueError:
        raise click.UsageError("--address: allowed is an IP address like 192.0.2.1") from None


def _tell(check: Check) -> None:
    say(f"{check.result:9} {check.file} ({_who(check)})")


def _who(check: Check) -> str:
    return f"{check.client} over {check.address}" if check.address else check.client


def _print(found: Verification) -> None:
    """Print each difference with those who got it, then the problems, then the result."""
    groups: dict[tuple[str, CheckResult, str], list[str]] = {}
    for check in found.checks:
        groups.setdefault((check.file, check.result, check.reason), []).append(_who(check))
    everybody = len({_who(check) for check in found.checks})
    for (file, result, reason), who in groups.items():
        if result is not CheckResult.SAME:
            names = "everybody" if len(who) == everybody else ", ".join(who)
            _echo(f"{file} {_RESULTS[result]}: {reason}. Got by: {names}.")
    for problem in found.problems:
        _echo(problem)
    if found.checks:
        files = len({check.file for check in found.checks if check.expected_sha256})
        _echo(f"Fetched {counted(files, 'file')} as {counted(everybody, 'visitor')}.")
        is_same = found.result is CheckResult.SAME
        verb, connects = ("is", "connects") if is_same else ("should be", "should connect")
        _echo(f"Its survey {verb} {found.digest}.")
        _echo(f"It {connects} to: {', '.join(found.connects_to)}")
    if found.frame_ancestors:
        _echo(f"Sites whose pages may show it in a frame: {found.frame_ancestors}")
    _echo(_CONCLUSIONS[found.result])


def _echo(text: str) -> None:
    click.echo(printable(text))


def _document(url: str, found: Verification) -> dict[str, object]:
    return {
        "url": url,
        "result": found.result,
        "digest": found.digest,
        "same_for_all": found.is_same_for_all,
        "connects_to": list(found.connects_to),
        "frame_ancestors": found.frame_ancestors,
        "problems": list(found.problems),
        "made_with": made_with(),
        "checks": [asdict(check) for check in found.checks],
    }
