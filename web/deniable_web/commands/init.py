"""deniable init: a definition to start from."""

from pathlib import Path

import click

from deniable_sdk.survey.reading import SLUG_PATTERN
from deniable_web.builder.survey_templates import template
from deniable_web.commands.options import FILE
from deniable_web.commands.output_files import check_new, write_new
from deniable_web.commands.tables import say
from deniable_web.pages.languages import CODES, DEFAULT

STARTING = Path(__file__).with_name("starting.yaml")
_DEFAULT_FILE = "survey.yaml"
_SUFFIXES = (".yaml", ".yml")


@click.command("init")
@click.argument("file", type=FILE, default=_DEFAULT_FILE, metavar="[FILE]")
@click.option(
    "--template",
    "name",
    metavar="NAME",
    help="Begin with a template, whose comments cite the sources of its wording: "
    "harassment-at-work, drug-use-at-school, speaking-up, patient-safety-events, plagiarism or "
    "intimate-partner-violence.",
)
@click.option(
    "--language",
    "languages",
    multiple=True,
    type=click.Choice(CODES),
    default=(DEFAULT,),
    show_default=True,
    help="The language of a template's texts; several make a survey in several languages.",
)
def command(file: Path, name: str | None, languages: tuple[str, ...]) -> None:
    """Write a short definition with comments to the new FILE; by default survey.yaml.

    The name of FILE becomes the slug, if it can be one; a template has its own.
    Change the texts and the questions, then run deniable check.
    docs/DEFINITION.md has all keys.
    """
    if file.suffix not in _SUFFIXES:
        raise click.UsageError(
            f"got the file {file}; allowed is a name that ends in {' or '.join(_SUFFIXES)}, like "
            f"{file.with_suffix(_SUFFIXES[0])}"
        )
    check_new(file)
    write_new(file, (template(name).text(languages) if name else _starting(file)).encode())
    say(f"Written: {file}. Change it, then: deniable check {file} --respondents 1000")


def _starting(file: Path) -> str:
    slug = file.stem.lower().replace("_", "-").replace(" ", "-")
    slug = slug if SLUG_PATTERN.fullmatch(slug) else "survey"
    text = STARTING.read_text(encoding="utf-8")
    return text.replace("SLUG                ", f"{slug:20}", 1)
