"""deniable release: the counts of a closed survey, with noise, in a file."""

from fractions import Fraction
from pathlib import Path

import click

from deniable_analysis import export_release
from deniable_collector.settings import SITE
from deniable_sdk.weights import format_epsilon
from deniable_sdk.wording import counted
from deniable_web.commands.options import (
    EPSILON,
    env_option,
    output_option,
    slug_argument,
    store_option,
)
from deniable_web.commands.tables import print_json, say


@click.command("release")
@slug_argument()
@store_option
@click.option(
    "--epsilon",
    type=EPSILON,
    required=True,
    metavar="N",
    help="The most that the file reveals about the values of one report.",
)
@output_option("The new file, like north.json.", is_required=True)
@env_option(
    SITE,
    "--site",
    default="",
    metavar="NAME",
    help="The name of this site, if the survey has several.",
)
def command(slug: str, store: str, epsilon: Fraction, output: Path, site: str) -> None:
    """Add noise to the counts of the closed survey SLUG, and write them to a file.

    Whoever reads the file learns hardly anything about any one report: e^N bounds how much
    likelier it is with one report's values than with others. `open_study` reads it alone,
    and `open_sites` as one of several sites. Its intervals include the noise.

    Write one release of a survey and keep it. Each further one spends its epsilon again,
    and the means of several have less noise.
    """
    spent = format_epsilon(epsilon)
    found = export_release(store, output, slug, epsilon=spent, site=site)
    named = f"{found.survey.slug}@{found.edition}"
    reports = counted(found.report_count, "report", commas=True)
    say(f"Released: the counts of {reports} of {named}, with noise, to {output}")
    say(
        f"This spent epsilon {spent}. Give the same file to everybody: another release spends "
        "its epsilon again, and the means of several have less noise."
    )
    print_json(
        {
            "slug": found.survey.slug,
            "edition": found.edition,
            "digest": found.survey.digest,
            "reports": found.report_count,
            "epsilon": spent,
            "path": str(output),
        }
    )
