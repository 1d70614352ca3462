"""deniable log: watch the public log of a collector, and make the key that signs it."""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from deniable_collector.signing import SigningKey, read_key_file, write_key_file
from deniable_sdk import DeniableError, InvalidLog
from deniable_sdk.errors import printable
from deniable_sdk.foreign import read_object
from deniable_sdk.log import DIGEST, PATH, Head, check_log, read_log_key
from deniable_sdk.tokens import base64url
from deniable_sdk.transport import CollectorConnection
from deniable_web.commands.options import FILE, Format, table_or_json_option
from deniable_web.commands.output_files import replace_file
from deniable_web.commands.program import NotDone
from deniable_web.commands.tables import print_json, say

SAME, CHANGED, UNCHECKED = range(3)


@dataclass(frozen=True, slots=True)
class WatchedLog:
    """What was found; without size and head after a problem.

    Args:
        problem: why the log cannot be trusted, or could not be checked; None if all is well.
        size: how many surveys it has.
        head: the digest that stands for all of it.
        is_signed: whether its head has a signature, which was verified if a key was given.
        new: the digests that were not seen before.
    """

    problem: str | None
    size: int | None = None
    head: str | None = None
    is_signed: bool = False
    new: tuple[str, ...] = ()


@click.group("log")
def command() -> None:
    """See which surveys a collector has published, and notice if it changes its log."""


@command.command("check", short_help="Check a collector's log, and print new digests.")
@click.argument("url")
@click.option("--key", metavar="MODULUS", help="The key that must have signed the log.")
@click.option(
    "--seen",
    type=FILE,
    metavar="FILE",
    help="The head that was seen before, which the log must continue. FILE is made or replaced.",
)
@table_or_json_option
def check(url: str, key: str | None, seen: Path | None, output_format: str) -> int:
    """Fetch the log of the collector at URL, and recompute its chain.

    Prints the digests that FILE does not cover, and says nothing if there are none.
    The exit code is 0 if the log is the same or has grown, 1 if it is forged or was
    changed, and 2 if it could not be checked.
    """
    status, found = _watch(url, key, seen)
    if output_format == Format.JSON:
        print_json(asdict(found))
    elif found.problem:
        click.echo(printable(f"Error: {found.problem}"), err=True)
    else:
        for digest in found.new:
            click.echo(digest)
        if found.new or seen is None:
            signed = "signed" if found.is_signed else "not signed"
            say(f"{found.size} surveys, of which {len(found.new)} are new; {signed}.")
            say(f"Compare the head with that of other people: {found.head}")
    return status


@command.command("key", short_help="Make the key that signs a collector's log.")
@click.argument("file", type=FILE)
def key(file: Path) -> None:
    """Make a private key in FILE, and print the public modulus.

    If FILE is there already, the modulus of its key is printed again.
    """
    if not file.exists():
        write_key_file(file, SigningKey.generate())
        say(f"Made: {file}. Set DENIABLE_LOG_KEY={file} where the collector runs.")
        say("Keep it secret, and publish the modulus: devices and --key of deniable log check.")
    click.echo(base64url(read_key_file(file).modulus))


def _watch(url: str, key: str | None, seen: Path | None) -> tuple[int, WatchedLog]:
    try:
        if key is not None:
            read_log_key(key)
        before = _read_head(seen) if seen and seen.exists() else None
        with CollectorConnection(url) as connection:
            document = connection.fetch(PATH)
    except (DeniableError, OSError) as error:
        return UNCHECKED, WatchedLog(str(error))
    try:
        log = check_log(document, key=key, seen=before)
    except InvalidLog as error:
        return CHANGED, WatchedLog(str(error))
    if seen and log.head != before:
        # The signature proves what the collector has shown.
        kept = {"size": log.head.size, "head": log.head.digest, "signature": log.signature}
        try:
            replace_file(seen, json.dumps(kept) + "\n")
        except OSError as error:
            return UNCHECKED, WatchedLog(str(error))
    new = log.entries[before.size if before else 0 :]
    return SAME, WatchedLog(None, log.head.size, log.head.digest, log.signature is not None, new)


def _read_head(file: Path) -> Head:
    with suppress(ValueError, KeyError, TypeError):
        written = read_object(file.read_bytes())
        size, digest = written["size"], written["head"]
        if type(size) is int and DIGEST.fullmatch(digest):
            return Head(size, digest)
    raise NotDone(
        f"{file} does not have the head of a log; name the FILE of an earlier run, or a new one"
    )
