"""The libraries that a server loads only when they are needed."""

import subprocess
import sys

import pytest

import deniable_analysis

HEAVY = ("scipy", "pandas", "formulaic", "matplotlib")


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


def test_every_name_of_the_analysis_is_there_when_it_is_asked_for() -> None:
    """The stub that names are looked up in names nothing that is not there, and nothing twice."""
    names = deniable_analysis.__all__
    assert len(names) == len(set(names)) > 100
    assert all(getattr(deniable_analysis, name).__name__ for name in names)
