"""deniable init: a definition to start from."""

from pathlib import Path

import click

from deniable_sdk.survey.reading import SLUG_PATTERN
from deniable_web.commands.options import FILE
from deniable_web.commands.tables import say
from deniable_web.new_file import check_new, write_new

STARTING = Path(__file__).with_name("starting.yaml")
_DEFAULT_FILE = "survey.yaml"
_SUFFIXES = (".yaml", ".yml")


@click.command("init", short_help="Write a starting definition to a file.")
@click.argument("file", type=FILE, default=_DEFAULT_FILE, metavar="[FILE]")
def command(file: Path) -> None:
    """Write a short definition with comments to the new FILE; by default survey.yaml.

    The name of FILE becomes the slug, if it can be one. Change the texts and the
    questions, then run deniable check. docs/DEFINITION.md has all keys.
    """
    if file.suffix not in _SUFFIXES:
        raise click.UsageError(
            f"got the file {file}; allowed is a name that ends in {' or '.join(_SUFFIXES)}, like "
            f"{file.with_suffix(_SUFFIXES[0])}"
        )
    check_new(file)
    slug = file.stem.lower().replace("_", "-").replace(" ", "-")
    slug = slug if SLUG_PATTERN.fullmatch(slug) else "survey"
    text = STARTING.read_text(encoding="utf-8")
    write_new(file, text.replace("SLUG                ", f"{slug:20}", 1).encode())
    say(f"Written: {file}. Change it, then: deniable check {file} --respondents 1000")
