"""How fast exports are counted, beside the least that reading them takes: printed only."""

import csv
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from benchmarks.test_counting_speed import fill, surveys
from deniable_analysis import export_study, open_study

pytestmark = pytest.mark.bench

EVERY_KIND = "10 of 10 blocks, every kind"


def read_csv(path: Path) -> None:
    """Every cell as a text."""
    with path.open(newline="") as file:
        for _ in csv.reader(file):
            pass


def read_ndjson(path: Path) -> None:
    """Every line as an object."""
    with path.open("rb") as file:
        for line in file:
            json.loads(line)


def read_parquet(path: Path) -> None:
    """Every column as an array."""
    with parquet.ParquetFile(path) as file:
        for _ in file.iter_batches(1 << 14):
            pass


BARE = {
    "csv": ("csv.reader", read_csv),
    "ndjson": ("json.loads", read_ndjson),
    "parquet": ("pyarrow", read_parquet),
}


def processor_seconds(run: Callable[[], object]) -> float:
    """The least of two runs."""
    taken = []
    for _ in range(2):
        begin = time.process_time()
        run()
        taken.append(time.process_time() - begin)
    return min(taken)


def measured(folder: Path) -> Iterator[str]:
    """A line for each kind of export of a million reports."""
    store = folder / "study.sqlite"
    fill(store, surveys()[EVERY_KIND], np.random.default_rng(1))
    for suffix, (name, read) in BARE.items():
        path = folder / suffix / f"study.{suffix}"
        path.parent.mkdir()
        export_study(store, path)
        ours = processor_seconds(open_study(path).estimate)
        bare = processor_seconds(lambda: read(path))  # noqa: B023 - run at once
        yield f"  {suffix:10} {ours:8.2f}    {name:10} {bare:8.2f} {ours / bare:8.1f}"


def test_export_speed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Processor seconds of estimates from each kind of export, and of bare reading."""
    lines = [
        f"\nestimates from exports of 1 million reports, {EVERY_KIND}: processor seconds",
        "                 ours    bare                   ratio",
        *measured(tmp_path),
    ]
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result
