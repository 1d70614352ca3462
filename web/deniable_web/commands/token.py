"""deniable token: make, list and revoke the tokens for a collector's routes."""

from contextlib import closing

import click

from deniable_collector.store import open_store, shown
from deniable_collector.tokens import (
    AccessToken,
    Role,
    check_name,
    check_surveys,
    digest_of,
    make_token,
)
from deniable_sdk import DeniableError
from deniable_sdk.errors import quote
from deniable_web.commands.options import format_option, store_option
from deniable_web.commands.tables import print_rows, say


class TokenNameTaken(DeniableError):
    """A token with this name already exists."""


class TokenNotFound(DeniableError):
    """There is no token with this name."""


@click.group("token", short_help="Make, list and revoke owners' and analysts' tokens.")
def command() -> None:
    """Decide who may publish and close, and who may read results, over HTTP.

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
@store_option
def make(role: str, name: str, surveys: tuple[str, ...], store: str) -> None:
    """Make a token called NAME that gives access to the routes of ROLE."""
    check_name(name)
    token, allowed = make_token(Role(role)), check_surveys(surveys)
    with closing(open_store(store)) as opened:
        if not opened.add_token(AccessToken(name, Role(role), allowed), digest_of(token)):
            raise TokenNameTaken(
                f"a token is called {quote(name)} already; choose another name, or revoke that "
                f"one first: deniable token revoke {name} --store {shown(store)}"
            )
        published = {found.survey.slug for found in opened.list_surveys()}
    click.echo(token)
    for slug in sorted((allowed or frozenset()) - published):
        say(f"No survey is called {slug} yet; the token applies to it once it is published.")
    say(
        "This token is shown only now: the store keeps its hash. Pass it on over a secure channel."
    )


@command.command("list", short_help="List the tokens.")
@store_option
@format_option
def show(store: str, output_format: str) -> None:
    """Print each token's name, its role and its surveys."""
    with closing(open_store(store, must_exist=True)) as opened:
        rows = [
            {
                "name": token.name,
                "role": token.role.value,
                # No slug contains a blank, so this cannot be a survey's.
                "surveys": "all surveys"
                if token.surveys is None
                else " ".join(sorted(token.surveys)),
            }
            for token in opened.list_tokens()
        ]
    if_none = f"There is no token. Make one: deniable token make owner NAME --store {shown(store)}"
    print_rows("Tokens", rows, output_format, if_none)


@command.command("revoke", short_help="Revoke a token.")
@click.argument("name")
@store_option
def revoke(name: str, store: str) -> None:
    """Revoke the token called NAME, from the next request on."""
    check_name(name)
    with closing(open_store(store, must_exist=True)) as opened:
        is_revoked = opened.remove_token(name)
        names = [token.name for token in opened.list_tokens()]
    if not is_revoked:
        known = ", ".join(names) or "none"
        raise TokenNotFound(f"no token is called {quote(name)}; there are: {known}")
    say(f"Revoked: {name}. It is no longer accepted.")
