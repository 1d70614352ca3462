"""The SDK runs on the standard library alone, and on nothing of its own machine."""

import json
import subprocess
import sys
from pathlib import Path

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


def test_only_the_standard_library_is_loaded() -> None:
    """Without installed packages the SDK compiles, randomizes and checks a report."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM, str(SOURCE)],
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert "deniable_sdk" in loaded
    assert loaded - {"deniable_sdk"} <= sys.stdlib_module_names
    assert not loaded & {"random", "secrets", "urllib", "http", "socket", "sqlite3"}
