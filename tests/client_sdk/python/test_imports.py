"""The SDK runs on the standard library alone, and on nothing of its own machine."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from deniable_sdk import mechanisms
from deniable_sdk.mechanisms import MECHANISMS
from sample_definitions import survey, yes_no

SOURCE = Path(__file__).parents[3] / "client_sdk" / "python"

PROGRAM = """
import json, sys
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
import deniable_sdk
survey = deniable_sdk.compile_survey({
    "title": "Health", "slug": "health", "epsilon": 1,
    "questions": [{"id": "asthma", "type": "yes_no", "text": "Do you have asthma?"}],
})
report = deniable_sdk.randomize(survey, {"asthma": True})
deniable_sdk.check_report(report, survey)
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def _run(program: str, *arguments: str) -> str:
    """What a program prints in a Python that sees no installed package."""
    command = [sys.executable, "-I", "-S", "-c", program, str(SOURCE), *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stdout


def test_only_the_standard_library_is_loaded() -> None:
    """Without installed packages the SDK compiles, randomizes and checks a report."""
    loaded = {name.partition(".")[0] for name in json.loads(_run(PROGRAM))}
    assert "deniable_sdk" in loaded
    assert loaded - {"deniable_sdk"} <= sys.stdlib_module_names
    assert not loaded & {"random", "secrets", "urllib", "http", "socket", "sqlite3"}


RANDOMIZE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import deniable_sdk
survey = deniable_sdk.PublishedSurvey.from_bytes(bytes.fromhex(sys.argv[2]))
deniable_sdk.randomize(survey, {"asthma": True}).to_bytes()
from deniable_sdk.mechanisms import MECHANISMS
loaded = [name for name in MECHANISMS if f"deniable_sdk.mechanisms.{name}" in sys.modules]
print(json.dumps(loaded))
"""


def test_a_device_loads_only_the_mechanisms_of_its_survey() -> None:
    """Who randomizes through subset selection alone loads no other mechanism."""
    assert json.loads(_run(RANDOMIZE, survey(yes_no()).document.hex())) == ["subset"]


def test_the_registry_names_every_mechanism() -> None:
    """Each mechanism is found by its own name, and by its class's from the package."""
    assert [mechanism.name for mechanism in MECHANISMS.values()] == list(MECHANISMS)
    assert len(MECHANISMS) == len(list(MECHANISMS))
    for mechanism in MECHANISMS.values():
        assert getattr(mechanisms, mechanism.__name__) is mechanism
    with pytest.raises(AttributeError, match=r"mechanisms' has no attribute 'Laplace'"):
        mechanisms.Laplace  # noqa: B018 - looking it up is the test
