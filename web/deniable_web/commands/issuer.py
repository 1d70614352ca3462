"""deniable issuer: the keys of groups, and the server that signs tokens."""

import os
from functools import partial
from pathlib import Path

import click

from deniable_collector.logs import set_up_logging, tell
from deniable_collector.serving import serve
from deniable_collector.settings import Settings
from deniable_collector.signing import SigningKey
from deniable_issuer.app import create_issuer, opened_issuer
from deniable_issuer.inviting import forget_contacts
from deniable_issuer.keyring import add_keys, add_survey, check_keys, invited_of
from deniable_issuer.store import open_issuer_store
from deniable_web.commands.invitations import issuer_store_option, read_published
from deniable_web.commands.options import definition_argument, listen_options, published_options
from deniable_web.commands.output_files import replace_file
from deniable_web.commands.sign_in_options import read_signing_in, sign_in_option
from deniable_web.commands.tables import say
from deniable_web.definition.file import read_definition
from deniable_web.definition.key_insertion import insert_moduli


@click.group("issuer")
def command() -> None:
    """Run the issuer of a survey by invitation: who knows the people, and no report."""


@command.command("keys", short_help="Write a key for each group into a definition.")
@definition_argument
@issuer_store_option
def keys(file: Path, store: str) -> None:
    """Make a key for each group of FILE that has none, and write the moduli into FILE.

    The private halves stay in the issuer's store. Nothing else in FILE changes,
    and running the command again changes nothing. Publish FILE afterwards.
    """
    survey = read_definition(file).compile()
    names = [group.id for group in invited_of(survey).groups if not group.has_key]
    # With its own ends of lines, unlike the text that was checked.
    text = file.read_bytes().decode()
    # Before a key is made: whether there is a place for it.
    insert_moduli(file, text, {name: bytes(256) for name in names})
    with open_issuer_store(store) as opened:
        check_keys(opened, survey)
        made = {name: SigningKey.generate() for name in names}
        # First the private halves: nobody could sign for a modulus without one.
        add_keys(opened, made.values())
    moduli = {name: key.modulus for name, key in made.items()}
    if made:
        replace_file(file, insert_moduli(file, text, moduli))
        say(f"Wrote into {file} the moduli of: {', '.join(made)}. Publish it now.")
    else:
        say(f"Every group of {file} has its key already.")
    say(f"Back up {store}, and keep it secret: whoever has it can sign tokens.")


@command.command("serve", short_help="Sign tokens for people with a code.")
@issuer_store_option
@listen_options(8001)
@sign_in_option
def serve_issuer(store: str, host: str, port: int, sign_in: Path | None) -> None:
    """Answer the devices of invited people until stopped (Ctrl-C).

    Run it on another machine than the collector, under another operator. docs/ISSUER.md
    says why.
    """
    settings = Settings.from_environment(os.environ)
    set_up_logging(settings.log)
    open_existing = partial(open_issuer_store, store, must_exist=True)
    with open_existing() as opened:
        opened.check()
        signing_in = read_signing_in(sign_in, opened)
    create = partial(create_issuer, settings=settings, signing_in=signing_in)
    serve(partial(opened_issuer, open_existing, create), host=host, port=port, on_ready=_announce)
    tell("stopped")


@command.command("add", short_help="Let people sign in for a survey without codes.")
@published_options
@issuer_store_option
def add(survey: str, collector: str, store: str) -> None:
    """Keep the published SURVEY in the store, so that people can sign in for it.

    deniable invite does the same, so this is for surveys to which nobody gets a code.
    SURVEY is as for deniable invite.
    """
    published = read_published(survey, collector)
    with (
        open_issuer_store(store, must_exist=True) as opened,
        opened.writing() as connection,
    ):
        add_survey(connection, published)
    say(f"Kept: {published.slug} ({published.digest}). Name it in the file of --sign-in.")


@command.command("forget", short_help="Erase the contacts of a survey.")
@published_options
@issuer_store_option
def forget(survey: str, collector: str, store: str) -> None:
    """Erase the contacts of SURVEY from the store; how many collected is still known.

    Nobody can be reminded afterwards, and nobody can find out who collected. Backups and
    files of links still have the contacts.
    """
    published = read_published(survey, collector)
    with open_issuer_store(store, must_exist=True) as opened:
        count = forget_contacts(opened, published.digest)
    say(f"Erased: {count} contacts of {published.slug}.")


def _announce(url: str) -> None:
    click.echo(url)
    tell("started")
