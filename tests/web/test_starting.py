"""The libraries that a server and the commands load only when they are needed."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

import deniable_analysis
import deniable_collector
import deniable_issuer
from deniable_collector.clock import utc_now
from deniable_collector.store import open_store
from deniable_web.stores.publication import publish
from sample_definitions import survey, yes_no

HEAVY = ("scipy", "pandas", "formulaic", "matplotlib")
# What no list of commands needs: our own parts but the SDK, and what they are made of.
PARTS = ("deniable_analysis", "deniable_collector", "deniable_issuer", "deniable_storage")
NEEDED = (*HEAVY, "numpy", "flask", "jinja2", "granian", "sqlite_utils", "cryptography")


def loaded(*arguments: str, **environment: str) -> set[str]:
    """The packages that a new process has loaded when a command ends."""
    program = (
        "import atexit, os, sys; sys.argv[0] = 'deniable'\n"
        "atexit.register(lambda: print('LOADED', *{m.partition('.')[0] for m in sys.modules}))\n"
        "from deniable_web.command_line import main; main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    printed, _, names = ran.stdout.rpartition("LOADED ")
    assert printed
    return {*names.split()}


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["completion", "bash"]])
def test_the_list_of_commands_needs_no_command(arguments: list[str]) -> None:
    """Nobody who asks what there is waits for what some command needs."""
    found = loaded(*arguments)
    assert {"deniable_web", "click"} <= found
    assert not found & {*PARTS, *NEEDED, "rich", "yaml"}


def test_a_shell_completes_commands_without_them() -> None:
    """Each press of the tab key is a process of its own."""
    found = loaded(_DENIABLE_COMPLETE="bash_complete", COMP_WORDS="deniable re", COMP_CWORD="1")
    assert "deniable_web" in found
    assert not found & {*PARTS, *NEEDED, "rich", "yaml"}


def test_a_list_of_surveys_needs_the_store_alone(tmp_path: Path) -> None:
    """No server, no analysis, nobody who is invited."""
    store = str(tmp_path / "store.sqlite")
    with closing(open_store(store)) as opened:
        publish(opened, survey(yes_no()), utc_now())
    found = loaded("list", "--store", store)
    assert "deniable_collector" in found
    assert not found & {*NEEDED, "deniable_analysis", "deniable_issuer"}


@pytest.mark.parametrize(
    "name",
    ["publish", "token", "extend", "close", "purge", "audit", "backup", "move", "recount", "init"],
)
def test_a_command_for_a_store_starts_without_server_and_estimates(name: str) -> None:
    """Nor does a shell that completes its options and surveys wait for them."""
    found = loaded(name, "--help")
    assert "rich" in found
    assert not found & {*NEEDED, "deniable_issuer"}


@pytest.mark.deep
def test_the_site_starts_without_what_only_estimates_need() -> None:
    """Whoever answers a survey does not wait for the libraries of whoever analyses it."""
    program = f"import sys, deniable_web.site; print([m for m in {HEAVY} if m in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert found.stdout.strip() == "[]"


def test_no_command_loads_the_library_that_makes_pdfs() -> None:
    """Not even the command that writes reports, nor the pages of results: another process does."""
    program = (
        "import sys, importlib; from deniable_web.commands import COMMANDS, cli; "
        "[cli.get_command(None, name) for name in COMMANDS]; import deniable_web.results.views; "
        "print('weasyprint' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert found.stdout.strip() == "False"


@pytest.mark.parametrize("package", [deniable_analysis, deniable_collector, deniable_issuer])
def test_every_name_of_a_package_is_there_when_it_is_asked_for(package: ModuleType) -> None:
    """The stub that names are looked up in names nothing that is not there, and nothing twice."""
    names = package.__all__
    assert len(names) == len(set(names)) > 5
    assert all(hasattr(package, name) for name in names)
