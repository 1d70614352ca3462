"""Behaviour that only the store in an SQLite file has."""

import multiprocessing
import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from deniable_collector.errors import StoreUnavailable, UnreadableStore, UnsupportedStore
from deniable_collector.store import add_reports, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_sdk import Report, randomize
from deniable_storage.sqlite_tables import SqliteTable
from sample_definitions import choice, survey, yes_no
from store_filler import fill_store
from tally_checks import check_tally

HEALTH = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
FROM_TOMORROW = (
    "INSERT INTO _sqlite_migrations (migration_set, name) "
    "VALUES ('deniable_collector', 'from_tomorrow')"
)
ALL_MODES = stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO


def make_reports(count: int, read_bytes: Callable[[int], bytes]) -> list[Report]:
    """Reports of respondents who did not answer."""
    return [randomize(HEALTH, {}, read_bytes=read_bytes) for _ in range(count)]


@pytest.mark.parametrize("prefix", ["", "sqlite:///"])
def test_a_location_is_a_path_or_an_sqlite_url(tmp_path: Path, prefix: str) -> None:
    """Both forms name the same file."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(f"{prefix}{path}")):
        assert path.exists()


@pytest.mark.parametrize(
    ("location", "message"),
    [
        (
            "postgresql:health",
            "got a PostgreSQL URL that cannot be read; allowed is postgresql://",
        ),
        ("mysql://localhost/health", "got a URL that starts with mysql:; allowed is a path"),
    ],
)
def test_other_kinds_of_store_are_refused_clearly(location: str, message: str) -> None:
    """A location that is not built says what is."""
    with pytest.raises(UnsupportedStore, match=message):
        open_store(location)


def test_only_the_operator_may_read_the_files(tmp_path: Path) -> None:
    """The file and its logs are made with mode 0600, whatever the umask."""
    before = os.umask(0)
    try:
        with closing(open_store(tmp_path / "store.sqlite")) as store:
            store.publish(HEALTH)
            modes = {path.name: path.stat().st_mode & ALL_MODES for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    names = ("store.sqlite", "store.sqlite-wal", "store.sqlite-shm")
    assert modes == dict.fromkeys(names, 0o600)


def test_closing_leaves_one_file_and_no_log(tmp_path: Path) -> None:
    """What was written last does not stay behind in a log."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(HEALTH)
    assert [path.name for path in tmp_path.iterdir()] == ["store.sqlite"]


def test_the_engine_is_set_to_keep_what_was_said_to_be_stored(tmp_path: Path) -> None:
    """Commits reach the disk, and what is deleted is overwritten."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        connection: sqlite3.Connection = store._writer  # type: ignore[attr-defined]
        values = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "secure_delete")
        }
    assert values == {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1}


def test_values_are_stored_as_the_contract_says(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """Single options are integers, sets canonical JSON, what was not asked NULL."""
    mixed = survey(yes_no(), choice(options=30), ask=1, epsilon="0.5")
    reports = [randomize(mixed, {}, read_bytes=read_bytes) for _ in range(50)]
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as store:
        stored = store.publish(mixed).stored
        add_reports(store, reports)
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            f"SELECT _report, asthma, region FROM {stored.reports_table}"  # noqa: S608  our name
        ).fetchall()
    expected = {
        (
            bytes.fromhex(report.id),
            report.values.get("asthma"),
            str(report.values["region"]).replace(" ", "") if "region" in report.values else None,
        )
        for report in reports
    }
    assert set(rows) == expected
    assert {type(row[1]) for row in rows} == {int, type(None)}
    assert {type(row[2]) for row in rows} == {str, type(None)}


def test_a_closed_survey_lies_in_the_file_in_an_order_that_its_ids_alone_decide(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """Nothing in the file tells who came first, once a survey is closed."""
    reports = make_reports(60, read_bytes)
    ids = [bytes.fromhex(report.id) for report in reports]
    orders = []
    for name, arriving in (("one", reports), ("other", reports[::-1])):
        path = tmp_path / f"{name}.sqlite"
        with closing(open_store(path)) as store:
            store.publish(HEALTH)
            for report in arriving:
                add_reports(store, [report])
            in_log = _order_in_file(path.with_name(f"{name}.sqlite-wal"), ids)
            assert in_log == [bytes.fromhex(report.id) for report in arriving]
            store.close_survey("health")
            assert path.with_name(f"{name}.sqlite-wal").stat().st_size == 0
            orders.append(_order_in_file(path, ids))
    assert orders[0] == orders[1]


def _order_in_file(path: Path, ids: list[bytes]) -> list[bytes]:
    content = path.read_bytes()
    places = {report_id: content.find(report_id) for report_id in ids}
    assert min(places.values()) > 0
    return sorted(ids, key=places.__getitem__)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    """A wrong path never costs a file."""
    path = tmp_path / "notes.txt"
    path.write_text("not a database " * 100)
    with pytest.raises(UnreadableStore, match=r"is not an SQLite file; choose another path"):
        open_store(path)
    assert path.read_text() == "not a database " * 100


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    """Another program's database gets no tables of ours."""
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
    before = path.read_bytes()
    with pytest.raises(UnreadableStore, match="without the tables of a store; choose another"):
        open_store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (FROM_TOMORROW, r"newer version \(it has from_tomorrow\)"),
        ("ALTER TABLE surveys ADD COLUMN created_at TEXT", "is missing or was changed"),
        ("DROP TABLE surveys", "is missing or was changed"),
    ],
)
def test_a_store_of_another_layout_is_refused(tmp_path: Path, change: str, message: str) -> None:
    """A newer or a damaged store is not written to by guesswork."""
    path = tmp_path / "store.sqlite"
    open_store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(change)
        connection.commit()
    with pytest.raises(UnreadableStore, match=message):
        open_store(path)


def test_a_store_that_must_exist_is_not_made(tmp_path: Path) -> None:
    """A mistyped path is an error where nothing is to be made."""
    path = tmp_path / "store.sqlite"
    with pytest.raises(UnreadableStore, match=r"there is no store at .*; publish a survey"):
        open_store(path, must_exist=True)
    assert not path.exists()
    open_store(path).close()
    open_store(path, must_exist=True).close()


@pytest.mark.parametrize("name", [".", "missing/store.sqlite"])
def test_a_folder_is_not_a_store(tmp_path: Path, name: str) -> None:
    """A folder, or a file in a folder that is not there, is refused."""
    with pytest.raises(UnreadableStore, match="is a folder, or in a folder that does not exist"):
        open_store(tmp_path / name)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder nobody can write to")
def test_a_folder_that_takes_no_files_is_said() -> None:
    """Where no file can be made, not even root, the reason is told."""
    with pytest.raises(StoreUnavailable, match=r"\(no file can be created at /proc/self/.*\)"):
        open_store("/proc/self/store.sqlite")


def test_a_file_of_another_user_is_said() -> None:
    """Whose it is, and what to do; not only that it cannot be opened."""
    nobody, me = 65_534, os.geteuid()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        open_store(path).close()
        # Only root can be another user; others lose their own right.
        path.chmod(0o600 if me == 0 else 0)
        path.parent.chmod(0o711 if me == 0 else 0o700)
        os.seteuid(nobody if me == 0 else me)
        try:
            with pytest.raises(UnreadableStore, match=rf"belongs to user {me}, and user .* chown"):
                open_store(path)
        finally:
            os.seteuid(me)


def test_a_link_to_nowhere_is_said(tmp_path: Path) -> None:
    """What cannot be opened is named by the engine's word for it."""
    path = tmp_path / "store.sqlite"
    path.symlink_to(tmp_path / "missing" / "store.sqlite")
    with pytest.raises(StoreUnavailable, match="SQLITE_CANTOPEN"):
        open_store(path)


def test_a_busy_file_is_said_and_nothing_is_half_done(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """When another writer does not let go, the caller learns to try again."""
    path = tmp_path / "store.sqlite"
    (report,) = make_reports(1, read_bytes)
    with (
        closing(open_store(path, busy_timeout_s=0.05)) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        store.publish(HEALTH)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match=r"\(SQLITE_BUSY\); nothing .* sure to be"):
            add_reports(store, [report])
        # Nothing is to be changed in it, so it can be opened.
        with closing(open_store(path, busy_timeout_s=0.05)) as beside:
            assert beside.count_reports(HEALTH.digest) == 0
        other.execute("ROLLBACK")
        assert add_reports(store, [report]) == (ReportOutcome.STORED,)


def test_a_full_disk_stores_all_of_a_batch_or_nothing(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """A batch that does not fit leaves no part of itself behind."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(HEALTH)
        connection: sqlite3.Connection = store._writer  # type: ignore[attr-defined]
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreUnavailable, match="SQLITE_FULL"):
            add_reports(store, make_reports(2000, read_bytes))
        assert store.count_reports(HEALTH.digest) == 0
        assert add_reports(store, make_reports(1, read_bytes)) == (ReportOutcome.STORED,)


def test_a_fault_of_ours_is_not_called_unavailable(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """Trying again would not help where a table is gone, so nobody is told to."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(HEALTH)
        connection: sqlite3.Connection = store._writer  # type: ignore[attr-defined]
        connection.execute(f"DROP TABLE {SqliteTable.of(HEALTH).name}")
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            add_reports(store, make_reports(1, read_bytes))


def test_several_processes_make_and_fill_the_same_file(tmp_path: Path) -> None:
    """Four processes that start at once make one store and lose nothing."""
    spawning = multiprocessing.get_context("spawn")
    outcomes: multiprocessing.Queue[int] = spawning.Queue()
    path = tmp_path / "store.sqlite"
    # Seeds 0, 0, 1, 2: two of them bring the same reports.
    processes = [
        spawning.Process(
            target=fill_store, args=(path, HEALTH.document, max(0, number - 1), outcomes)
        )
        for number in range(4)
    ]
    for process in processes:
        process.start()
    counts = [outcomes.get(timeout=120) for _ in processes]
    for process in processes:
        process.join()
    with closing(open_store(path)) as store:
        assert check_tally(str(path), HEALTH) == store.count_reports(HEALTH.digest) == 300
        assert len(store.list_surveys()) == 1
    assert sum(counts) == 300
