"""The file on the device: where it is, who reads it, and what if it cannot be used."""

import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from deniable_sdk import (
    AlreadyAnswered,
    Client,
    PublishedSurvey,
    StorageUnavailable,
    open_client,
)
from deniable_sdk.client import StorageBusy, StorageDamaged
from deniable_sdk.client.storage import alone as turns
from deniable_sdk.client.storage import sqlite
from deniable_sdk.client.storage.contract import Storage
from deniable_sdk.client.storage.opening import FILE_NAME, data_folder, open_storage
from deniable_sdk.testing import RecordingTransport
from sample_definitions import survey, yes_no

IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOBODY = 65_534
SURVEY = survey(yes_no())


def silent() -> RecordingTransport:
    """A collector that never answers."""

    def nothing(body: bytes, count: int) -> None:
        raise TimeoutError(len(body), count)

    return RecordingTransport([SURVEY], answer=nothing)  # type: ignore[arg-type]


def opened(folder: Path, transport: RecordingTransport | None = None) -> Client:
    """A client with its file in this folder."""
    return open_client(
        "https://collector.example", consent=True, folder=folder, transport=transport or silent()
    )


def mount(*arguments: str) -> None:
    """Run mount, or skip the test where that is not allowed."""
    try:
        subprocess.run(["mount", *arguments], check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no disk can be mounted here")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of 64 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder))
    yield folder
    subprocess.run(["umount", str(folder)], check=True, timeout=60)


def fill(folder: Path) -> None:
    """Leave no room on the disk of this folder."""
    with (folder / "ballast").open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            return


def test_reports_outlive_the_client(tmp_path: Path) -> None:
    """What one client could not send, the next one sends, byte by byte the same."""
    with opened(tmp_path) as client:
        assert client.is_durable
        report = client.submit(SURVEY, {"asthma": "yes"})
        assert client.flush().waiting == 1
    transport = RecordingTransport()
    with opened(tmp_path, transport) as client:
        assert client.flush().waiting == 0
        assert [entry.state for entry in client.reports()] == ["sent"]
        with pytest.raises(AlreadyAnswered):
            client.submit(SURVEY, {})
    assert transport.sent == [report.to_bytes()]


@pytest.mark.skipif(os.name != "posix", reason="Windows has other rights")
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    """The folder is for its owner alone, and so is the file."""
    folder = tmp_path / "new" / "folder"
    with opened(folder) as client:
        client.submit(SURVEY, {})
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600


def test_the_platforms_data_folder() -> None:
    """Each platform's own place is taken, and a relative XDG_DATA_HOME is not."""
    windows = data_folder("win32", {"LOCALAPPDATA": "somewhere"})
    assert windows == Path("somewhere") / "deniable"
    mac = data_folder("darwin", {})
    assert mac == Path.home() / "Library" / "Application Support" / "deniable"
    assert data_folder("linux", {"XDG_DATA_HOME": "/data"}) == Path("/data/deniable")
    usual = Path.home() / ".local" / "share" / "deniable"
    assert data_folder("linux", {}) == usual
    assert data_folder("linux", {"XDG_DATA_HOME": "data"}) == usual
    assert data_folder("win32", {}) == usual


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other platforms have others")
def test_the_data_folder_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder the file is in the platform's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with open_client("https://collector.example", consent=True, transport=silent()) as client:
        client.submit(SURVEY, {})
    assert (tmp_path / "deniable" / FILE_NAME).exists()


def test_opting_out_leaves_nothing_in_the_file(tmp_path: Path) -> None:
    """What was stored is overwritten, not only forgotten."""
    client = opened(tmp_path)
    report = client.submit(SURVEY, {})
    path = tmp_path / FILE_NAME
    assert report.id.encode() in path.read_bytes()
    client.opt_out()
    everything = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for needle in (report.id, SURVEY.digest, "health", "collector.example", "values"):
        assert needle.encode() not in everything


def test_without_a_folder_there_is_memory(tmp_path: Path) -> None:
    """Where no file can be made reports are kept in memory, and the client says so."""
    (tmp_path / "file").write_text("")
    with opened(tmp_path / "file" / "folder") as client:
        assert not client.is_durable
        assert "there is no folder for a file (NotADirectoryError)" in client.storage_problem
        client.submit(SURVEY, {})
        assert [entry.state for entry in client.reports()] == ["waiting"]


def test_a_read_only_folder(tmp_path: Path) -> None:
    """What was answered before still counts, though nothing new can be written."""
    with opened(tmp_path) as client:
        report = client.submit(SURVEY, {})
    mount("--bind", str(tmp_path), str(tmp_path))
    try:
        mount("-o", "remount,ro,bind", str(tmp_path))
        transport = RecordingTransport()
        with opened(tmp_path, transport) as client:
            assert "no file can be written" in client.storage_problem
            with pytest.raises(AlreadyAnswered):
                client.submit(SURVEY, {})
            client.flush()
            assert transport.sent == [report.to_bytes()]
            client.submit(survey(yes_no(), slug="other"), {})
            with pytest.raises(StorageUnavailable, match="allow writing"):
                client.opt_out()
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True, timeout=60)


@pytest.mark.skipif(IS_ROOT or os.name != "posix", reason="root may write everywhere")
def test_a_folder_without_the_right_to_write(tmp_path: Path) -> None:
    """It is as if it were read-only."""
    tmp_path.chmod(0o500)
    with opened(tmp_path) as client:
        assert not client.is_durable


@pytest.fixture
def own_folder() -> Iterator[Path]:
    """A folder of somebody who is not root."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "own")
        Path(name).chmod(0o711)
        folder.mkdir()
        if IS_ROOT:
            os.chown(folder, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, 0)
        try:
            yield folder
        finally:
            folder.chmod(0o700)
            if IS_ROOT:
                os.setresuid(0, 0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="another user's rights are taken as on Linux")
@pytest.mark.parametrize(("file_mode", "folder_mode"), [(0, 0o700), (0o600, 0)])
def test_a_file_that_cannot_be_read_is_not_replaced(
    own_folder: Path, file_mode: int, folder_mode: int
) -> None:
    """A survey that was answered is not answered again while nobody can read that it was."""
    path = own_folder / FILE_NAME
    with opened(own_folder) as client:
        client.submit(SURVEY, {})
    path.chmod(file_mode)
    own_folder.chmod(folder_mode)
    with opened(own_folder) as client, pytest.raises(StorageUnavailable, match="PermissionError"):
        client.submit(SURVEY, {})
    own_folder.chmod(0o700)
    path.chmod(0o600)
    with opened(own_folder) as client, pytest.raises(AlreadyAnswered):
        client.submit(SURVEY, {})


@pytest.mark.parametrize(
    "content", [b"no database at all, but text" * 300, b"SQLite format 3\0x", b"", b"x"]
)
def test_a_damaged_file_is_an_error_until_it_is_wiped(tmp_path: Path, content: bytes) -> None:
    """Nothing is answered twice for want of a ledger; opting out removes the file."""
    path = tmp_path / FILE_NAME
    path.write_bytes(content)
    client = opened(tmp_path)
    for call in (client.reports, client.spent, client.flush, lambda: client.submit(SURVEY, {})):
        with pytest.raises(StorageDamaged, match="restore it, or opt out"):
            call()
    assert path.read_bytes() == content
    client.opt_out()
    assert not path.exists()
    with opened(tmp_path) as again:
        again.submit(SURVEY, {})


def test_a_damaged_page_is_told(tmp_path: Path) -> None:
    """A file that was overwritten in its middle is damaged too."""
    with opened(tmp_path) as client:
        client.submit(SURVEY, {})
    path = tmp_path / FILE_NAME
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with opened(tmp_path) as client, pytest.raises(StorageDamaged):
        client.reports()


def test_a_file_of_another_version_is_left_alone(tmp_path: Path) -> None:
    """A newer layout is not read as if it were ours."""
    with opened(tmp_path) as client:
        client.submit(SURVEY, {})
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("PRAGMA user_version = 9")
    with opened(tmp_path) as client, pytest.raises(StorageDamaged, match="has the layout 9"):
        client.submit(SURVEY, {})


def test_a_full_disk_keeps_nothing(small_disk: Path) -> None:
    """Submitting says so, nothing is sent, and with room again it works."""
    transport = RecordingTransport()
    with opened(small_disk, transport) as client:
        fill(small_disk)
        with pytest.raises(StorageUnavailable, match="make room"):
            client.submit(SURVEY, {"asthma": "yes"})
        assert client.reports() == ()
        assert transport.sent == []
        (small_disk / "ballast").unlink()
        client.submit(SURVEY, {"asthma": "yes"})
        client.flush()
        assert [entry.state for entry in client.reports()] == ["sent"]


def test_a_disk_that_is_full_from_the_start(small_disk: Path) -> None:
    """Without room for a new file there is memory."""
    fill(small_disk)
    with opened(small_disk) as client:
        assert not client.is_durable
        client.submit(SURVEY, {})
        client.opt_out()


@pytest.mark.parametrize(
    "change", ["weights = 'a lot'", "weights = '2/0'", "next_try = 'soon'", "body = 'text'"]
)
def test_an_entry_that_somebody_edited(tmp_path: Path, change: str) -> None:
    """What cannot be an entry of ours is told as damage, and nothing is made of it."""
    with opened(tmp_path) as client:
        client.submit(SURVEY, {})
        client.flush()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection, connection:
        connection.execute(f"UPDATE entries SET {change}")  # noqa: S608 - see above
    client = opened(tmp_path)
    with pytest.raises(StorageDamaged, match="none of ours"):
        client.spent()
    client.opt_out()
    with opened(tmp_path) as again:
        assert again.reports() == ()


def test_another_process_that_does_not_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Submitting waits a little, and then says that it may be tried again."""
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_S", 0.05)
    with (
        opened(tmp_path) as client,
        closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageBusy, match="another process is writing"):
            client.submit(SURVEY, {})
        assert open_storage(tmp_path).problem == ""
        other.execute("ROLLBACK")
        client.submit(SURVEY, {})


def test_another_thread_that_does_not_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that writes for too long is told of, instead of waited for."""
    monkeypatch.setattr(turns, "BUSY_TIMEOUT_S", 0.05)
    storage: Storage = open_storage(tmp_path)
    with (
        storage.transaction(),
        pytest.raises(StorageBusy, match="another thread is writing"),
        storage.transaction(),
    ):
        pass


def test_a_file_that_is_removed_is_made_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An app goes on when a person clears its data."""
    published: PublishedSurvey = SURVEY
    with opened(tmp_path) as client:
        client.submit(published, {})
        (tmp_path / FILE_NAME).unlink()
        assert client.reports() == ()
        client.submit(published, {})
    assert caplog.text == ""
