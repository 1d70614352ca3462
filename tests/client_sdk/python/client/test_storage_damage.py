"""What somebody or a disk has changed in the file of reports is told, not guessed."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deniable_sdk import open_client
from deniable_sdk.client import StorageDamaged
from deniable_sdk.client.storage.opening import FILE_NAME
from deniable_sdk.client.storage.sqlite import SqliteStorage
from deniable_sdk.testing import RecordingTransport
from sample_definitions import survey, yes_no

SURVEY = survey(yes_no())
COLLECTOR = "https://collector.example"


def test_any_flipped_bit_of_what_is_kept_is_told(tmp_path: Path) -> None:
    """No bit of an entry can change without a word: neither the report nor what was spent."""
    path = tmp_path / FILE_NAME
    with open_client(
        COLLECTOR, consent=True, folder=tmp_path, transport=RecordingTransport()
    ) as client:
        client.submit(SURVEY, {}, hold=True)
    with SqliteStorage(path).transaction() as stored:
        (entry,) = stored.entries()
    content = path.read_bytes()
    assert entry.body is not None
    begin = content.index(entry.body)
    assert content.count(entry.body) == 1
    spent = content.index(entry.weights.encode())
    places = [*range(begin, begin + len(entry.body)), *range(spent, spent + len(entry.weights))]
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1
        path.write_bytes(changed)
        with (
            SqliteStorage(path).transaction() as stored,
            pytest.raises(StorageDamaged, match="restore the file, or opt out"),
        ):
            stored.entries()
    path.write_bytes(content)
    with SqliteStorage(path).transaction() as stored:
        assert stored.entries() == [entry]


def test_a_file_has_its_tables_before_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So an empty file was emptied by somebody; also where a file has one name only."""

    def refuse(*_: object) -> None:
        raise PermissionError

    for name, link in (("one", os.link), ("other", refuse)):
        monkeypatch.setattr(os, "link", link)
        path = tmp_path / name
        with SqliteStorage(path).transaction():
            pass
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT count(*) FROM entries").fetchone() == (0,)
        assert path.stat().st_mode & 0o777 == 0o600
        # Somebody else made one in between: it is used as it is.
        SqliteStorage(path)._make()
        with SqliteStorage(path).transaction() as stored:
            assert stored.entries() == []
    assert sorted(found.name for found in tmp_path.iterdir()) == ["one", "other"]
