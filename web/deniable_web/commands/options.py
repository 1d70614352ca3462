"""Options and arguments that several commands share, and how some are read."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import click

from deniable_sdk import PublishedSurvey
from deniable_sdk.weights import YEAR_DAYS, YEARLY_CAP, read_epsilon

DEFAULT_STORE = "deniable.sqlite"
_SLUGS_SQL = "SELECT DISTINCT slug FROM surveys ORDER BY slug"
# Other users of a machine can see the arguments of a command, but not its environment.
STORE = "DENIABLE_STORE"
WORKPLACE = "DENIABLE_WORKPLACE"
FILE = click.Path(dir_okay=False, path_type=Path)

Command = TypeVar("Command", bound=Callable[..., object])


class Format(StrEnum):
    """How a command prints its result on standard output."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


class Parsed(click.ParamType[Any]):
    """What a function reads from a text; its ValueError says what is allowed."""

    def __init__(self, name: str, read: Callable[[object], object]) -> None:
        self.name = name
        self._read = read

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """The value, or a usage error that says what is allowed."""
        try:
            return self._read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def between(name: str, low: float, high: float, example: str = "") -> Parsed:
    """A number strictly between two others; click's own range lets "nan" through."""

    def read(value: object) -> float:
        with suppress(ValueError):
            number = float(str(value))
            if low < number < high:
                return number
        raise ValueError(f"got {value}; allowed is a number above {low} and below {high}{example}")

    return Parsed(name, read)


# An epsilon, used exactly as it is written.
EPSILON = Parsed("epsilon", read_epsilon)


def together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one, in the order in which the help lists them."""

    def decorate(function: Command) -> Command:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def env_option(variable: str, *names: str, **settings: Any) -> Callable[[Command], Command]:
    """An option that a variable of the environment may set as well."""
    return click.option(*names, envvar=variable, show_envvar=True, **settings)


store_option = env_option(
    STORE,
    "--store",
    default=DEFAULT_STORE,
    show_default=True,
    metavar="URL",
    help="The store of surveys and reports: a SQLite file, or postgresql://USER@HOST/DATABASE.",
)


def store_words(store: str) -> str:
    """The option --store of a command to type, after a space; empty if the environment has it."""
    # Commands without a store need no Flask.
    from deniable_collector.store import shown  # noqa: PLC0415 - see above

    return "" if os.environ.get(STORE) == store else f" --store {shown(store)}"


workplace_option = env_option(
    WORKPLACE,
    "--workplace",
    metavar="FILE",
    help="Where drafts, accounts and the audit trail are kept: an SQLite file of its own. By "
    "default STORE-workplace.sqlite beside an SQLite store; otherwise they are disabled.",
)


def _format_option(*formats: Format) -> Callable[[Command], Command]:
    return click.option(
        "--format",
        "output_format",
        type=click.Choice([each.value for each in formats]),
        default=Format.TABLE.value,
        show_default=True,
        help="How to print the result.",
    )


format_option = _format_option(*Format)
table_or_json_option = _format_option(Format.TABLE, Format.JSON)
yearly_cap_option = click.option(
    "--yearly-cap",
    type=EPSILON,
    default=str(YEARLY_CAP),
    show_default=True,
    metavar="N",
    help=f"The most epsilon that one person may spend in {YEAR_DAYS} days. Change it only if your "
    "app opens its client with that cap.",
)


def output_option(
    help_text: str, *, metavar: str = "PATH", is_required: bool = False, kind: object = FILE
) -> Callable[[Command], Command]:
    """Where a command writes its file; it never overwrites one."""
    return click.option(
        "-o", "--output", type=kind, required=is_required, metavar=metavar, help=help_text
    )


definition_argument = click.argument("file", type=FILE, metavar="FILE")


def listen_options(default_port: int) -> Callable[[Command], Command]:
    """The address and the port of a server."""
    return together(
        env_option(
            "DENIABLE_HOST",
            "--host",
            default="127.0.0.1",
            show_default=True,
            help="The address to listen on.",
        ),
        env_option(
            "DENIABLE_PORT",
            "--port",
            type=click.IntRange(0, 65535),
            default=default_port,
            show_default=True,
            help="The port to listen on; 0 picks a free one.",
        ),
    )


# The published survey, and where people answer it.
published_options = together(
    click.argument("survey"),
    click.option(
        "--collector",
        required=True,
        metavar="URL",
        help="Where people answer: the address of the collector, as in their browsers.",
    ),
)


def fetch_published(survey: str, collector: str) -> PublishedSurvey:
    """The published survey: a file if its name ends in .json, otherwise a slug at a collector.

    Raises:
        InvalidSurvey: the file has something else.
        CollectorUnreachable, CollectorRefused: the collector does not have it.
    """
    if survey.endswith(".json"):
        return PublishedSurvey.from_bytes(Path(survey).read_bytes())
    # Commands without a collector need no HTTP.
    from deniable_sdk.transport import CollectorConnection  # noqa: PLC0415 - see above

    with CollectorConnection(collector) as connection:
        return connection.fetch_survey(survey)


def slug_argument(*, required: bool = True) -> Callable[[Command], Command]:
    """The argument SLUG."""
    return click.argument("slug", required=required, shell_complete=_complete)


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG001 - click's signature
    """The slugs that begin like this; none if the store is no SQLite file that can be read now."""
    # Commands without a store need no Flask.
    from deniable_collector.store.locations import sqlite_path  # noqa: PLC0415 - see above

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
