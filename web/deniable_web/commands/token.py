"""deniable token: make, list and revoke the tokens for a collector's routes."""

import shlex
from collections.abc import Sequence

import click

from deniable_collector.clock import utc_now
from deniable_collector.settings import ADDRESS
from deniable_collector.store import open_store
from deniable_collector.tokens import (
    DEFAULT_REPORTS,
    FEWEST_REPORTS,
    AccessToken,
    Release,
    Role,
    check_name,
    check_release,
    check_surveys,
    digest_of,
    make_token,
)
from deniable_sdk.addresses import read_address
from deniable_sdk.errors import quote
from deniable_sdk.wording import near_names
from deniable_web.accounts.trail import Act, with_rights
from deniable_web.commands.audit_entries import note
from deniable_web.commands.link_validity import how_long
from deniable_web.commands.options import (
    Parsed,
    env_option,
    format_option,
    store_option,
    store_words,
)
from deniable_web.commands.program import NotDone
from deniable_web.commands.tables import print_rows, say, warn
from deniable_web.pages.sign_in_links import make_link

_address_option = env_option(
    ADDRESS,
    "--address",
    type=Parsed("URL", lambda text: read_address(str(text))),
    default="http://127.0.0.1:8000",
    show_default=True,
    metavar="URL",
    help="Where people reach the collector, for a link.",
)


@click.group("token")
def command() -> None:
    """Decide who may publish and close, and who may read results, over HTTP.

    A reader sees the page of results of one survey, and nothing else.

    Changes take effect with the next request, even while a collector runs.
    """


@command.command("make", short_help="Make a token and print it, once.")
@click.argument("role", type=click.Choice([role.value for role in Role]))
@click.argument("name")
@click.option(
    "--survey",
    "surveys",
    metavar="SLUG",
    multiple=True,
    help="Only for this survey, all its editions; repeat it for several. Default: all surveys.",
)
@click.option(
    "--after-reports",
    type=int,
    metavar="N",
    help="For a reader: show results once there are N reports, and no part of fewer.  "
    f"[default: {DEFAULT_REPORTS}]",
)
@click.option(
    "--after-closing",
    is_flag=True,
    help="For a reader: show results only once the survey has ended, and no part of fewer than "
    f"{FEWEST_REPORTS} reports.",
)
@click.option(
    "--link",
    "wants_link",
    is_flag=True,
    help="For a person: print a link instead, which hands over the token.",
)
@_address_option
@store_option
def make(
    role: str,
    name: str,
    surveys: tuple[str, ...],
    after_reports: int | None,
    after_closing: bool,
    wants_link: bool,
    address: str,
    store: str,
) -> None:
    """Make a token called NAME that gives access to the routes of ROLE.

    A program needs the token itself. A person signs in with a link more easily.
    """
    name = check_name(name)
    allowed = check_surveys(surveys)
    release = _release(Role(role), len(surveys), after_reports, after_closing=after_closing)
    made = AccessToken(name, Role(role), allowed, release)
    token, link = make_token(Role(role)), make_link(made, utc_now())
    with open_store(store) as opened:
        if not opened.add_token(made, link.digest if wants_link else digest_of(token)):
            raise NotDone(
                f"a token is called {quote(name)} already; choose another name, or revoke that "
                f"one first: deniable token revoke {shlex.quote(name)}{store_words(store)}"
            )
        published = {found.survey.slug for found in opened.list_surveys()}
    note(store, Act.TOKEN_MADE, with_rights(made))
    click.echo(f"{address}{link.path}" if wants_link else token)
    for slug in sorted((allowed or frozenset()) - published):
        warn(f"No survey is called {slug} yet; the token applies to it once it is published.")
    warn(
        how_long(name, store)
        if wants_link
        else "This token is shown only now: the store keeps its hash. Pass it on over a secure "
        "channel."
    )


@command.command("link", short_help="Print a link that hands over a new token.")
@click.argument("name")
@_address_option
@store_option
def link(name: str, address: str, store: str) -> None:
    """Print a link with which a person signs in as NAME, once, within an hour.

    Who uses it gets a new token. The present one is no longer accepted from now on.
    """
    name = check_name(name)
    with open_store(store, must_exist=True) as opened:
        tokens = {token.name: token for token in opened.list_tokens()}
        made = make_link(tokens[name], utc_now()) if name in tokens else None
        if made is None or not opened.change_secret(name, made.digest):
            raise _unknown(name, list(tokens))
    note(store, Act.TOKEN_REPLACED, name)
    click.echo(f"{address}{made.path}")
    warn(how_long(name, store))


def _release(
    role: Role, surveys: int, after_reports: int | None, *, after_closing: bool
) -> Release | None:
    """From when on a reader sees results; None for the other roles."""
    if role is not Role.READER:
        if after_closing or after_reports is not None:
            raise click.UsageError(
                f"got a condition for an {role}, who always sees results; --after-reports and "
                "--after-closing are for a reader"
            )
        return None
    if surveys != 1:
        raise click.UsageError(
            f"got {surveys} surveys for a reader; allowed is one: --survey SLUG"
        )
    if after_closing and after_reports is not None:
        raise click.UsageError("got --after-reports and --after-closing; name one of them")
    wanted = DEFAULT_REPORTS if after_reports is None else after_reports
    return Release() if after_closing else check_release(wanted)


@command.command("list", short_help="List the tokens.")
@store_option
@format_option
def show(store: str, output_format: str) -> None:
    """Print each token's name, its role and its surveys, and when a reader sees results."""
    with open_store(store, must_exist=True) as opened:
        rows = [
            {
                "name": token.name,
                "role": token.role.value,
                # No slug contains a blank, so this cannot be a survey's.
                "surveys": "all surveys"
                if token.surveys is None
                else " ".join(sorted(token.surveys)),
                "shows results": _shown(token),
            }
            for token in opened.list_tokens()
        ]
    if_none = f"There is no token. Make one: deniable token make owner NAME{store_words(store)}"
    print_rows("Tokens", rows, output_format, if_none)


def _shown(token: AccessToken) -> str:
    if token.release is None:
        return "always"
    if token.release.after_reports is None:
        return "after the end"
    return f"after {token.release.after_reports} reports"


@command.command("revoke", short_help="Revoke a token.")
@click.argument("name")
@store_option
def revoke(name: str, store: str) -> None:
    """Revoke the token called NAME, from the next request on."""
    name = check_name(name)
    with open_store(store, must_exist=True) as opened:
        is_revoked = opened.remove_token(name)
        names = [token.name for token in opened.list_tokens()]
    if not is_revoked:
        raise _unknown(name, names)
    note(store, Act.TOKEN_REVOKED, name)
    say(f"Revoked: {name}. It is no longer accepted.")


def _unknown(name: str, names: Sequence[str]) -> NotDone:
    return NotDone(f"no token is called {quote(name)}; {near_names(name, names, 'there are')}")
