"""Every command in the docs is one that the program accepts, and the reference lists them all."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from command_reference import PAGE, reference
from deniable_web.commands import COMMANDS, cli

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
_BLOCK = re.compile(r"^```[a-z]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(deniable [a-z][^`]+)`")
_COMMAND = re.compile(r"^ *(?:\$ )?(?:[A-Z_]+=\S+ )*(deniable [a-z].*)$", re.MULTILINE)

VALUELESS = {"deniable serve --issuer-store"}


def commands(page: Path) -> Iterator[str]:
    """The commands of a page: in its blocks and in its sentences."""
    text = page.read_text(encoding="utf-8")
    for block in _BLOCK.findall(text):
        yield from _COMMAND.findall(re.sub(r" *\\\n\s*", " ", block))
    for inline in _INLINE.findall(_BLOCK.sub("", text)):
        # In a table, a bar is written with a backslash.
        mention = " ".join(inline.replace("\\|", "|").split())
        # A sentence may name an option without a value.
        yield f"{mention} VALUE" if mention in VALUELESS else mention


def accept(line: str) -> None:
    """Parse a command; raises click.UsageError if the program would refuse it."""
    # A comment, or a meaning beside a command, is not part of it.
    words = shlex.split(re.split(r" {3,}|\s[|>&;]", line)[0], comments=True)[1:]
    # What may be left out is in brackets.
    words = [word.strip("[]") for word in words]
    context: click.Context = click.Context(cli)
    found: click.Command = cli
    while isinstance(found, click.Group) and words and not words[0].startswith("-"):
        name, chosen, words = found.resolve_command(context, words)
        assert chosen is not None
        context, found = click.Context(chosen, info_name=name, parent=context), chosen
    values, left, _ = found.make_parser(context).parse_args(list(words))
    if left and not isinstance(found, click.Group):
        raise click.UsageError(f"{line}: {left} is too much")
    for parameter in found.params:
        given = values.get(parameter.name or "")
        choices = parameter.type if isinstance(parameter.type, click.Choice) else None
        if choices and isinstance(given, str) and given.islower() and not parameter.multiple:
            choices.convert(given, parameter, context)


DOCUMENTED = sorted({line for page in PAGES if page != PAGE for line in commands(page)})


@pytest.mark.parametrize("line", DOCUMENTED)
def test_every_command_in_the_docs_is_accepted(line: str) -> None:
    """Its subcommand and options exist, each with its value, and there are no more arguments."""
    accept(line)


def test_the_docs_use_most_commands() -> None:
    """So the test above does not pass on nothing."""
    assert len(DOCUMENTED) > 80
    used = {line.split()[1] for line in DOCUMENTED}
    assert len(used & set(COMMANDS)) > 20


@pytest.mark.parametrize(
    "wrong",
    [
        "deniable chek survey.yaml",
        "deniable check survey.yaml --respondent-count 3",
        "deniable check survey.yaml --margin",
        "deniable publish one.yaml two.yaml",
        "deniable results health --format docx",
    ],
)
def test_a_wrong_command_is_found(wrong: str) -> None:
    """A mistyped command, an option that does not exist or has no value, one argument too many."""
    with pytest.raises(click.UsageError):
        accept(wrong)


def test_the_reference_is_what_the_commands_say() -> None:
    """Write it again with `python tests/support/command_reference.py`."""
    assert PAGE.read_text(encoding="utf-8") == reference()
    for name in COMMANDS:
        assert f"## deniable {name}" in reference()
