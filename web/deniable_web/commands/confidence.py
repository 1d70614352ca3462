"""The confidence level of intervals, for commands that estimate or plan."""

import click

from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_web.commands.options import between

confidence_option = click.option(
    "--confidence",
    type=between("probability", 0.5, 1),
    default=DEFAULT_CONFIDENCE,
    show_default=True,
    help="The confidence level of the intervals.",
)
