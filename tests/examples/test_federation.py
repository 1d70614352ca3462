"""The example of a federation: three collectors in one command, one of which is stopped."""

import json
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "federation" / "three_sites.py"
PEOPLE = {"north": 2000, "east": 1500, "south": 1000}


@pytest.mark.deep
def test_the_example_runs_three_sites_and_goes_on_without_one(tmp_path: Path) -> None:
    """It prints all results, the error that names the stopped site, and results that name it."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), str(tmp_path / "federation")],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    for name, count in PEOPLE.items():
        assert f"{name}: {count} reports" in done.stdout
        assert re.search(rf"^{name} +{count}$", done.stdout, re.MULTILINE)
    assert "survey health-at-work, edition 1: 4500 reports" in done.stdout
    assert "site 'south': no answer from the collector" in done.stdout
    assert "survey health-at-work, edition 1: 3500 reports" in done.stdout
    assert "this result is without the site 'south', which is missing" in done.stdout
    analyst = tmp_path / "federation" / "analyst.json"
    assert stat.S_IMODE(analyst.stat().st_mode) == 0o600
    for token in json.loads(analyst.read_text())["tokens"].values():
        assert token not in done.stdout + done.stderr
