"""Files of the layout before, which knew neither panels nor facts."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deniable_sdk import AlreadyAnswered, open_client
from deniable_sdk.client import StorageDamaged
from deniable_sdk.client.storage.opening import FILE_NAME
from deniable_sdk.client.storage.sqlite import SqliteStorage
from deniable_sdk.testing import RecordingTransport
from sample_definitions import survey, yes_no

SURVEY = survey(yes_no())
COLLECTOR = "https://collector.example"


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A folder with a file of layout 1 and one answered survey in it."""
    with open_client(
        COLLECTOR, consent=True, folder=tmp_path, transport=RecordingTransport()
    ) as client:
        client.submit(SURVEY, {})
        client.flush()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("ALTER TABLE entries DROP COLUMN panel")
        connection.execute("ALTER TABLE entries DROP COLUMN fixed")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    return tmp_path


def test_an_earlier_file_gains_its_columns(earlier: Path) -> None:
    """What was answered stays answered, and new reports are kept beside it."""
    with open_client(
        COLLECTOR, consent=True, folder=earlier, transport=RecordingTransport()
    ) as client:
        assert client.is_durable
        with pytest.raises(AlreadyAnswered):
            client.submit(SURVEY, {})
        client.submit(survey(yes_no(fixed=True), slug="facts"), {})
        client.flush()
    with SqliteStorage(earlier / FILE_NAME).transaction() as stored:
        before, after = stored.entries()
    assert (before.panel, before.fixed) == ("", "{}")
    assert after.fixed.startswith('{"')
    with closing(sqlite3.connect(earlier / FILE_NAME)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)


def test_an_earlier_file_that_cannot_be_written_is_read(earlier: Path) -> None:
    """Memory that stands in for it begins with what was answered."""
    (entry,) = SqliteStorage(earlier / FILE_NAME).read_only()
    assert (entry.slug, entry.panel, entry.fixed) == ("health", "", "{}")
    with closing(sqlite3.connect(earlier / FILE_NAME)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


@pytest.mark.parametrize(
    ("column", "value"),
    [("panel", "2 of 4"), ("panel", 1), ("fixed", "[]"), ("fixed", "{"), ("weights", "x")],
)
def test_an_entry_that_is_none_of_ours(tmp_path: Path, column: str, value: object) -> None:
    """What somebody else has written into a column is an error that says what to do."""
    storage = SqliteStorage(tmp_path / FILE_NAME)
    with open_client(COLLECTOR, consent=True, storage=storage) as client:
        client.submit(SURVEY, {})
        client.shut_down()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute(f"UPDATE entries SET {column} = ?", (value,))  # noqa: S608 - ours
        connection.commit()
    with pytest.raises(StorageDamaged, match="none of ours"), storage.transaction() as stored:
        stored.entries()
