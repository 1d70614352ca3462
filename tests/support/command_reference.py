"""The reference of the command line, made from the commands themselves.

`python tests/support/command_reference.py` writes docs/COMMANDS.md; a test holds that what is
there is what would be written.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from deniable_web.commands import cli

PAGE = Path(__file__).parents[2] / "docs" / "COMMANDS.md"
HEAD = """# Reference of the command line

Every command with its options, for looking things up; [COMMAND_LINE.md](COMMAND_LINE.md) is the
page to begin with. Made from the commands by `python tests/support/command_reference.py`.
`deniable COMMAND --help` shows the same.
"""


def reference() -> str:
    """The whole page."""
    return "\n".join((HEAD, *_sections(cli, ("deniable",))))


def _sections(command: click.Command, names: tuple[str, ...]) -> Iterator[str]:
    """A section for a command, and for each of its subcommands."""
    context = click.Context(command, info_name=names[-1])
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from _sections(found, (*names, name))
        return
    usage = " ".join((*names, *command.collect_usage_pieces(context)))
    yield f"## {' '.join(names)}\n"
    yield f"```\n{usage}\n```\n"
    yield _paragraphs(command.help or "") + "\n"
    rows = [each for each in map(_row, command.params, [context] * len(command.params)) if each]
    if rows:
        yield "| option | meaning |\n|---|---|"
        yield "\n".join(rows) + "\n"


def _paragraphs(text: str) -> str:
    """Help with one line for each paragraph, and with the lines of blocks that keep theirs."""
    parts = [part.strip("\n") for part in re.split(r"\n\s*\n", text.replace("\f", ""))]
    return "\n\n".join(
        f"```\n{part.replace(chr(8), '').strip(chr(10))}\n```"
        if "\b" in part
        else " ".join(part.split())
        for part in parts
        if part.strip()
    )


def _row(parameter: click.Parameter, context: click.Context) -> str:
    """The row of an option; empty for an argument, which the usage has."""
    record = parameter.get_help_record(context)
    if record is None or isinstance(parameter, click.Argument):
        return ""
    name, meaning = (" ".join(part.split()).replace("|", "\\|") for part in record)
    return f"| `{name}` | {meaning.replace('<', '&lt;')} |"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
