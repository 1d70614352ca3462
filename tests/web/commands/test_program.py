"""The program `deniable`: where its commands are."""

import ast
import tomllib
from pathlib import Path

import click
import pytest

from deniable_web import commands
from deniable_web.commands import COMMANDS, cli

ROOT = Path(__file__).parents[3]
MODULES = {path.stem: path for path in Path(commands.__file__).parent.glob("*.py")}


def _defined(path: Path) -> set[str]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef)}


def test_each_command_is_in_the_module_of_its_name() -> None:
    """And no other module has a command, so nobody has to search for one."""
    assert {name for name, path in MODULES.items() if "command" in _defined(path)} == {*COMMANDS}
    assert len(COMMANDS) > 20


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_the_name_of_its_module(name: str) -> None:
    """Its help calls it as one types it; its line in the list of all is in the list alone."""
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    assert (found.name, found.short_help) == (name, None)


def test_the_contract_between_commands_names_them_all() -> None:
    """What two commands share is in a module of its own; import-linter holds that."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (contract,) = (each for each in contracts if "no command imports" in each["name"])
    assert contract["modules"] == [f"deniable_web.commands.{name}" for name in COMMANDS]


def test_the_help_and_the_completion_of_a_shell_list_all_commands() -> None:
    """With their help on one line, in the order in which a survey needs them."""
    context = click.Context(cli)
    listed = cli.get_help(context).split("Commands:\n")[1].split("\n")
    assert [line.split()[0] for line in listed] == [*COMMANDS]
    assert all(line.endswith(short) for line, short in zip(listed, COMMANDS.values(), strict=True))
    completed = {item.value: item.help for item in cli.shell_complete(context, "re")}
    assert completed == {name: COMMANDS[name] for name in COMMANDS if name.startswith("re")}
    assert len(completed) > 3
    assert [item.value for item in cli.shell_complete(context, "--ver")] == ["--version"]
