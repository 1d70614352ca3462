"""How people sign in: respondents at an issuer, and those who run surveys at a collector."""

import os
from collections.abc import Sequence
from pathlib import Path

import click

from deniable_issuer.errors import InvalidSignIn
from deniable_issuer.sign_in.clients import require_authlib
from deniable_issuer.sign_in.routes import SigningIn
from deniable_issuer.sign_in.settings import read_sign_ins
from deniable_issuer.store import IssuerStore
from deniable_web.accounts.settings import AccountProvider, InvalidAccounts, read_account_provider
from deniable_web.commands.options import FILE, env_option
from deniable_web.definition.file import read_definition
from deniable_web.packaged_files import page_templates
from deniable_web.pages.languages import CODES, DEFAULT, best, catalog, direction

_TEMPLATES = page_templates()

sign_in_option = env_option(
    "DENIABLE_SIGN_IN",
    "--sign-in",
    type=FILE,
    metavar="FILE.yaml",
    help="Let people sign in instead of entering a code, as this file says.",
)


accounts_option = env_option(
    "DENIABLE_ACCOUNTS",
    "--accounts",
    type=FILE,
    metavar="FILE.yaml",
    help="Let people who run surveys sign in at a provider, as this file says.",
)


def read_accounts(
    file: Path | None, address: str, *, has_workplace: bool
) -> AccountProvider | None:
    """The provider of accounts; None without a file.

    Raises:
        UnreadableDefinition: the file has problems; the message has each with its line.
        PackageMissing: a package is not installed.
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


def render_page(name: str, languages: Sequence[str], survey: str) -> str:
    """A page that says why a person could not be signed in, as HTML without scripts.

    These are the only pages of an issuer.

    Args:
        name: of its text in the catalog `sign_in`.
        languages: those of the reader, the best one first.
        survey: the address of the survey; empty if it is not known.
    """
    language = best(languages, CODES) or DEFAULT
    texts = catalog("sign_in", language)
    return _TEMPLATES.get_template("sign_in.html").render(
        language=language,
        direction=direction(language),
        words=texts["page"],
        text=texts["problems"][name],
        survey=survey,
    )
