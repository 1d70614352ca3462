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
    assert len({*COMMANDS}) == len(COMMANDS) > 20


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_the_name_of_its_module(name: str) -> None:
    """The help and the errors of a command call it as one types it."""
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    assert found.name == name


def test_the_contract_between_commands_names_them_all() -> None:
    """What two commands share is in a module of its own; import-linter holds that."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (contract,) = (each for each in contracts if "no command imports" in each["name"])
    assert contract["modules"] == [f"deniable_web.commands.{name}" for name in COMMANDS]
