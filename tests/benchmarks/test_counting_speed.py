"""How fast a large study is counted, and in how much memory: printed, never asserted."""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from analysis.study_files import reports_table
from deniable_analysis import count_values
from deniable_analysis.simulation import simulate_values
from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import SomeOf
from deniable_sdk.survey.block import Block
from deniable_sdk.theory.subset import best_subset
from deniable_sdk.weights import integer_weights
from sample_definitions import choice, multiple, number, scale, survey, yes_no

pytestmark = pytest.mark.bench

MILLION = 1_000_000
TEN = [choice(f"q{place}", options=4) for place in range(10)]
KINDS = [
    *(choice(f"q{place}", options=4) for place in range(4)),
    *(yes_no(f"y{place}") for place in range(2)),
    scale(),
    multiple(options=6),
    number(),
    choice("large", options=99),
]
# What a process of its own does: estimate, and count two blocks together.
MEASURE = """
import json, sys, time
from deniable_analysis import open_study
status = lambda: dict(line.split(":") for line in open("/proc/self/status"))
peak = lambda: int(status()["VmHWM"].split()[0]) / 1024
study = open_study(sys.argv[1])
begin, used = time.perf_counter(), time.process_time()
study.estimate()
seconds, processor = time.perf_counter() - begin, time.process_time() - used
memory = peak()
begin = time.perf_counter()
study.joint_counts(study.survey.blocks[:2])
print(json.dumps([seconds, processor, memory, time.perf_counter() - begin, peak()]))
"""


def surveys() -> dict[str, PublishedSurvey]:
    """Ten blocks: of small sets, of one option each, and of every kind."""
    return {
        "10 of 10 blocks, sets of 2 of 5": survey(*TEN, epsilon=5, ask="all"),
        "1 of 10 blocks, 5 options": survey(*TEN, epsilon=5, ask=1),
        "10 of 10 blocks, every kind": survey(*KINDS, epsilon=10, ask="all"),
    }


def stored_values(block: Block, reports: int, generator: np.random.Generator) -> list[object]:
    """What a store holds of so many reports of a block, of one answer."""
    domain = block.mechanism.domain
    several = isinstance(domain, SomeOf)
    answers = (
        np.zeros((reports, domain.options), dtype=np.bool_)
        if several
        else np.zeros(reports, dtype=np.int64)
    )
    values = simulate_values(block.mechanism, answers, generator).tolist()
    return [str(value).replace(" ", "") if isinstance(value, list) else value for value in values]


def fill(path: Path, published: PublishedSurvey, generator: np.random.Generator) -> None:
    """A store of a million reports, whose ids begin with a zero byte."""
    with closing(open_store(path)) as store:
        store.publish(published)
    places = ", ".join("?" * (1 + len(published.blocks)))
    step = 50_000
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA synchronous = OFF")
        for start in range(0, MILLION, step):
            order = generator.random((step, len(published.blocks))).argsort(axis=1)
            columns = [
                [
                    value if is_asked else None
                    for value, is_asked in zip(values, asked, strict=True)
                ]
                for values, asked in zip(
                    (stored_values(block, step, generator) for block in published.blocks),
                    (order < published.asked).T.tolist(),
                    strict=True,
                )
            ]
            ids = ((start + index).to_bytes(16, "big") for index in range(step))
            database.executemany(
                f'INSERT INTO "{reports_table(published)}" VALUES ({places})',  # noqa: S608 - ours
                zip(ids, *columns, strict=True),
            )


def grow(path: Path, published: PublishedSurvey) -> None:
    """Ten times the reports: each nine times more, under other ids."""
    table = reports_table(published)
    names = ", ".join(f'"{block.id}"' for block in published.blocks)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA synchronous = OFF")
        for copy in range(1, 10):
            new_id = f"CAST(x'{copy:02x}' || substr(_report, 2) AS BLOB)"
            database.execute(
                f'INSERT INTO "{table}" SELECT {new_id}, {names} '  # noqa: S608 - the test's own
                f"FROM \"{table}\" WHERE _report < x'01'"
            )


def tally(path: Path) -> None:
    """Count the reports, which were written beside the collector."""
    with closing(open_store(path)) as store:
        for stored in store.list_surveys():
            store.repair_tally(stored)


def measure(path: Path) -> list[float]:
    """Seconds, processor seconds and MiB of estimates; the same of two blocks together."""
    ran = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], check=True, capture_output=True, timeout=600
    )
    found: list[float] = json.loads(ran.stdout)
    return found


def measured(folder: Path) -> Iterator[str]:
    """A line for each study; the first one also ten times as large."""
    generator = np.random.default_rng(1)
    for label, published in surveys().items():
        path = folder / "study.sqlite"
        fill(path, published, generator)
        tally(path)
        once = measure(path)
        yield _line(f"{label}, 1 million", once)
        if published.asked == len(published.blocks) and "sets" in label:
            grow(path, published)
            tally(path)
            tenfold = measure(path)
            yield _line(f"{label}, 10 million", tenfold)
            yield f"    2 together take {tenfold[3] / once[3]:.1f} times as long"
        for file in folder.iterdir():
            file.unlink()


def _line(label: str, found: list[float]) -> str:
    seconds, processor, memory, together, peak = found
    return (
        f"  {label:44} {seconds:8.2f} {processor:10.2f} {memory:8.0f} {together:12.2f} {peak:8.0f}"
    )


def best_of(run: Callable[[], object], times: int = 9) -> float:
    """The least milliseconds of several runs."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        run()
        taken.append(time.perf_counter() - begin)
    return 1000 * min(taken)


def decoded() -> Iterator[str]:
    """Sets of 100 options held as an array, beside a bare bincount over the same indices."""
    for epsilon in (1, 2):
        mechanism = best_subset(100, integer_weights(Fraction(epsilon)))
        answers = np.zeros(100_000, dtype=np.int64)
        values = simulate_values(mechanism, answers, np.random.default_rng(2))
        bare = best_of(lambda: np.bincount(values.reshape(-1), minlength=100))  # noqa: B023 - run at once
        ours = best_of(lambda: count_values(mechanism, values))  # noqa: B023 - as above
        label = f"epsilon {epsilon}, sets of {mechanism.size}"
        yield f"  {label:44} {ours:8.1f} {bare:10.1f} {ours / bare:8.1f}"


def test_counting_speed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seconds and MiB for stores of up to ten million reports, and for arrays of sets."""
    lines = [
        "",
        f"{'estimates from a SQLite file':46} seconds  processor      MiB   2 together      MiB",
        *measured(tmp_path),
        "",
        "100,000 reports of 100 options as an array            ms  bincount    ratio",
        *decoded(),
    ]
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result
