"""What several commands share that work with a published survey and its collector."""

from pathlib import Path

import click

from deniable_sdk import PublishedSurvey
from deniable_sdk.transport import CollectorConnection
from deniable_web.commands.options import together

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
    with CollectorConnection(collector) as connection:
        return connection.fetch_survey(survey)
