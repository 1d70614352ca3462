"""Options that several commands share."""

from enum import StrEnum
from fractions import Fraction
from pathlib import Path

import click

from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_sdk.weights import YEAR_DAYS, YEARLY_CAP, read_epsilon

DEFAULT_STORE = "deniable.sqlite"
# Other users of a machine can see the arguments of a command, but not its environment.
STORE = "DENIABLE_STORE"


class Format(StrEnum):
    """How a command prints its result on standard output."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


class Confidence(click.ParamType[float]):
    """A probability strictly between 0.5 and 1."""

    name = "probability"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The probability, or a usage error that says what is allowed."""
        try:
            confidence = float(str(value))
        except ValueError:
            confidence = 0.0
        if not 0.5 < confidence < 1:
            self.fail(f"got {value}; allowed is a number above 0.5 and below 1", param, ctx)
        return confidence


class MarginParam(click.ParamType[float]):
    """A margin strictly between 0 and 1; click's own range lets "nan" through."""

    name = "margin"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The margin, or a usage error that says what is allowed."""
        try:
            margin = float(str(value))
        except ValueError:
            margin = 0.0
        if not 0 < margin < 1:
            self.fail(
                f"got {value}; allowed is a number above 0 and below 1, like 0.05", param, ctx
            )
        return margin


class Epsilon(click.ParamType[Fraction]):
    """An epsilon, used exactly as it is written."""

    name = "epsilon"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Fraction:
        """The epsilon, or a usage error that says what is allowed."""
        try:
            return value if isinstance(value, Fraction) else read_epsilon(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


store_option = click.option(
    "--store",
    default=DEFAULT_STORE,
    show_default=True,
    envvar=STORE,
    show_envvar=True,
    metavar="URL",
    help="The store of surveys and reports: a SQLite file, or postgresql://USER@HOST/DATABASE.",
)
format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice([member.value for member in Format]),
    default=Format.TABLE.value,
    show_default=True,
    help="How to print the result.",
)
yearly_cap_option = click.option(
    "--yearly-cap",
    type=Epsilon(),
    default=str(YEARLY_CAP),
    show_default=True,
    metavar="N",
    help=f"The most epsilon that one person may spend in {YEAR_DAYS} days. Change it only if your "
    "app opens its client with that cap.",
)
confidence_option = click.option(
    "--confidence",
    type=Confidence(),
    default=DEFAULT_CONFIDENCE,
    show_default=True,
    help="The confidence level of the intervals.",
)
definition_argument = click.argument(
    "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE"
)
