"""What the SDK costs: printed, never asserted."""

import json
import operator
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from benchmarks.timed_surveys import TimedSurvey, timed_surveys
from deniable_sdk import randomize
from sample_definitions import choice, survey

pytestmark = pytest.mark.bench

SOURCE = Path(__file__).parents[2] / "client_sdk" / "python"
START_RUNS = 25
REPORT_RUNS = 100

IMPORT = "import sys; sys.path.insert(0, sys.argv[1]); import deniable_sdk"
CLIENT = f"{IMPORT}; deniable_sdk.open_client"
FIRST_REPORT = """
import sys; sys.path.insert(0, sys.argv[1])
from deniable_sdk import PublishedSurvey, randomize
randomize(PublishedSurvey.from_bytes(bytes.fromhex(sys.argv[2])), {"region": "o1"}).to_bytes()
"""

HEADING = """
one report in {}: µs, µs with its bytes, and how many times what it costs only to
read its random bytes, draw by draw (a) or all in one call (b), and compare integers
                              µs    bytes     (a)    (b)"""


def _start_ms(code: str, *arguments: str) -> float:
    command = [sys.executable, "-I", "-S", "-c", code, str(SOURCE), *arguments]
    begin = time.perf_counter()
    subprocess.run(command, check=True)
    return (time.perf_counter() - begin) * 1e3


def test_start(capsys: pytest.CaptureFixture[str]) -> None:
    """How long an import and a first report take, over Python alone, in turns."""
    document = survey(choice(), epsilon=2).document.hex()
    programs = {
        "python -I -S": ("pass",),
        "import deniable_sdk": (IMPORT,),
        "and open_client": (CLIENT,),
        "first report, from cold": (FIRST_REPORT, document),
    }
    times: dict[str, list[float]] = {label: [] for label in programs}
    for _ in range(START_RUNS):
        for label, program in programs.items():
            times[label].append(_start_ms(*program))
    bare = times["python -I -S"]
    lines = ["", f"start, {START_RUNS} runs in turns    least ms   over Python: least  median"]
    for label, taken in times.items():
        over = statistics.median(map(operator.sub, taken, bare))
        lines.append(f"  {label:24} {min(taken):12.1f} {min(taken) - min(bare):20.1f} {over:7.1f}")
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result


def _floor(draws: int) -> Callable[[], bool]:
    """Reading a report's random bytes draw by draw, and comparing integers."""

    def read() -> bool:
        os.urandom(16)
        return min(int.from_bytes(os.urandom(6), "big") for _ in range(draws)) < 4

    return read


def _strict_floor(draws: int) -> Callable[[], bool]:
    """Reading them all in one call, as the SDK does, and comparing integers."""
    length = 16 + 6 * draws

    def read() -> bool:
        drawn = os.urandom(length)
        starts = range(16, length, 6)
        return min([int.from_bytes(drawn[start : start + 6], "big") for start in starts]) < 4

    return read


def _in_turns(actions: Mapping[str, Callable[[], object]], calls: int) -> dict[str, list[float]]:
    """Microseconds of one call of each action, in runs that take turns."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(REPORT_RUNS):
        for name, action in actions.items():
            begin = time.perf_counter()
            for _ in range(calls):
                action()
            times[name].append((time.perf_counter() - begin) / calls * 1e6)
    return times


def _report_line(timed: TimedSurvey) -> str:
    published, answers = timed.published, timed.answers
    times = _in_turns(
        {
            "report": lambda: randomize(published, answers),
            "bytes": lambda: randomize(published, answers).to_bytes(),
            "a": _floor(timed.draws),
            "b": _strict_floor(timed.draws),
        },
        calls=max(5, 400 // timed.draws),
    )
    ratios = [statistics.median(map(operator.truediv, times["report"], times[x])) for x in "ab"]
    report, written = statistics.median(times["report"]), statistics.median(times["bytes"])
    return f"  {timed.label:22} {report:7.1f} {written:8.1f}   {ratios[0]:5.1f}  {ratios[1]:5.1f}"


def test_report_time_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    """How long one report takes, beside the floors of only reading its random bytes."""
    lines = [HEADING.format("Python"), *map(_report_line, timed_surveys())]
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result


def test_report_time_in_node(capsys: pytest.CaptureFixture[str]) -> None:
    """The same in Node."""
    given = "\n".join(json.dumps(timed.to_document()) for timed in timed_surveys())
    script = Path(__file__).with_name("node_speed.js")
    ran = subprocess.run(["node", script], input=given, capture_output=True, text=True, check=True)
    with capsys.disabled():
        print(f"{HEADING.format('Node')}\n{ran.stdout}", end="")  # noqa: T201 - the result
