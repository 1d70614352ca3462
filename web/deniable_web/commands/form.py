"""deniable form: the form of a survey in one file."""

from pathlib import Path

import click

from deniable_web.commands.options import fetch_published, output_option, published_options
from deniable_web.commands.output_files import check_new, write_new
from deniable_web.commands.tables import say
from deniable_web.pages.form.one_file import OneFileForm, own_version
from deniable_web.pages.form.rendering import issuer_of


@click.command("form")
@published_options
@output_option("The new file; by default SLUG.html.")
def command(survey: str, collector: str, output: Path | None) -> None:
    """Write the form of SURVEY into one HTML file, and print the file's SHA-256.

    SURVEY is a slug at the collector, or a file with the published survey whose
    name ends in .json. The same survey, version and address of the collector
    make the same file, byte by byte, on every computer.
    """
    if output:
        check_new(output)
    form = OneFileForm.of(fetch_published(survey, collector), collector)
    path = output or Path(form.name)
    write_new(path, form.body)
    say(f"Written: {path}, {len(form.body):,} bytes, by deniable {own_version()}.")
    say(f"Its survey is {form.survey.digest}.")
    say(f"It connects to: {', '.join(filter(None, (form.collector, issuer_of(form.survey))))}")
    # As sha256sum prints it, and reads it with -c.
    click.echo(f"{form.sha256}  {path}")
