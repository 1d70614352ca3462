"""How long the analysis takes to start, beside what it stands on: printed, never asserted."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

BARE = "import numpy, scipy.special"
OURS = "from deniable_analysis import open_study"
PROGRAM = "import time; begin = time.process_time(); {}; print(time.process_time() - begin)"


def least_seconds(statement: str, compiled: Path, times: int = 9) -> float:
    """The least processor seconds of a statement in processes of their own."""
    # Compiled modules are kept, as they are where a package is installed.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(compiled)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    taken = []
    for _ in range(times):
        ran = subprocess.run(
            [sys.executable, "-c", PROGRAM.format(statement)],
            check=True,
            capture_output=True,
            env=environment,
            timeout=120,
        )
        taken.append(float(ran.stdout))
    return min(taken)


def test_start_speed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Processor seconds of importing the analysis, and of numpy and scipy.special alone."""
    bare, ours = (least_seconds(statement, tmp_path) for statement in (BARE, OURS))
    with capsys.disabled():
        print(  # noqa: T201 - the result
            f"\nprocessor seconds to start: {OURS} {ours:.2f}, {BARE} {bare:.2f}, "
            f"{ours / bare:.2f} times"
        )
