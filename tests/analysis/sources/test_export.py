"""Exports say what the store says, and are refused once they are damaged."""

import csv
import json
import re
import shutil
import sqlite3
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from analysis.kinds import MIXED
from analysis.study_files import Row, add_reports, in_parquet, write_store
from deniable_analysis import export_study, open_study
from deniable_analysis.errors import (
    ExportExists,
    LanguageNotFound,
    PackageMissing,
    StudyNotFound,
    UnreadableStudy,
)
from deniable_sdk import canonical, randomize
from sample_definitions import survey, yes_no

FORMATS = ("ndjson", "csv", "json", "parquet")
REPORTS: list[Row] = [
    dict(randomize(MIXED, {"order": "yes", "region": "o1"}).values) for _ in range(300)
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of reports of every shape of value, each asked three of four blocks."""
    path = tmp_path_factory.mktemp("store") / "store.sqlite"
    write_store(path, survey(yes_no(), slug=MIXED.slug), MIXED)
    add_reports(path, MIXED, REPORTS)
    return path


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_export_counts_as_its_store(suffix: str, store: Path, tmp_path: Path) -> None:
    """Estimates, tuples, edition and digest of an export are those of the store."""
    path = tmp_path / f"health.{suffix}"
    exported = export_study(store, path)
    assert (exported.report_count, exported.edition) == (300, 2)
    assert exported.survey == MIXED
    before, after = open_study(store), open_study(str(path))
    assert after.estimate() == before.estimate()
    assert after.report_count == 300
    for blocks in (MIXED.blocks[:2], MIXED.blocks[1:]):
        one, other = before.joint_counts(blocks), after.joint_counts(blocks)
        np.testing.assert_array_equal(one.counts, other.counts)
        for index in range(len(blocks)):
            np.testing.assert_array_equal(one.of(index), other.of(index))


def test_an_export_is_the_randomized_values_and_nothing_else(store: Path, tmp_path: Path) -> None:
    """Each line holds the values of one report, in the order of the random ids, without these."""
    for suffix in FORMATS:
        export_study(store, tmp_path / f"health.{suffix}")
        (tmp_path / "health.survey.json").unlink()
    lines = (tmp_path / "health.ndjson").read_text().splitlines()
    assert [json.loads(line) for line in lines] == REPORTS
    whole = json.loads((tmp_path / "health.json").read_text())
    assert whole["reports"] == REPORTS
    assert canonical.encode(whole["survey"]) == MIXED.document
    assert (whole["digest"], whole["edition"], whole["is_closed"]) == (MIXED.digest, 2, False)
    assert len(whole) == 6
    with (tmp_path / "health.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == [block.id for block in MIXED.blocks]
    assert [
        {name: json.loads(cell) for name, cell in zip(header, row, strict=True) if cell}
        for row in rows
    ] == REPORTS
    table = parquet.read_table(tmp_path / "health.parquet").to_pylist()
    assert [
        {name: value for name, value in row.items() if value is not None} for row in table
    ] == [in_parquet(MIXED, report) for report in REPORTS]


def test_the_survey_beside_an_export_is_what_was_published(store: Path, tmp_path: Path) -> None:
    """The document's digest can be recomputed from the file beside the export."""
    export_study(store, tmp_path / "health.csv")
    beside = json.loads((tmp_path / "health.survey.json").read_bytes())
    assert beside["format"] == "deniable-export/1"
    assert canonical.encode(beside["survey"]) == MIXED.document
    assert (beside["digest"], beside["reports"]) == (MIXED.digest, 300)
    assert (beside["edition"], beside["is_closed"]) == (2, False)


def test_a_published_survey_alone_will_do(tmp_path: Path) -> None:
    """A file of values beside a bare published survey is its first edition."""
    (tmp_path / "mine.ndjson").write_text('{"order":1}\n{"order":0}\n')
    (tmp_path / "mine.survey.json").write_bytes(MIXED.document)
    study = open_study(tmp_path / "mine.ndjson")
    assert (study.edition, study.report_count, study.survey) == (1, 2, MIXED)


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_empty_survey_can_be_exported(suffix: str, tmp_path: Path) -> None:
    """Without reports the export says so, and its study estimates nothing."""
    write_store(tmp_path / "store.sqlite", MIXED)
    path = tmp_path / f"none.{suffix}"
    assert export_study(tmp_path / "store.sqlite", path).report_count == 0
    estimates = open_study(path).estimate()
    assert estimates.reports == 0
    assert {option.share for question in estimates.questions for option in question.options} == {
        None
    }


def test_files_are_never_overwritten(store: Path, tmp_path: Path) -> None:
    """A file in the way of either is named, and stays."""
    for name in ("health.csv", "health.survey.json"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(ExportExists, match=rf"{name} already exists.* move it"):
            export_study(store, tmp_path / "health.csv")
        assert (tmp_path / name).read_text() == "mine"
        (tmp_path / name).unlink()
    assert list(tmp_path.iterdir()) == []


def test_one_survey_is_exported_in_every_format(store: Path, tmp_path: Path) -> None:
    """All of them share the survey's file; one of another moment is not written over."""
    mine = Path(shutil.copy(store, tmp_path / "store.sqlite"))
    for suffix in FORMATS:
        export_study(store, tmp_path / f"health.{suffix}")
    estimates = [open_study(tmp_path / f"health.{suffix}").estimate() for suffix in FORMATS]
    assert all(estimate == estimates[0] for estimate in estimates)
    beside = (tmp_path / "health.survey.json").read_bytes()
    add_reports(mine, MIXED, [{"order": 1}])
    (tmp_path / "health.csv").unlink()
    with pytest.raises(ExportExists, match=r"of another moment of this one; move it"):
        export_study(mine, tmp_path / "health.csv")
    assert not (tmp_path / "health.csv").exists()
    assert (tmp_path / "health.survey.json").read_bytes() == beside


def test_a_failed_export_leaves_nothing(tmp_path: Path) -> None:
    """A damaged store is refused, and no half of an export stays behind."""
    store = tmp_path / "store.sqlite"
    write_store(store, MIXED)
    add_reports(store, MIXED, [{"order": 1}, {"order": 77}])
    with pytest.raises(UnreadableStudy, match=r"block 'order': got a stored value") as found:
        export_study(store, tmp_path / "health.csv")
    assert "77" not in str(found.value).replace(str(tmp_path), "")
    assert [path.name for path in tmp_path.glob("health*")] == []


def test_other_suffixes_and_sources_are_refused(store: Path, tmp_path: Path) -> None:
    """A kind of file that is not written, and a location that is no store, are named."""
    suffixes = ("ndjson", "csv", "parquet", "json", "xlsx", "sav", "dta", "ddi.xml", "R", "do")
    allowed = " or ".join(f".{suffix}" for suffix in suffixes)
    for name in ("health.txt", "health.xml", ".sav", ".csv"):
        with pytest.raises(StudyNotFound, match=f"a name that ends in {re.escape(allowed)}, whi"):
            export_study(store, tmp_path / name)
    export_study(store, tmp_path / "health.csv")
    with pytest.raises(
        StudyNotFound, match=r"health\.csv is not a store of a collector; reports are"
    ):
        export_study(tmp_path / "health.csv", tmp_path / "again.csv")


def test_a_language_is_refused_where_there_are_no_labels(store: Path, tmp_path: Path) -> None:
    """The kinds of files with labels are named, and no file is written."""
    labelled = r"\.xlsx, \.sav, \.dta, \.ddi\.xml, \.R, \.do"
    for suffix in FORMATS:
        with pytest.raises(LanguageNotFound, match=rf"a \.{suffix} file, which.*: {labelled}$"):
            export_study(store, tmp_path / f"health.{suffix}", language="de")
    with pytest.raises(LanguageNotFound, match="texts are not marked with a language; leave"):
        export_study(store, tmp_path / "health.R", language="de")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_file_or_survey_is_named(tmp_path: Path) -> None:
    """An export that is not there, or stands without its survey, says what to put where."""
    with pytest.raises(StudyNotFound, match=r"there is no file .*a\.csv; give the path of an ex"):
        open_study(tmp_path / "a.csv")
    (tmp_path / "a.csv").write_text("order\n1\n")
    with pytest.raises(StudyNotFound, match=r"no file .*a\.survey\.json; put the published surv"):
        open_study(tmp_path / "a.csv")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format":"deniable-export/1"}', "{}"])
def test_another_file_beside_is_refused(text: str, tmp_path: Path) -> None:
    """What stands beside an export must be an export's survey."""
    (tmp_path / "a.csv").write_text("order\n1\n")
    (tmp_path / "a.survey.json").write_text(text)
    with pytest.raises(UnreadableStudy, match=r"a\.survey\.json is n.*; export the survey again"):
        open_study(tmp_path / "a.csv")


def test_a_changed_survey_beside_is_refused(store: Path, tmp_path: Path) -> None:
    """A document that its digest does not name is refused."""
    export_study(store, tmp_path / "a.csv")
    beside = tmp_path / "a.survey.json"
    beside.write_text(beside.read_text().replace('"title":"Health"', '"title":"Wealth"'))
    with pytest.raises(UnreadableStudy, match=r"is neither what `deniable export` writes nor"):
        open_study(tmp_path / "a.csv")


def drop_last_line(path: Path) -> None:
    """Cut a file off after a line."""
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


@pytest.mark.parametrize("suffix", ["ndjson", "csv"])
def test_a_file_that_was_cut_off_is_refused(suffix: str, store: Path, tmp_path: Path) -> None:
    """Fewer reports than were exported are noticed."""
    path = tmp_path / f"a.{suffix}"
    export_study(store, path)
    drop_last_line(path)
    with pytest.raises(
        UnreadableStudy, match=r"got 299 reports, and the survey beside it says 300"
    ):
        open_study(path).estimate()


def damage(path: Path, line: int, change: Callable[[str], str]) -> None:
    """Change one line of a text file."""
    lines = path.read_text().splitlines()
    lines[line - 1] = change(lines[line - 1])
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("place", "text", "problem"),
    [
        (("ndjson", 7), '{"order":77}', r"line 7, block 'order': got a stored value"),
        (("ndjson", 8), '{"order":"secret77"}', r"line 8, block 'order': got a stored value"),
        (("ndjson", 7), '{"order":true}', r"line 7, block 'order': got a stored value"),
        (("ndjson", 9), '{"order":1', r"line 9: got no JSON object of values"),
        (("ndjson", 9), "[77]", r"line 9: got no JSON object of values"),
        (("ndjson", 9), '{"order":null}', r"line 9: got no JSON object of values"),
        (("ndjson", 9), "", r"line 9: got no JSON object of values"),
        (("ndjson", 9), "[" * 100_000, r"line 9: got no JSON object of values"),
        (("csv", 7), ",77,,", r"line 7, block 'order': got a stored value"),
        (("csv", 8), ",secret77,,", r"line 8, block 'order': got a stored value"),
        (("csv", 8), '"[77]",,,', r"line 8, block 'region': got a stored value"),
        (("csv", 8), ",1,77", r":8: got 3 cells; the first line has 4"),
        (("csv", 8), ',"77"x,,', r":8: not a CSV table"),
        (
            ("csv", 1),
            "region,order77,drugs,visits",
            r": no column for order; the first line must nam",
        ),
        (
            ("csv", 1),
            "region,order,order,drugs",
            r": no column for visits; the first line must na",
        ),
    ],
)
def test_a_damaged_line_is_named_and_not_repeated(
    place: tuple[str, int], text: str, problem: str, store: Path, tmp_path: Path
) -> None:
    """The number of the line and the block are told, its content is not."""
    suffix, line = place
    path = tmp_path / f"a.{suffix}"
    export_study(store, path)
    damage(path, line, lambda _: text)
    with pytest.raises(UnreadableStudy, match=problem) as found:
        open_study(path).estimate()
    assert "77" not in str(found.value).replace(str(tmp_path), "")
    assert found.value.__context__ is None


def test_a_damaged_parquet_file_is_named(store: Path, tmp_path: Path) -> None:
    """A value no device sends, a column that is gone and a broken file are told apart."""
    path = tmp_path / "a.parquet"
    export_study(store, path)
    whole = path.read_bytes()
    table = parquet.read_table(path)
    orders = table["order"].to_pylist()
    orders[6] = 77
    index = table.column_names.index("order")
    changed = table.set_column(index, "order", pa.array(orders, pa.int16()))
    for content, problem in (
        (changed, r"a\.parquet, row 7, block 'order': got a stored value"),
        (table.drop_columns(["order"]), r"a\.parquet: there is no column 'order'"),
        (whole[:-100], r"a\.parquet: the file is damaged after row 0"),
    ):
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            parquet.write_table(content, path)
        with pytest.raises(UnreadableStudy, match=problem) as found:
            open_study(path).estimate()
        assert "77" not in str(found.value).replace(str(tmp_path), "")


def test_parquet_without_its_package_says_what_to_install(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where pyarrow is missing, the line that installs it is told, and no file is left."""
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(PackageMissing, match=r'pip install "deniable\[analysis,parquet\]"'):
        export_study(store, tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_text_is_refused_and_not_repeated(tmp_path: Path) -> None:
    """Text of a store that is no UTF-8 is in no error, and in no file."""
    path = tmp_path / "store.sqlite"
    write_store(path, MIXED)
    add_reports(path, MIXED, REPORTS[:3])
    with closing(sqlite3.connect(path)) as database, database:
        (table,) = database.execute("SELECT reports_table FROM surveys").fetchone()
        database.execute(f"UPDATE \"{table}\" SET \"order\" = CAST(X'FF' || 'secret' AS TEXT)")  # noqa: S608
    with pytest.raises(UnreadableStudy) as refused:
        export_study(path, tmp_path / "health.csv")
    assert "block 'order'" in str(refused.value)
    assert "secret" not in "".join(traceback.format_exception(refused.value))
    assert not (tmp_path / "health.csv").exists()
