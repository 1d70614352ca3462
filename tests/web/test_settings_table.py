"""The table of settings in docs/OPERATING.md is that of the code."""

import re
from functools import partial
from pathlib import Path

import click

from deniable_collector import settings
from deniable_collector.settings import Settings
from deniable_web.commands.serve import command

PAGE = Path(__file__).parents[2] / "docs" / "OPERATING.md"
SECTION = PAGE.read_text().partition("\n## Settings\n")[2].partition("\n## ")[0]
ROWS = {
    variable: (option, default, text)
    for variable, option, default, text in re.findall(
        r"^\| `(\w+)` \| (.*?) ?\| (.+?) \| (.+) \|$", SECTION, re.MULTILINE
    )
}
OPTIONS = [each for each in command.params if isinstance(each, click.Option)]
# What has no limits has none in its row either.
LIMITS = {
    variable: read.args
    for variable, (_, read) in settings._READERS.items()
    if isinstance(read, partial) and read.func is settings._read_number
}
ATTRIBUTES = {variable: attribute for variable, (attribute, _) in settings._READERS.items()}


def variables_of_settings() -> set[str]:
    """The variables that Settings reads."""
    return {value for name, value in vars(settings).items() if name.isupper() and name[0] != "_"}


def test_each_option_has_a_variable() -> None:
    """Whatever can be set by an option can be set in a container, too."""
    assert [each.name for each in OPTIONS if not each.envvar] == []


def test_the_table_has_each_variable_once_and_no_other() -> None:
    """A setting that is added or removed changes the table."""
    variables = [str(each.envvar) for each in OPTIONS]
    assert set(variables) | variables_of_settings() == ROWS.keys()
    assert len(re.findall(r"^\| `DENIABLE", SECTION, re.MULTILINE)) == len(ROWS)
    assert variables_of_settings() == ATTRIBUTES.keys()


def test_options_and_defaults_are_those_of_the_code() -> None:
    """Also for settings without an option."""
    named = {str(each.envvar): each for each in OPTIONS}
    for variable, (option, default, _) in ROWS.items():
        found = named.get(variable)
        assert option == (f"`{found.opts[0]}`" if found else ""), variable
        value = found.default if found else getattr(Settings(), ATTRIBUTES[variable])
        is_none = value is None or value == "" or "UNSET" in repr(value)
        assert default == ("none" if is_none else f"`{value}`"), variable


def test_limits_are_those_of_the_code() -> None:
    """Each row of a number says from where to where it is allowed."""
    for variable, (lowest, highest) in LIMITS.items():
        assert f"from {lowest:,} to {highest:,}" in ROWS[variable][2], variable
    workers = next(each for each in OPTIONS if each.name == "workers").type
    assert isinstance(workers, click.IntRange)
    assert f"from {workers.min} to {workers.max}" in ROWS["DENIABLE_WORKERS"][2]


def test_no_other_page_has_a_table_of_them() -> None:
    """One table, in one place: other pages link to it."""
    for page in PAGE.parent.rglob("*.md"):
        if page != PAGE:
            assert not re.search(r"^\| `DENIABLE_", page.read_text(), re.MULTILINE), page.name
