"""deniable publish: compile a definition and open it for answers."""

import sys
from fractions import Fraction
from pathlib import Path

import click

from deniable_collector.clock import utc_now
from deniable_collector.store import open_store, shown
from deniable_sdk.weights import SURVEY_CAP
from deniable_web.accounts.trail import Act
from deniable_web.commands.audit_entries import note
from deniable_web.commands.options import (
    Format,
    definition_argument,
    store_option,
    store_words,
    table_or_json_option,
    yearly_cap_option,
)
from deniable_web.commands.tables import print_json, say, warn
from deniable_web.definition.epsilon_caps import panel_epsilon
from deniable_web.definition.file import read_definition
from deniable_web.stores.publication import has_end, publish

_NO_END = (
    "This survey has no end. If anybody looks at its results while it runs, margins are about 1.6 "
    "times as wide. To keep them narrow, add one of these to the definition: closes: a moment, "
    "at_most_reports: a number, or results: at_end, with which nobody sees results before you "
    "close it."
)


@click.command("publish")
@definition_argument
@store_option
@yearly_cap_option
@table_or_json_option
def command(file: Path, store: str, yearly_cap: Fraction, output_format: str) -> None:
    """Compile FILE and put the published survey into the store.

    Publishing the same definition again changes nothing. A published survey
    never changes: to ask something else, close it and publish another one.
    """
    survey = read_definition(file).compile(yearly_cap)
    if not has_end(survey):
        warn(_NO_END)
        if sys.stdin.isatty():
            click.confirm("Publish it without an end?", abort=True, err=True)
    with open_store(store) as opened:
        is_new = publish(opened, survey, utc_now())
    if is_new:
        note(store, Act.PUBLISHED, survey.slug)
    say(f"{'Published' if is_new else 'Already published'}: {survey.slug} in {shown(store)}")
    say(f"Start it with: deniable serve{store_words(store)}")
    say(f"Write its form into one file with: deniable form {survey.slug} --collector URL")
    if panel_epsilon(survey) > SURVEY_CAP:
        # Only this warning needs numpy and scipy.
        from deniable_web.forecast.design import advise_on_epsilon  # noqa: PLC0415 - see above

        warn(f"Warning: {advise_on_epsilon(survey).message}.")
    if output_format == Format.JSON:
        print_json({"slug": survey.slug, "digest": survey.digest, "published": is_new})
    else:
        click.echo(survey.digest)
