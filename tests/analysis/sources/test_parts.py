"""Exports in parts: each report is in exactly one part, and no part says more than its reports."""

import json
import random
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from analysis.kinds import MIXED
from analysis.study_files import Row, close_survey, in_parquet, reports_table, write_store
from analysis.study_files import add_reports as add_rows
from deniable_analysis import export_parts
from deniable_analysis.errors import (
    ExportExists,
    PackageMissing,
    StudyNotFound,
    SurveyNotClosed,
    UnreadableStudy,
)
from deniable_analysis.sources import parts as part_files
from deniable_collector import add_reports, open_store
from deniable_sdk import PublishedSurvey, Report, canonical, randomize
from deniable_storage import chunks
from invitations import GROUPS, invited_survey, many_reports
from postgres_server import PostgresServer, execute
from sample_definitions import choice, survey, yes_no

Stored = Callable[[PublishedSurvey, Sequence[Report]], str]


def reports_of(published: PublishedSurvey, count: int, seed: int = 1) -> list[Report]:
    """Reports of people who answer at most two questions."""
    source = random.Random(seed)
    said = {"order": "yes", "region": "o1"}
    answers = {name: said[name] for name in said.keys() & published.question_ids}
    return [randomize(published, answers, read_bytes=source.randbytes) for _ in range(count)]


@pytest.fixture(params=["sqlite", "postgres"])
def stored(
    request: pytest.FixtureRequest, tmp_path: Path, postgres_server: PostgresServer
) -> Stored:
    """A function that stores the reports of a survey, closes it, and gives the location."""

    def store(published: PublishedSurvey, reports: Sequence[Report]) -> str:
        kind = request.param
        location = postgres_server.schema() if kind == "postgres" else str(tmp_path / "store")
        with closing(open_store(location)) as opened:
            opened.publish(published)
            add_reports(opened, reports)
            opened.close_survey(published.slug)
        return location

    return store


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of at most 50 reports, chunks and batches of a few."""
    monkeypatch.setattr(part_files, "REPORTS_OF_A_PART", 50)
    monkeypatch.setattr(chunks, "CHUNK_MEMBERS", 16 * 7)
    monkeypatch.setattr(part_files, "BATCH_MEMBERS", 200)


def rows_of(part: Path) -> list[dict[str, Any]]:
    """The rows of a part, without what is missing."""
    rows = parquet.read_table(part).to_pylist()
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


def sorted_rows(rows: Sequence[Row]) -> list[str]:
    """The same rows in one order, for comparisons."""
    return sorted(map(str, (sorted(row.items()) for row in rows)))


def expected_parts(
    published: PublishedSurvey, reports: Sequence[Report], bits: int
) -> Iterator[list[str]]:
    """What each part has to contain: the reports whose ids begin with its number."""
    for place in range(1 << bits):
        rows: list[Row] = []
        for report in reports:
            if int(report.id, 16) >> (128 - bits) == place:
                group = {"_group": report.token.group} if report.token else {}
                rows.append({**group, **in_parquet(published, report.values)})
        yield sorted_rows(rows)


@pytest.mark.usefixtures("small_parts")
def test_each_report_is_in_the_part_of_its_id(stored: Stored, tmp_path: Path) -> None:
    """Each part has the values of the reports whose ids begin with its number, and no id."""
    reports, folder = reports_of(MIXED, 300), tmp_path / "out"
    steps: list[tuple[int, int]] = []
    exported = export_parts(
        stored(MIXED, reports), folder, on_progress=lambda done, total: steps.append((done, total))
    )
    assert (exported.report_count, exported.part_count, exported.kept_count) == (300, 8, 0)
    parts = sorted(folder.glob("*.parquet"))
    assert [sorted_rows(rows_of(part)) for part in parts] == list(
        expected_parts(MIXED, reports, 3)
    )
    for part in parts:
        assert parquet.read_schema(part).names == [block.id for block in MIXED.blocks]
    assert steps[-1] == (300, 300)
    assert steps == sorted(steps)
    check_chunks(steps)
    beside = json.loads((folder / "_survey.json").read_bytes())
    assert canonical.encode(beside["survey"]) == MIXED.document
    assert (beside["reports"], beside["is_closed"]) == (300, True)
    manifest = json.loads((folder / "_manifest.json").read_bytes())
    assert [each["reports"] for each in manifest["parts"]] == [len(rows_of(p)) for p in parts]
    assert len(list(folder.iterdir())) == 10


def check_chunks(steps: Sequence[tuple[int, int]]) -> None:
    """At most seven reports were read at a time, as small_parts says."""
    done = [0, *(done for done, _ in steps)]
    assert max(after - before for before, after in pairwise(done)) <= 7


@pytest.mark.usefixtures("small_parts")
def test_ids_that_begin_alike_are_read_in_small_chunks(tmp_path: Path) -> None:
    """If ids are not random, one part is large, and memory is bounded all the same."""
    store, steps = tmp_path / "store", list[tuple[int, int]]()
    rows = [dict(report.values) for report in reports_of(MIXED, 200)]
    write_store(store, MIXED)
    add_rows(store, MIXED, rows)
    close_survey(store, MIXED)
    export_parts(
        store, tmp_path / "out", on_progress=lambda done, total: steps.append((done, total))
    )
    parts = [rows_of(part) for part in sorted((tmp_path / "out").glob("*.parquet"))]
    assert [len(part) for part in parts] == [200, 0, 0, 0]
    assert sorted_rows(parts[0]) == sorted_rows([in_parquet(MIXED, row) for row in rows])
    check_chunks(steps)


def test_both_engines_and_every_order_of_arrival_make_the_same_files(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """The files follow from the reports: not from the store, nor from how they arrived."""
    reports = reports_of(MIXED, 120)
    contents = []
    for place, location in enumerate(
        (str(tmp_path / "one"), str(tmp_path / "two"), postgres_server.schema())
    ):
        with closing(open_store(location)) as opened:
            opened.publish(MIXED)
            add_reports(opened, reports if place else reports[::-1])
            opened.close_survey(MIXED.slug)
        export_parts(location, tmp_path / f"out{place}")
        contents.append(
            {path.name: path.read_bytes() for path in (tmp_path / f"out{place}").iterdir()}
        )
    assert contents[0] == contents[1] == contents[2]


def test_rows_of_a_part_do_not_follow_ids(stored: Stored, tmp_path: Path) -> None:
    """Rows are sorted by their values, so that an id does not lead to a row."""
    one = survey(choice("region", 12, required=True), epsilon=1, slug="one")
    export_parts(stored(one, reports_of(one, 200)), tmp_path / "out")
    column = parquet.read_table(tmp_path / "out/part-00000.parquet")["region"].to_pylist()
    assert column == sorted(column)
    assert len(Counter(map(str, column))) > 2


@pytest.mark.usefixtures("small_parts")
def test_groups_are_a_column(stored: Stored, tmp_path: Path) -> None:
    """A survey by invitation has the group of each report, and not its token."""
    invited = invited_survey(yes_no("order"), choice("region", 3), slug="ward", ask=1, epsilon=4)
    reports = many_reports(invited, 90, random.Random(3), GROUPS)
    location = stored(invited.published, reports)
    export_parts(location, tmp_path / "out")
    parts = sorted((tmp_path / "out").glob("*.parquet"))
    assert [sorted_rows(rows_of(part)) for part in parts] == list(
        expected_parts(invited.published, reports, 1)
    )
    assert parquet.read_schema(parts[0]).names == ["_group", "order", "region"]


@pytest.mark.usefixtures("small_parts")
def test_an_interrupted_export_goes_on(stored: Stored, tmp_path: Path) -> None:
    """Finished parts are kept; missing, damaged and foreign ones are written again."""
    location, whole = stored(MIXED, reports_of(MIXED, 300)), tmp_path / "whole"
    export_parts(location, whole)
    names = sorted(path.name for path in whole.iterdir())
    out = tmp_path / "out"
    out.mkdir()
    for name in names:
        (out / name).write_bytes((whole / name).read_bytes())
    (out / "_manifest.json").unlink()
    (out / "part-00001.parquet").unlink()
    (out / "part-00002.parquet").write_bytes((out / "part-00002.parquet").read_bytes()[:-9])
    (out / "part-00003.parquet").write_bytes((out / "part-00004.parquet").read_bytes())
    (out / "_unfinished-0123-part-00001.parquet").write_bytes(b"PAR1")
    before = (out / "part-00000.parquet").stat().st_mtime_ns
    exported = export_parts(location, out)
    assert (exported.part_count, exported.kept_count) == (8, 5)
    assert (out / "part-00000.parquet").stat().st_mtime_ns == before
    assert sorted(path.name for path in out.iterdir()) == names
    assert all((out / name).read_bytes() == (whole / name).read_bytes() for name in names)


def test_only_closed_surveys_are_exported_in_parts(tmp_path: Path) -> None:
    """Parts of an open survey would be of several moments."""
    with closing(open_store(str(tmp_path / "store"))) as opened:
        opened.publish(MIXED)
    with pytest.raises(SurveyNotClosed, match=r"^survey 'mixed' still accepts reports.*close it"):
        export_parts(tmp_path / "store", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_nothing_is_written_over(stored: Stored, tmp_path: Path) -> None:
    """A folder with anything else, or with a whole export, is refused."""
    location = stored(MIXED, reports_of(MIXED, 20))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("mine")
    with pytest.raises(ExportExists, match=r"mine is not empty, for example notes\.txt; name an"):
        export_parts(location, tmp_path / "mine")
    export_parts(location, tmp_path / "out")
    with pytest.raises(ExportExists, match="out already has a whole export; name another folder"):
        export_parts(location, tmp_path / "out")
    (tmp_path / "out/_manifest.json").unlink()
    (tmp_path / "out/_survey.json").write_text("{}")
    with pytest.raises(ExportExists, match="has an unfinished export of another survey"):
        export_parts(location, tmp_path / "out")
    with pytest.raises(StudyNotFound, match=r"got the folder .*\*; allowed is a name without"):
        export_parts(location, tmp_path / "new*")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            "\"region\" = '[1,99]'",
            "block 'region': got a stored value that its mechanism 'subset'",
        ),
        ('"order" = 7', "block 'order': got a stored value that its mechanism 'subset' cannot"),
        ("\"drugs\" = '[[9,9]]'", "block 'drugs': got a stored value that its mechanism"),
    ],
)
def test_strange_values_are_refused(
    change: str, message: str, stored: Stored, tmp_path: Path
) -> None:
    """A value that no device sends stops the export, without being shown."""
    location = stored(MIXED, reports_of(MIXED, 20))
    change_store(location, f'UPDATE "{reports_table(MIXED)}" SET {change}')  # noqa: S608 - ours
    with pytest.raises(UnreadableStudy, match=message) as caught:
        export_parts(location, tmp_path / "out")
    assert "99" not in str(caught.value)
    assert not (tmp_path / "out/_manifest.json").exists()


def test_lost_reports_are_noticed(stored: Stored, tmp_path: Path) -> None:
    """If the parts have fewer reports than the tally says, the export is not finished."""
    location = stored(MIXED, reports_of(MIXED, 20))
    change_store(location, f'DELETE FROM "{reports_table(MIXED)}"')  # noqa: S608 - ours
    with pytest.raises(UnreadableStudy, match="got 0 reports in all parts, and the tally of the"):
        export_parts(location, tmp_path / "out")
    assert not (tmp_path / "out/_manifest.json").exists()


def test_without_pyarrow_the_error_says_what_to_install(
    stored: Stored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the extra."""
    location = stored(MIXED, ())
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(PackageMissing, match=r'pip install "deniable\[analysis,parquet\]"'):
        export_parts(location, tmp_path / "out")


def test_an_empty_survey_has_an_empty_part(stored: Stored, tmp_path: Path) -> None:
    """Without reports there is one part without rows."""
    exported = export_parts(stored(MIXED, ()), tmp_path / "out")
    assert (exported.report_count, exported.part_count) == (0, 1)
    assert rows_of(tmp_path / "out/part-00000.parquet") == []


def change_store(location: str, statement: str) -> None:
    """Change a store, as nobody should."""
    if location.startswith("postgresql:"):
        execute(location, statement)
        return
    with closing(sqlite3.connect(location)) as database, database:
        database.execute(statement)
