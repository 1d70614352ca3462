"""deniable publish: compile a definition and open it for answers."""

from contextlib import closing
from pathlib import Path

import click

from deniable_collector.store import open_store, shown
from deniable_web.commands.options import Format, definition_argument, store_option
from deniable_web.commands.tables import print_json, say
from deniable_web.definition_file import read_definition
from deniable_web.publication import publish


@click.command("publish", short_help="Compile a definition and open it for answers.")
@definition_argument
@store_option
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["table", "json"]),
    default="table",
    help="How to print the result.",
)
def command(file: Path, store: str, output_format: str) -> None:
    """Compile FILE and put the published survey into the store.

    Publishing the same definition again changes nothing. A published survey
    never changes: to ask something else, close it and publish anew.
    """
    survey = read_definition(file).compile()
    with closing(open_store(store)) as opened:
        is_new = publish(opened, survey)
    say(f"{'Published' if is_new else 'Already published'}: {survey.slug} in {shown(store)}")
    say(f"Start it with: deniable serve --store {shown(store)}")
    if output_format == Format.JSON:
        print_json({"slug": survey.slug, "digest": survey.digest, "published": is_new})
    else:
        click.echo(survey.digest)
