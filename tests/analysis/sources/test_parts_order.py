"""Parts say nothing about when reports arrived, and no kill loses a report or doubles one."""

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from pyarrow import parquet

from analysis.kinds import MIXED
from analysis.sources.test_parts import expected_parts, reports_of, rows_of, sorted_rows
from deniable_analysis import export_parts
from deniable_analysis.sources import parts as part_files
from deniable_collector import add_reports, open_store
from deniable_sdk import PublishedSurvey, Report
from order_checks import check_random_order
from sample_definitions import choice, survey
from sampling_checks import SampleRejected

SETS = survey(choice("region", 60), epsilon=1, slug="sets")
KILLS = 50
# Parts of 16 reports at most; a line once the packages are there.
EXPORT = """
import sys
from deniable_analysis import export_parts
from deniable_analysis.sources import parts
import pyarrow.parquet
parts.REPORTS_OF_A_PART = 16
print("ready", flush=True)
folder, *stores = sys.argv[1:]
export_parts(stores if len(stores) > 1 else stores[0], folder)
"""


def arrive(path: Path, published: PublishedSurvey, reports: Sequence[Report]) -> str:
    """Store reports one after the other, and close their survey."""
    with closing(open_store(str(path))) as store:
        store.publish(published)
        for report in reports:
            add_reports(store, [report])
        store.close_survey(published.slug)
    return str(path)


def spread(
    folder: Path, published: PublishedSurvey, reports: Sequence[Report], machines: int
) -> list[str]:
    """Stores of machines that had turns; every fourth report was also sent to the next one."""
    size, found = len(reports) // machines, []
    for place in range(machines):
        theirs = reports[place * size : (place + 1) * size]
        before = reports[(place - 1) % machines * size :][:size:4]
        found.append(arrive(folder / f"machine{place}", published, [*before, *theirs]))
    return found


def test_parts_tell_no_order_of_arrival(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The places of reports, part after part, follow their arrival no more than a random order."""
    monkeypatch.setattr(part_files, "REPORTS_OF_A_PART", 100)
    reports = reports_of(SETS, 1600)
    export_parts(arrive(tmp_path / "store", SETS, reports), tmp_path / "out")
    parts = sorted((tmp_path / "out").glob("*.parquet"))
    assert len(parts) == 16
    found = [
        json.dumps(value)
        for part in parts
        for value in parquet.read_table(part)["region"].to_pylist()
    ]
    check_random_order([json.dumps(report.values["region"]) for report in reports], found)


@pytest.mark.deep
def test_parts_of_several_stores_tell_no_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Places follow neither arrival nor machines, even if these had turns."""
    monkeypatch.setattr(part_files, "REPORTS_OF_A_PART", 100)
    reports = reports_of(SETS, 1600)
    stores = spread(tmp_path, SETS, reports, machines=4)
    assert export_parts(stores, tmp_path / "out").repeated_count == 400
    found = [
        json.dumps(value)
        for part in sorted((tmp_path / "out").glob("*.parquet"))
        for value in parquet.read_table(part)["region"].to_pylist()
    ]
    check_random_order([json.dumps(report.values["region"]) for report in reports], found)


def test_one_store_after_the_other_would_be_noticed() -> None:
    """If parts had one machine after the other, the same check rejects them."""
    arrived = [json.dumps(report.values["region"]) for report in reports_of(SETS, 1600)]
    machines = [sorted(arrived[start : start + 400]) for start in range(0, 1600, 400)]
    with pytest.raises(SampleRejected, match="a trend"):
        check_random_order(arrived, [text for machine in machines for text in machine])


def test_parts_by_arrival_would_be_noticed() -> None:
    """If each part had the reports of one time, sorted by value, the same check rejects them."""
    arrived = [json.dumps(report.values["region"]) for report in reports_of(SETS, 1600)]
    parts = [sorted(arrived[start : start + 100]) for start in range(0, 1600, 100)]
    with pytest.raises(SampleRejected, match="a trend"):
        check_random_order(arrived, [text for part in parts for text in part])


def killed(stores: Sequence[str], folder: Path, delay_s: float) -> bool:
    """Whether an export was killed before its end."""
    export = subprocess.Popen(
        [sys.executable, "-c", EXPORT, str(folder), *stores], stdout=subprocess.PIPE
    )
    with export:
        assert export.stdout
        assert export.stdout.readline() == b"ready\n"
        time.sleep(delay_s)
        export.send_signal(signal.SIGKILL)
        export.wait(timeout=60)
    assert export.returncode in (0, -signal.SIGKILL)
    return export.returncode != 0


def check_whole(folder: Path, reports: Sequence[Report]) -> None:
    """Every report is in exactly one part, that of its id, and nothing else is there."""
    parts = sorted(folder.glob("part-*.parquet"))
    assert [sorted_rows(rows_of(part)) for part in parts] == list(
        expected_parts(MIXED, reports, 7)
    )
    assert len(list(folder.iterdir())) == len(parts) + 2


@pytest.mark.deep
@pytest.mark.parametrize("machines", [1, 4])
def test_no_kill_loses_or_doubles_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machines: int
) -> None:
    """After fifty kills at any moment, each export that was ended has every report once."""
    source, reports = random.Random(6), reports_of(MIXED, 2000)
    monkeypatch.setattr(part_files, "REPORTS_OF_A_PART", 16)
    stores = spread(tmp_path, MIXED, reports, machines)
    count, exports = 0, 1
    while count < KILLS:
        folder = tmp_path / f"out{exports}"
        count += killed(stores, folder, source.uniform(0, 0.08 * machines))
        if (folder / "_manifest.json").exists():
            check_whole(folder, reports)
            exports += 1
    folder = tmp_path / f"out{exports}"
    if not (folder / "_manifest.json").exists():
        export_parts(stores, folder)
    check_whole(folder, reports)
