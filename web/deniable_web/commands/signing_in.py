"""How people sign in: respondents at an issuer, and those who run surveys at a collector."""

import os
from pathlib import Path

import click

from deniable_issuer.errors import InvalidSignIn
from deniable_issuer.sign_in.provider import require_authlib
from deniable_issuer.sign_in.routes import SigningIn
from deniable_issuer.sign_in.settings import read_sign_ins
from deniable_issuer.store import IssuerStore
from deniable_web.accounts import AccountProvider, InvalidAccounts, read_account_provider
from deniable_web.commands.options import FILE
from deniable_web.definition_file import read_definition
from deniable_web.sign_in_pages import render_page

sign_in_option = click.option(
    "--sign-in",
    type=FILE,
    envvar="DENIABLE_SIGN_IN",
    show_envvar=True,
    metavar="FILE.yaml",
    help="Let people sign in instead of entering a code, as this file says.",
)


accounts_option = click.option(
    "--accounts",
    type=FILE,
    envvar="DENIABLE_ACCOUNTS",
    show_envvar=True,
    metavar="FILE.yaml",
    help="Let people who run surveys sign in at a provider, as this file says.",
)


def read_accounts(
    file: Path | None, address: str, *, has_workplace: bool
) -> AccountProvider | None:
    """The provider of accounts; None without a file.

    Raises:
        UnreadableDefinition: the file has problems; the message has each with its line.
        AuthlibMissing: a package is not installed.
    """
    if file is None:
        return None
    if not has_workplace:
        raise click.UsageError("accounts are kept in a workplace; name its file: --workplace FILE")
    found = read_definition(file)
    try:
        provider = read_account_provider(found.document, address, os.environ)
    except InvalidAccounts as error:
        raise found.refusal(error.problems) from None
    require_authlib()
    return provider


def read_signing_in(file: Path | None, store: IssuerStore) -> SigningIn | None:
    """How people sign in; None without a file.

    Raises:
        UnreadableDefinition: the file has problems; the message has each with its line.
        StoreUnavailable: the store cannot be read now.
    """
    if file is None:
        return None
    found = read_definition(file)
    try:
        return SigningIn(read_sign_ins(found.document, store, os.environ), render_page)
    except InvalidSignIn as error:
        raise found.refusal(error.problems) from None
