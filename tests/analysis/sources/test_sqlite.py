"""Counting in real SQLite files."""

import sqlite3
from collections import Counter
from contextlib import closing
from itertools import combinations
from pathlib import Path

import pytest

from analysis.study_files import add_reports, counted, reports_table, tally, write_store
from deniable_analysis import open_study
from deniable_analysis.errors import StudyNotFound, UnreadableStudy
from deniable_analysis.sources import open_source
from deniable_analysis.sources.base import ListedSurvey
from deniable_analysis.sources.stores import SqliteSource
from deniable_sdk import PublishedSurvey
from deniable_sdk.canonical import JSON
from deniable_storage.counts import BlockCounts, Member, SurveyCounts
from deniable_storage.errors import InconsistentTally, StrangeValue
from locks import is_log_kept, writing
from sample_definitions import choice, survey, yes_no

TWO_BLOCKS = survey(
    choice("region", 9, required=True), yes_no("order", required=True), epsilon=1, ask=1
)


def execute(path: Path, statement: str, *values: object) -> None:
    """Change a file behind everybody's back."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


def count_all(path: Path, published: PublishedSurvey = TWO_BLOCKS) -> SurveyCounts:
    """The counts of the file's only survey."""
    source = SqliteSource(path)
    (stored,) = source.surveys()
    return source.count(stored, published.blocks)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of a survey with a block of sets and one of single options."""
    path = tmp_path / "survey with spaces? and #.sqlite"
    write_store(path, TWO_BLOCKS)
    return path


def test_the_sample_survey_has_sets_and_single_options() -> None:
    """The survey these tests count has one block of each kind of value."""
    sizes = [block.mechanism.to_document()["size"] for block in TWO_BLOCKS.blocks]
    assert sizes == [2, 1]


def test_reports_are_counted_by_option(store: Path) -> None:
    """Single options and members of sets are counted, and reports without the block are not."""
    sets: list[list[JSON]] = [list(members) for members in combinations(range(9), 2)]
    add_reports(store, TWO_BLOCKS, [{"region": members} for members in sets])
    add_reports(store, TWO_BLOCKS, counted("order", [40, 2]))
    members: Counter[Member] = Counter(
        member for pair in combinations(range(9), 2) for member in pair
    )
    assert count_all(store) == SurveyCounts(
        len(sets) + 42,
        {
            "region": BlockCounts(len(sets), members),
            "order": BlockCounts(42, {0: 40, 1: 2}),
        },
    )


def test_a_store_without_reports_counts_nothing(store: Path) -> None:
    """Without reports every count is 0."""
    assert count_all(store) == SurveyCounts(
        0, {"region": BlockCounts(0, {}), "order": BlockCounts(0, {})}
    )


def test_surveys_are_listed_by_slug_and_edition(tmp_path: Path) -> None:
    """Every edition of every slug is listed, with whether it is closed."""
    path = tmp_path / "store.sqlite"
    editions = [survey(slug="b", title="One"), survey(slug="b", title="Two"), survey(slug="a")]
    write_store(path, *editions)
    execute(path, "UPDATE surveys SET is_closed = 1 WHERE digest = ?", editions[0].digest)
    first, second, other = editions
    assert SqliteSource(path).surveys() == (
        ListedSurvey(other.digest, "a", 1, False, reports_table(other)),
        ListedSurvey(first.digest, "b", 1, True, reports_table(first)),
        ListedSurvey(second.digest, "b", 2, False, reports_table(second)),
    )


def test_the_document_is_the_published_text(store: Path) -> None:
    """The document comes out byte for byte as it was published."""
    source = SqliteSource(store)
    (stored,) = source.surveys()
    assert source.published(stored).document == TWO_BLOCKS.document


def test_reading_works_while_a_writer_has_the_file_open(store: Path) -> None:
    """A reader sees what was committed, while a writer is in the middle of a transaction."""
    add_reports(store, TWO_BLOCKS, counted("order", [1, 1]))
    # The first look is recorded.
    count_all(store)
    with closing(sqlite3.connect(store, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute(f'DELETE FROM "{tally(TWO_BLOCKS)}"')  # noqa: S608 - our name
        assert count_all(store).report_count == 2
        writer.execute("COMMIT")
        assert count_all(store).report_count == 0


def test_looking_at_a_store_leaves_the_locks_of_this_process(store: Path) -> None:
    """A collector and an analysis in one process: no other process may remove the log."""
    with writing(store):
        assert open_study(str(store)).survey == TWO_BLOCKS
        assert is_log_kept(store)


def test_nothing_is_written_but_the_first_look(store: Path) -> None:
    """The connection refuses to write, and counting again leaves the file as it was."""
    count_all(store)
    before = store.read_bytes()
    count_all(store)
    assert store.read_bytes() == before
    with (
        pytest.raises(UnreadableStudy, match=r"attempt to write a readonly database"),
        SqliteSource(store)._connect() as database,
    ):
        database.execute("DELETE FROM surveys")


@pytest.mark.parametrize("prefix", ["", "sqlite:///"])
def test_a_location_is_a_path_or_a_url(prefix: str, store: Path) -> None:
    """A path, as a text too, and sqlite:/// before it name the same file."""
    assert open_source(f"{prefix}{store}") == SqliteSource(store) == open_source(store)


def test_other_kinds_of_location_are_refused() -> None:
    """A kind of place this version does not read is named, and the rest left out."""
    with pytest.raises(StudyNotFound, match=r"starts with mysql://; this version") as refusal:
        open_source("mysql://user:password@host/surveys")
    assert "password" not in str(refusal.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A path without a file, or of a folder, is repeated, and no file is made."""
    path = tmp_path / "missing.sqlite"
    with pytest.raises(StudyNotFound, match=r"there is no file .*missing\.sqlite; give the path"):
        SqliteSource(path).surveys()
    assert not path.exists()
    with pytest.raises(StudyNotFound, match=r"there is no file"):
        SqliteSource(tmp_path).surveys()


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    """A file of text and another program's database say what is allowed."""
    text = tmp_path / "notes.txt"
    text.write_text("These are notes, and long enough to have a header of their own.\n" * 20)
    other = tmp_path / "other.sqlite"
    execute(other, "CREATE TABLE things (id)")
    for path, reason in (
        (text, "file is not a database"),
        (other, "no such table: surveys"),
    ):
        with pytest.raises(UnreadableStudy, match=f"{reason}.*SQLite file a collector writes"):
            SqliteSource(path).surveys()


def test_a_document_that_is_gone_is_noticed(store: Path) -> None:
    """A survey whose row is gone, or holds no text, is refused."""
    source = SqliteSource(store)
    (stored,) = source.surveys()
    execute(store, "DELETE FROM surveys")
    with pytest.raises(UnreadableStudy, match=r"no longer holds the document of survey 'health'"):
        source.published(stored)


def test_a_survey_that_is_gone_gives_out_nothing(store: Path) -> None:
    """A source that knows its document still asks the file whether it has ended."""
    source = SqliteSource(store)
    (stored,) = source.surveys()
    blocks = source.published(stored).blocks
    execute(store, "DELETE FROM surveys")
    for read in (source.fieldwork, lambda survey: source.count(survey, blocks)):
        with pytest.raises(UnreadableStudy, match="no longer holds the document of survey"):
            read(stored)


@pytest.mark.parametrize(
    "report",
    [
        {"order": 77},
        {"order": "secret"},
        {"order": "77"},
        {"order": 1.5},
        {"order": [0]},
        {"order": b"secret"},
        {"region": [1, 77]},
        {"region": [1]},
        {"region": [2, 1]},
        {"region": [1, 1]},
        {"region": [1, True]},
        {"region": 1},
        {"region": "[1,secret"},
        {"region": "[" * 100_000},
        {"region": "1" * 5000},
        {"region": "{}"},
    ],
    ids=lambda report: str(report)[:24],
)
def test_values_no_device_sends_are_refused(store: Path, report: dict[str, object]) -> None:
    """A stored value its block cannot give is refused by block, and never repeated."""
    add_reports(store, TWO_BLOCKS, [report])  # type: ignore[list-item]
    problem = r"block '(order|region)': got a stored value that its mechanism 'subset' cannot give"
    source = SqliteSource(store)
    (stored,) = source.surveys()
    (block,) = [block for block in TWO_BLOCKS.blocks if block.id in report]
    with pytest.raises(UnreadableStudy, match=problem) as found:
        source.joint_counts(stored, [block])
    assert isinstance(found.value.__context__, StrangeValue)
    assert found.value.__context__.__context__ is None
    assert "77" not in str(found.value)
    assert "secret" not in str(found.value)


@pytest.mark.parametrize(
    ("block", "change"),
    [
        # More or fewer members than the block has, or no list of numbers.
        ("order", "'$.order', json('[6,4,0,2]')"),
        ("order", "'$.order', json('[6,4]')"),
        ("order", "'$.order', json('[]')"),
        ("order", "'$.order', '5309'"),
        ("order", "'$.order', 5309"),
        ("order", "'$.order[1]', json('[4]')"),
        ("order", "'$.order[2]', 'secret'"),
        ("order", "'$.order[1]', 4.0"),
        ("order", "'$.order', json('[6,8,-2]')"),
        # Numbers that no reports have.
        ("order", "'$.order[2]', 3"),
        ("order", "'$.order[0]', 1"),
        ("region", "'$.region[2]', 0"),
        # More than all reports, or than those of the block.
        ("order", """'$.""[0]', 5"""),
        ("region", "'$.region[1]', 0, '$.region[2]', 5"),
    ],
)
def test_a_tally_of_no_reports_is_refused(store: Path, block: str, change: str) -> None:
    """It is refused by block, with the command that compares it, and no number is repeated."""
    add_reports(store, TWO_BLOCKS, [{"region": [0, member]} for member in (1, 2, 3, 4)])
    add_reports(store, TWO_BLOCKS, counted("order", [4, 2]))
    assert count_all(store).report_count == 10
    execute(store, f'UPDATE "{tally(TWO_BLOCKS)}" SET counts = json_set(counts, {change})')  # noqa: S608 - the test's own
    problem = rf"the tally of block '{block}' contradicts itself, .* reports: deniable recount$"
    with pytest.raises(UnreadableStudy, match=problem) as found:
        count_all(store)
    assert isinstance(found.value.__context__, InconsistentTally)
    assert "5309" not in str(found.value)
    assert "secret" not in str(found.value)


@pytest.mark.parametrize(
    "counts",
    [
        # All reports are not counted by member.
        """json_set(counts, '$.""', json('[6,6]'))""",
        "CAST(X'FF5309' AS TEXT)",
        "X'5309'",
        "'x'",
        "'[6]'",
    ],
)
def test_a_tally_without_the_number_of_all_reports_is_refused(store: Path, counts: str) -> None:
    """They have one number, and what is no JSON object has none."""
    add_reports(store, TWO_BLOCKS, counted("order", [4, 2]))
    execute(store, f'UPDATE "{tally(TWO_BLOCKS)}" SET counts = {counts}')  # noqa: S608 - as above
    with pytest.raises(UnreadableStudy, match=r"the tally of all reports contradicts itself"):
        count_all(store)


def test_shards_are_added_up(store: Path) -> None:
    """A survey that was moved or restored may have its numbers in several rows."""
    add_reports(store, TWO_BLOCKS, counted("order", [4, 2]))
    table = f'"{tally(TWO_BLOCKS)}"'
    execute(store, f"INSERT INTO {table} SELECT 7, counts FROM {table}")  # noqa: S608 - as above
    assert count_all(store).blocks["order"] == BlockCounts(12, {0: 8, 1: 4})


def test_a_table_that_is_gone_is_noticed(store: Path) -> None:
    """A survey without its table of reports is refused by what reads reports."""
    execute(store, f'DROP TABLE "{reports_table(TWO_BLOCKS)}"')
    source = SqliteSource(store)
    (stored,) = source.surveys()
    with pytest.raises(UnreadableStudy, match=r"no such table: reports_health_"):
        source.joint_counts(stored, TWO_BLOCKS.blocks)
