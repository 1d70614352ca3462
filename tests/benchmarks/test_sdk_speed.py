"""What the Python SDK costs: printed, never asserted."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deniable_sdk import PublishedSurvey, randomize
from sample_definitions import Document, choice, survey

pytestmark = pytest.mark.bench

SOURCE = Path(__file__).parents[2] / "client_sdk" / "python"
RUNS = 15


def _start_s(code: str, *arguments: str) -> float:
    command = [sys.executable, "-I", "-S", "-c", code, str(SOURCE), *arguments]
    begin = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - begin


def _microseconds(action: Callable[[], object], calls: int) -> float:
    """The median over runs of the time of one call."""
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        for _ in range(calls):
            action()
        times.append((time.perf_counter() - begin) / calls)
    return statistics.median(times) * 1e6


def _floor(domain_size: int, draws: int) -> Callable[[], bool]:
    """Reading as many random bytes as a report takes, and one comparison."""

    def read() -> bool:
        os.urandom(16)
        return min(int.from_bytes(os.urandom(6), "big") for _ in range(draws)) < domain_size

    return read


def _question(domain_size: int) -> Document:
    """A question with so many answers, "no answer" among them."""
    return choice(options=domain_size - 1)


def test_import_time(capsys: pytest.CaptureFixture[str]) -> None:
    """How long the SDK takes to import, over Python alone, in alternating runs."""
    bare, loaded = [], []
    for _ in range(RUNS):
        bare.append(_start_s("pass"))
        loaded.append(_start_s("import sys; sys.path.insert(0, sys.argv[1]); import deniable_sdk"))
    start, total = statistics.median(bare) * 1e3, statistics.median(loaded) * 1e3
    with capsys.disabled():
        print(f"\nimport, median of {RUNS} runs  ms   over Python alone")  # noqa: T201 - the result
        print(f"  python -I -S           {start:6.1f}")  # noqa: T201 - the result
        print(f"  import deniable_sdk    {total:6.1f}   +{total - start:.1f} ms")  # noqa: T201 - the result


FIRST_REPORT = """
import sys; sys.path.insert(0, sys.argv[1])
from deniable_sdk import PublishedSurvey, randomize
randomize(PublishedSurvey.from_bytes(bytes.fromhex(sys.argv[2])), {"region": "o1"}).to_bytes()
"""


def test_first_report(capsys: pytest.CaptureFixture[str]) -> None:
    """How long the first report takes from a cold start, over Python alone."""
    document = survey(_question(4), epsilon=2).document.hex()
    bare, whole = [], []
    for _ in range(RUNS):
        bare.append(_start_s("pass"))
        whole.append(_start_s(FIRST_REPORT, document))
    start, total = statistics.median(bare) * 1e3, statistics.median(whole) * 1e3
    with capsys.disabled():
        print(f"\nfirst report from a cold start, survey read and checked: {total:.1f} ms,")  # noqa: T201 - the result
        print(f"  +{total - start:.1f} ms over Python alone")  # noqa: T201 - the result


def _surveys() -> list[tuple[str, PublishedSurvey]]:
    """What is measured: one question of three sizes, and ten blocks at once."""
    ten = [choice(f"q{number}", options=3) for number in range(10)]
    sizes = [(f"{size} options", survey(_question(size), epsilon=2)) for size in (4, 100, 1000)]
    return [*sizes, ("10 blocks of 4", survey(*ten, epsilon=5, ask="all"))]


def _draws(published: PublishedSurvey) -> int:
    return sum(block.mechanism.draws for block in published.blocks)


def test_report_time_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    """How long one report takes, beside the floor of only reading its random bytes."""
    lines = ["", "one report in Python         µs   floor µs  ratio"]
    for label, published in _surveys():
        answers = dict.fromkeys(published.question_ids, "o1")
        calls = max(20, 8000 // _draws(published))
        took = _microseconds(lambda p=published, a=answers: randomize(p, a), calls)  # type: ignore[misc]
        floor = _microseconds(_floor(4, _draws(published)), calls)
        lines.append(f"  {label:20} {took:7.1f} {floor:8.1f}   {took / floor:5.1f}")
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result


def test_report_time_in_node(capsys: pytest.CaptureFixture[str]) -> None:
    """The same in Node."""
    given = "\n".join(
        json.dumps({"label": label, "draws": _draws(known), "document": known.document.hex()})
        for label, known in _surveys()
    )
    script = Path(__file__).with_name("node_speed.js")
    ran = subprocess.run(["node", script], input=given, capture_output=True, text=True, check=True)
    with capsys.disabled():
        print(f"\none report in Node           µs   floor µs  ratio\n{ran.stdout}", end="")  # noqa: T201 - the result
