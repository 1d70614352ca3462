"""deniable serve: the collector and the pages on one port."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path

import click
from flask import Flask

from deniable_collector.access import require_tokens
from deniable_collector.addresses import is_loopback
from deniable_collector.app import opened
from deniable_collector.clock import utc_now
from deniable_collector.logs import set_up_logging, tell
from deniable_collector.metrics import shared_metrics
from deniable_collector.serving import handed_over, serve
from deniable_collector.settings import SITE, Settings
from deniable_collector.store import Registry, Store, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_collector.tokens import AccessToken, Role
from deniable_issuer.sign_in.routes import SigningIn
from deniable_issuer.store import open_issuer_store
from deniable_web.accounts.settings import AccountProvider
from deniable_web.commands.link_validity import how_long
from deniable_web.commands.options import (
    env_option,
    listen_options,
    store_option,
    store_words,
    workplace_option,
)
from deniable_web.commands.sign_in_options import (
    accounts_option,
    read_accounts,
    read_signing_in,
    sign_in_option,
)
from deniable_web.commands.tables import say, warn
from deniable_web.pages.sign_in_links import make_link
from deniable_web.site import ISSUER_PATH, add_issuer, create_site
from deniable_web.workplace import open_workplace, workplace_beside

FIRST_NAME = "first"
_BOTH_IN_ONE = (
    "This server is collector and issuer in one. Whoever runs it sees from where and when a "
    "person collects a token, and from where and when a report comes, and could match the two. "
    "The tokens themselves cannot be matched. If people should not have to trust one operator, "
    "let somebody else run: deniable issuer serve"
)
# numpy reads this variable when the first request for results imports numpy.
_ALGEBRA_THREADS = "OPENBLAS_NUM_THREADS"


@click.command("serve")
@store_option
@listen_options(8000)
@env_option(
    "DENIABLE_WORKERS",
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="How many processes answer requests.",
)
@env_option(
    SITE,
    "--site",
    metavar="NAME",
    help="The name of this collector's site, if the survey has several collectors: reports of "
    "groups of other sites are refused.",
)
@env_option(
    "DENIABLE_SERVE_ISSUER",
    "--issuer-store",
    metavar="FILE",
    help=f"Run a small issuer as well, at {ISSUER_PATH}, with this store of its own.",
)
@sign_in_option
@workplace_option
@accounts_option
def command(
    store: str,
    host: str,
    port: int,
    workers: int,
    site: str | None,
    issuer_store: str | None,
    sign_in: Path | None,
    workplace: str | None,
    accounts: Path | None,
) -> None:
    """Serve the surveys of the store until stopped (Ctrl-C).

    If a systemd socket starts the command, it listens on that socket and
    ignores --host and --port.
    """
    settings = Settings.from_environment({**os.environ, SITE: site or ""})
    set_up_logging(settings.log)
    # Requests already run in parallel, and stopping would wait for numpy's threads.
    os.environ.setdefault(_ALGEBRA_THREADS, "1")
    # Each worker opens the store itself, because a store does not survive a fork.
    with handed_over() or nullcontext() as listening:
        where = listening.getsockname()[0] if listening else host
        signing_in = _read_issuer(issuer_store, sign_in)
        if issuer_store is not None:
            warn(_BOTH_IN_ONE)
        kept_in = _check_workplace(workplace or workplace_beside(store))
        provider = read_accounts(accounts, settings.address, has_workplace=kept_in is not None)
        with open_store(store) as found:
            require_tokens(where, found)
            slugs = _open_slugs(found)
            invitation = _invite(found, where, store)
        announce = partial(
            _announce, slugs=slugs, location=store, workers=workers, invitation=invitation
        )
        with shared_metrics():
            serve(
                partial(_open_site, store, kept_in, provider, issuer_store, signing_in, settings),
                host=host,
                port=port,
                listening=listening,
                workers=workers,
                on_ready=announce,
            )
    tell("stopped")


def _check_workplace(location: str | Path | None) -> str | Path | None:
    """The location of the workplace, if there is one; it can be opened."""
    if location is not None:
        open_workplace(location).close()
    return location


def _open_slugs(store: Store) -> Sequence[str]:
    """The surveys that accept reports now or later."""
    return [
        each.survey.slug
        for each in store.list_surveys()
        if store.refusal(each, utc_now()) in (None, ReportOutcome.NOT_OPEN)
    ]


def _read_issuer(store: str | None, sign_in: Path | None) -> SigningIn | None:
    """How people sign in at the small issuer, whose store is there."""
    if store is None:
        if sign_in is not None:
            raise click.UsageError("people sign in at an issuer; name its --issuer-store")
        return None
    with open_issuer_store(store, must_exist=True) as opened:
        return read_signing_in(sign_in, opened)


@contextmanager
def _open_site(
    store: str,
    workplace: str | Path | None,
    provider: AccountProvider | None,
    issuer_store: str | None,
    signing_in: SigningIn | None,
    settings: Settings,
) -> Iterator[Flask]:
    """The site on its open stores, with an issuer if that has a store."""
    open_collector = partial(open_store, store, must_exist=True)
    with ExitStack() as stack:
        kept = stack.enter_context(open_workplace(workplace)) if workplace else None
        create = partial(create_site, settings=settings, workplace=kept, provider=provider)
        app = stack.enter_context(opened(open_collector, create))
        if issuer_store is not None:
            found = stack.enter_context(open_issuer_store(issuer_store, must_exist=True))
            add_issuer(app, found, settings, signing_in)
        yield app


def _invite(registry: Registry, host: str, location: str) -> str:
    """How the person at the terminal gets to the pages for people who run surveys.

    A first collector started at a terminal, for this machine alone, prints a link
    for an owner. It appears on a terminal only: other output may be a log.
    """
    tokens, words = registry.list_tokens(), store_words(location)
    is_ours = is_loopback(host) and sys.stderr.isatty()
    first = AccessToken(FIRST_NAME, Role.OWNER)
    link = make_link(first, utc_now())
    if not tokens and is_ours and registry.add_token(first, link.digest):
        welcome = f"Write surveys and read results: {{url}}{link.path}"
        return f"{welcome}\n{how_long(FIRST_NAME, location)}"
    if is_ours and first in tokens:
        return f"For another link: deniable token link {FIRST_NAME}{words}"
    if tokens:
        return ""
    return (
        "To write surveys and read results in the browser, make a link: "
        f"deniable token make owner NAME --link{words}"
    )


def _announce(
    url: str, *, slugs: Sequence[str], location: str, workers: int, invitation: str
) -> None:
    click.echo(url)
    tell("started", workers=workers)
    if invitation:
        warn(invitation.replace("{url}", url))
    if not slugs:
        say(f"No survey is open. Publish one: deniable publish FILE{store_words(location)}")
    for slug in slugs:
        say(f"Survey: {url}/s/{slug}")
