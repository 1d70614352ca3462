"""deniable federate: one survey at several institutions."""

from fractions import Fraction
from pathlib import Path

import click

from deniable_web.commands.options import definition_argument, output_option, yearly_cap_option
from deniable_web.commands.tables import say
from deniable_web.definition_file import read_definition
from deniable_web.federation import ANALYST_FILE, read_sites, write_federation


@click.command("federate", short_help="Prepare one survey for several institutions.")
@definition_argument
@click.option(
    "--site",
    "sites",
    metavar="NAME=ADDRESS",
    multiple=True,
    help="The name of a site and the address of its collector; repeat it for each site.",
)
@output_option(
    "A new folder for what each site needs.",
    metavar="FOLDER",
    is_required=True,
    kind=click.Path(path_type=Path),
)
@yearly_cap_option
def command(file: Path, sites: tuple[str, ...], output: Path, yearly_cap: Fraction) -> None:
    """Compile FILE and write a folder for each site of a federation.

    Each folder has the published survey, a store with it, and the settings of
    the collector. A file for the analyst has the locations of all sites, and
    for each a new token that opens counts of this survey and nothing else.
    """
    survey = read_definition(file).compile(yearly_cap)
    addresses = read_sites(survey, sites)
    write_federation(survey, addresses, output)
    for name in addresses:
        say(f"For the site {name}: {output / name}; its README.txt says how to start.")
    say(f"For the analyst alone: {output / ANALYST_FILE}, with the tokens of all sites.")
    say("Pass on each folder and the file over a secure channel, and remove them here.")
    click.echo(survey.digest)
