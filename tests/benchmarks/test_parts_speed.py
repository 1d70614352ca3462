"""Exports of ten million reports in parts, and counts of a hundred million in DuckDB: printed."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import duckdb
import numpy as np
import pytest

from analysis.study_files import close_survey, reports_table
from benchmarks.test_counting_speed import MILLION, fill, surveys, tally
from deniable_analysis.sources.exports.survey_file import ExportedSurvey, content_of
from deniable_analysis.sources.parts_folder import (
    MANIFEST_NAME,
    SURVEY_NAME,
    ExportPart,
    Manifest,
    part_name,
)
from deniable_sdk import PublishedSurvey
from sample_definitions import choice, survey, yes_no

pytestmark = pytest.mark.bench

PARTS, REPORTS_OF_A_PART = 100, MILLION
# What a process of its own does, and how long it takes: seconds, processor seconds, and MiB.
MEASURED = """
import json, sys, time
from deniable_analysis import export_parts, open_study
begin, used = time.perf_counter(), time.process_time()
{work}
seconds, processor = time.perf_counter() - begin, time.process_time() - used
status = dict(line.split(":") for line in open("/proc/self/status"))
memory = int(status["VmHWM"].split()[0]) / 1024
print(json.dumps([seconds, processor, memory]))
"""
EXPORT = MEASURED.format(work="export_parts(sys.argv[1], sys.argv[2])")
COUNT = MEASURED.format(work="study = open_study(sys.argv[1]); study.count(study.survey.blocks)")
TOGETHER = MEASURED.format(
    work="study = open_study(sys.argv[1]); study.joint_counts(study.survey.blocks[:2])"
)


def measure(script: str, *arguments: object) -> str:
    """The numbers of a process, in columns."""
    ran = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        check=True,
        capture_output=True,
        timeout=1200,
    )
    seconds, processor, memory = json.loads(ran.stdout)
    return f"{seconds:8.1f} {processor:10.1f} {memory:8.0f}"


def grow(path: Path, published: PublishedSurvey, times: int) -> None:
    """So many times the reports, all with random ids."""
    table = reports_table(published)
    names = ", ".join(f'"{block.id}"' for block in published.blocks)
    copies = f"SELECT randomblob(16) AS id, {names} FROM old, copies ORDER BY id"  # noqa: S608 - ours
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.execute(f'CREATE TEMP TABLE old AS SELECT * FROM "{table}"')  # noqa: S608 - ours
        database.execute(f'DELETE FROM "{table}"')  # noqa: S608 - ours
        database.execute("CREATE TEMP TABLE copies (number)")
        database.executemany("INSERT INTO copies VALUES (?)", [(n,) for n in range(times)])
        database.execute(f'INSERT INTO "{table}" {copies}')
        database.commit()


def exported(folder: Path) -> Iterator[str]:
    """A line for each survey of ten million reports."""
    for label in ("10 of 10 blocks, every kind", "1 of 10 blocks, 5 options"):
        path, published = folder / "study.sqlite", surveys()[label]
        fill(path, published, np.random.default_rng(1))
        grow(path, published, 10)
        tally(path)
        close_survey(path, published)
        yield f"  export, {label:44} {measure(EXPORT, path, folder / 'parts')}"
        yield f"  count,  {label:44} {measure(COUNT, folder / 'parts')}"
        remove(folder)


def remove(folder: Path) -> None:
    """Remove everything in a folder."""
    for each in sorted(folder.rglob("*"), reverse=True):
        each.rmdir() if each.is_dir() else each.unlink()


def wide_surveys() -> dict[str, PublishedSurvey]:
    """Ten blocks: one of them asked, all of them with one answer, and sets."""
    one = [yes_no(f"y{place}") for place in range(10)]
    return {
        "1 of 10 blocks, 5 options": surveys()["1 of 10 blocks, 5 options"],
        "10 of 10 blocks of one answer": survey(*one, epsilon=10, ask="all"),
        "2 of 2 blocks, sets of 2 of 5": survey(
            *(choice(f"q{place}", options=4) for place in range(2)), epsilon=1, ask="all"
        ),
    }


def values_sql(published: PublishedSurvey) -> Sequence[str]:
    """Pseudo-random legal values of each block, for row i."""
    asked, blocks = published.asked, len(published.blocks)
    found = []
    for place, block in enumerate(published.blocks):
        form = block.mechanism.form
        drawn = f"hash(i * {blocks} + {place})"
        value = f"({drawn} % {form.members})::SMALLINT"
        if form.shape:
            first = f"({drawn} % {form.members - 1})::SMALLINT"
            value = f"[{first}, ({first} + 1)::SMALLINT]"
        if asked < blocks:
            value = f"CASE WHEN hash(i) % {blocks} = {place} THEN {value} END"
        found.append(f'{value} AS "{block.id}"')
    return found


def write_parts(folder: Path, published: PublishedSurvey) -> None:
    """An export of a hundred million reports, as DuckDB writes it."""
    folder.mkdir()
    columns = ", ".join(values_sql(published))
    with duckdb.connect() as connection:
        for place in range(PARTS):
            first = place * REPORTS_OF_A_PART
            rows = f"SELECT {columns} FROM range({first}, {first + REPORTS_OF_A_PART}) AS r(i)"  # noqa: S608 - ours
            connection.execute(f"COPY ({rows}) TO '{folder / part_name(place)}' (FORMAT parquet)")
    parts = tuple(ExportPart(part_name(place), REPORTS_OF_A_PART) for place in range(PARTS))
    beside = ExportedSurvey(published, 1, True, PARTS * REPORTS_OF_A_PART)
    (folder / SURVEY_NAME).write_bytes(content_of(beside))
    (folder / MANIFEST_NAME).write_bytes(Manifest(published.digest, parts).encode())


def counted(folder: Path) -> Iterator[str]:
    """A line for each survey of a hundred million reports."""
    for label, published in wide_surveys().items():
        write_parts(folder / "parts", published)
        yield f"  count,  {label:44} {measure(COUNT, folder / 'parts')}"
        yield f"  2 together,{'':41} {measure(TOGETHER, folder / 'parts')}"
        remove(folder)


def test_parts_speed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seconds, processor seconds and MiB, of ten million reports and of a hundred million."""
    heading = f"{'seconds':>62} processor      MiB"
    lines = [
        "\nten million reports in a SQLite file",
        heading,
        *exported(tmp_path),
        "a hundred million reports in a hundred parts",
        heading,
        *counted(tmp_path),
    ]
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result
