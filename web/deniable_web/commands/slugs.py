"""The argument that selects a survey by its slug, completed in shells."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import click

from deniable_collector.store.locations import sqlite_path
from deniable_web.commands.options import DEFAULT_STORE, Command

_SLUGS_SQL = "SELECT DISTINCT slug FROM surveys ORDER BY slug"


def slug_argument(*, required: bool = True) -> Callable[[Command], Command]:
    """The argument SLUG."""
    return click.argument("slug", required=required, shell_complete=_complete)


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG001 - click's signature
    """The slugs that begin like this; none if the store is no SQLite file that can be read now."""
    location = context.params.get("store") or context.params.get("source") or DEFAULT_STORE
    path = sqlite_path(str(location))
    # Only an SQLite file answers without waiting, and reading it changes nothing.
    try:
        uri = path.absolute().as_uri() + "?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=0.2)) as database:
            slugs = [str(slug) for (slug,) in database.execute(_SLUGS_SQL)]
    except (sqlite3.Error, OSError, ValueError):
        return []
    return [slug for slug in slugs if slug.startswith(incomplete)]
