"""A backup that is killed leaves nothing that could pass for a store."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from deniable_analysis import open_study
from deniable_analysis.errors import UnreadableStudy
from deniable_collector.errors import BackupExists, UnreadableStore
from deniable_collector.store import open_store
from deniable_collector.store.backup import back_up, check_backup, has_present_layout
from deniable_issuer import open_issuer_store
from deniable_storage.sqlite_tables import SqliteTable
from deniable_web.workplace import open_workplace
from sample_definitions import choice, survey
from sampled_params import sampled_params
from served import publish, rows_by_id

PUBLISHED = survey(choice(options=30), slug="saved", epsilon="0.5")
TABLE = SqliteTable.of(PUBLISHED)
ENDS = pytest.mark.parametrize(
    "end", sampled_params([signal.SIGKILL, signal.SIGTERM]), ids=lambda end: end.name
)
ROWS = 20_000


def filled(folder: Path) -> Path:
    """A store that takes some time to copy."""
    store = folder / "store.sqlite"
    publish(store, PUBLISHED)
    value = "[" + ",".join(["7"] * 400) + "]"
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.executemany(TABLE.insert_sql, ((os.urandom(16), value) for _ in range(ROWS)))
    return store


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """One of the commands, ended after some time: none of these may go on."""
    command = [sys.executable, "-m", "deniable_web", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def kill_midway(store: Path, target: Path, end: signal.Signals) -> Path:
    """What is left of a backup that was ended while it wrote."""
    partial = target.with_name(f"{target.name}.partial")
    command = [sys.executable, "-m", "deniable_web", "backup", str(target), "--store", str(store)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while not (partial.exists() and partial.stat().st_size > 1 << 17):
            assert process.poll() is None
        process.send_signal(end)
        assert process.wait(60) == -end
    return partial


@pytest.mark.deep
@ENDS
def test_a_backup_that_is_killed_has_no_final_name_and_can_be_made_again(
    tmp_path: Path, end: signal.Signals
) -> None:
    """Nothing is at the target; what is left elsewhere is refused and used again."""
    store = filled(tmp_path)
    target = tmp_path / "backup.sqlite"
    for _ in range(2):
        partial = kill_midway(store, target, end)
        assert not target.exists()
        left = partial.read_bytes()
        served = run("serve", "--port", "0", "--store", str(partial))
        assert served.returncode == 1
        assert "was never finished" in served.stderr
        assert not served.stdout
        with pytest.raises(UnreadableStore, match="was never finished: only an unfinished backup"):
            back_up(str(partial), tmp_path / "another")
        with pytest.raises(UnreadableStudy):
            open_study(partial, "saved")
        # Looking at it has not emptied it.
        assert partial.read_bytes() == left
    back_up(str(store), target)
    assert rows_by_id(target, PUBLISHED) == rows_by_id(store, PUBLISHED)
    assert not list(tmp_path.glob("*.partial*"))
    assert target.stat().st_mode & 0o777 == 0o600


@pytest.mark.deep
def test_two_backups_to_one_place_do_not_mix(tmp_path: Path) -> None:
    """While one is written, another to the same place is refused, and the first is whole."""
    store = filled(tmp_path)
    target = tmp_path / "backup.sqlite"
    partial = tmp_path / "backup.sqlite.partial"
    command = [sys.executable, "-m", "deniable_web", "backup", str(target), "--store", str(store)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while not (partial.exists() and partial.stat().st_size > 1 << 17):
            assert process.poll() is None
        with pytest.raises(BackupExists, match=r"another command is writing .*partial now"):
            back_up(str(store), target)
        assert process.wait(60) == 0
    assert rows_by_id(target, PUBLISHED) == rows_by_id(store, PUBLISHED)


def make_empty_database(path: Path) -> None:
    """An SQLite file of one page, without a table."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("VACUUM")


@pytest.mark.parametrize("size", [0, 512, 1 << 17])
@pytest.mark.parametrize(
    "take",
    [
        open_store,
        open_issuer_store,
        open_workplace,
        check_backup,
        lambda path: open_store(path, must_exist=True),
        lambda path: has_present_layout(str(path)),
        lambda path: back_up(str(path), path.with_name("another")),
        # A target that will be taken for an unfinished backup, too.
        lambda path: open_store(path.with_name("new.sqlite.partial")),
    ],
)
def test_an_unfinished_backup_is_known_by_its_name(
    tmp_path: Path, take: Callable[[Path], object], size: int
) -> None:
    """However early it was killed, it is neither used nor changed, by whatever opens files."""
    path = tmp_path / "b.sqlite.partial"
    path.write_bytes(bytes(size))
    path.with_name(f"{path.name}-journal").write_bytes(bytes(512))
    with pytest.raises(UnreadableStore, match=r"was never finished: .*; make the backup again"):
        take(path)
    assert path.read_bytes() == bytes(size)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_whole_file_with_the_journal_of_an_unfinished_one_is_refused(tmp_path: Path) -> None:
    """Somebody gave it another name, and its journal, too."""
    path = tmp_path / "renamed.sqlite"
    path.write_bytes(bytes(1 << 17))
    journal = bytes.fromhex("d9d505f920a163d7") + bytes(504)
    path.with_name(f"{path.name}-journal").write_bytes(journal)
    with pytest.raises(UnreadableStore, match="was never finished, like a backup that was"):
        open_store(path)


FOREIGN: dict[str, Callable[[Path], object]] = {
    "zeros": lambda path: path.write_bytes(bytes(200_000)),
    "one byte": lambda path: path.write_bytes(b"x"),
    "text": lambda path: path.write_text("no store" * 200),
    "no tables": make_empty_database,
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_file_without_a_store_is_refused_and_stays_as_it_is(tmp_path: Path, kind: str) -> None:
    """Nobody takes it for an empty store, whether one must be there or may be made."""
    path = tmp_path / "found.sqlite"
    FOREIGN[kind](path)
    content = path.read_bytes()
    for must_exist in (False, True):
        with pytest.raises(UnreadableStore, match="choose another"):
            open_store(path, must_exist=must_exist)
    with pytest.raises(UnreadableStore, match=r"is not a store|no store; choose another"):
        back_up(str(path), tmp_path / "backup")
    with pytest.raises(UnreadableStudy, match="cannot be read as a store"):
        open_study(path, "saved")
    assert path.read_bytes() == content
    assert [found.name for found in tmp_path.iterdir()] == ["found.sqlite"]


@pytest.mark.deep
def test_every_command_refuses_a_file_without_a_store(tmp_path: Path) -> None:
    """Each ends with a message, and none changes the file."""
    path, store = tmp_path / "found.sqlite", tmp_path / "store.sqlite"
    make_empty_database(path)
    content = path.read_bytes()
    open_store(store).close()
    for arguments in (
        ["serve", "--port", "0", "--store", str(path)],
        ["results", "saved", "--store", str(path)],
        ["export", "saved", "--store", str(path), "--output", str(tmp_path / "out.csv")],
        ["close", "saved", "--store", str(path)],
        ["backup", str(tmp_path / "backup"), "--store", str(path)],
        ["move", str(path), str(tmp_path / "new.sqlite")],
        ["move", str(store), str(path)],
    ):
        done = run(*arguments)
        assert done.returncode == 1, arguments
        assert "Error: " in done.stderr
        assert "Traceback" not in done.stderr
        assert path.read_bytes() == content
    assert sorted(found.name for found in tmp_path.iterdir()) == ["found.sqlite", "store.sqlite"]


def test_an_empty_file_is_no_store_where_one_must_be(tmp_path: Path) -> None:
    """A file of 0 bytes becomes a store for those who make one, and for nobody else."""
    path = tmp_path / "store.sqlite"
    path.touch()
    with pytest.raises(UnreadableStore, match="there is no store at"):
        open_store(path, must_exist=True)
    with pytest.raises(UnreadableStore, match="is not a store; give the file that is served"):
        back_up(str(path), tmp_path / "backup")
    assert path.stat().st_size == 0
    with closing(open_store(path)) as store:
        assert store.list_surveys() == ()
