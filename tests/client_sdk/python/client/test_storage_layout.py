"""Files of earlier layouts, which knew no days, and the first neither panels nor facts."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deniable_sdk import AlreadyAnswered, YearlyCapExceeded, open_client
from deniable_sdk.client import MemoryStorage, StorageDamaged
from deniable_sdk.client.storage.opening import FILE_NAME
from deniable_sdk.client.storage.sqlite import SqliteStorage
from deniable_sdk.testing import RecordingTransport, open_test_client
from sample_definitions import survey, yes_no

SURVEY = survey(yes_no())
WAITING = survey(yes_no(), slug="waiting")
COLLECTOR = "https://collector.example"


EARLIER = {1: ("panel", "fixed", "blocks", "day", "digest"), 2: ("blocks", "day", "digest")}


@pytest.fixture(params=EARLIER)
def layout(request: pytest.FixtureRequest) -> int:
    """Each earlier layout."""
    return int(request.param)


@pytest.fixture
def earlier(tmp_path: Path, layout: int) -> Path:
    """A folder with a file of an earlier layout: of two reports one was sent, one waits."""
    with open_client(
        COLLECTOR, consent=True, folder=tmp_path, transport=RecordingTransport()
    ) as client:
        client.submit(SURVEY, {})
        client.flush()
        client.submit(WAITING, {}, hold=True)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("UPDATE entries SET state = 'queued' WHERE state = 'held'")
        connection.execute("UPDATE entries SET key = collector || ' ' || survey")
        for column in EARLIER[layout]:
            connection.execute(f"ALTER TABLE entries DROP COLUMN {column}")
        connection.execute(f"PRAGMA user_version = {layout}")
        connection.commit()
    return tmp_path


def test_an_earlier_file_gains_its_columns(earlier: Path) -> None:
    """What was answered stays answered and spent; what waits is sent; new reports are kept."""
    transport = RecordingTransport()
    with open_client(COLLECTOR, consent=True, folder=earlier, transport=transport) as client:
        assert client.is_durable
        assert client.spent().yearly_epsilon == pytest.approx(4, abs=1e-6)
        for published in (SURVEY, WAITING):
            with pytest.raises(AlreadyAnswered):
                client.submit(published, {})
            assert client.draw(published).blocks == ("asthma",)
        client.flush()
        assert [entry.state for entry in client.pending()] == ["sent", "sent"]
        client.submit(survey(yes_no(fixed=True), slug="facts"), {})
        client.flush()
        with pytest.raises(YearlyCapExceeded):
            client.draw(survey(yes_no(), slug="more", epsilon=3))
    assert len(transport.sent) == 2
    with SqliteStorage(earlier / FILE_NAME).transaction() as stored:
        before, _, after = stored.entries()
    assert (before.panel, before.fixed, before.blocks) == ("", "{}", "")
    assert before.day > after.day
    assert after.fixed.startswith('{"')
    with closing(sqlite3.connect(earlier / FILE_NAME)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (4,)


def test_an_earlier_file_that_cannot_be_written_is_read(earlier: Path, layout: int) -> None:
    """Memory that stands in for it begins with what was answered."""
    sent, waiting = SqliteStorage(earlier / FILE_NAME).read_only()
    assert (sent.slug, sent.panel, sent.fixed, sent.blocks) == ("health", "", "{}", "")
    assert (sent.state, waiting.state) == ("sent", "waiting")
    with open_test_client(
        RecordingTransport(), storage=MemoryStorage(entries=[sent, waiting]), yearly_cap=5
    ) as client:
        assert client.spent().yearly_epsilon == pytest.approx(4, abs=1e-6)
        with pytest.raises(AlreadyAnswered):
            client.submit(SURVEY, {})
    with closing(sqlite3.connect(earlier / FILE_NAME)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (layout,)


def test_a_file_without_digests_gets_them(tmp_path: Path) -> None:
    """What layout 3 kept is read as it is, and from then on a change of it is told."""
    with open_client(
        COLLECTOR, consent=True, folder=tmp_path, transport=RecordingTransport()
    ) as client:
        client.submit(SURVEY, {}, hold=True)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("ALTER TABLE entries DROP COLUMN digest")
        connection.execute("PRAGMA user_version = 3")
        connection.commit()
    storage = SqliteStorage(tmp_path / FILE_NAME)
    before = storage.read_only()
    with storage.transaction() as stored:
        assert stored.entries() == before
    assert storage.read_only() == before
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("UPDATE entries SET day = day - 365")
        connection.commit()
    with pytest.raises(StorageDamaged, match="not as it was kept"):
        storage.read_only()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("panel", "2 of 4"),
        ("panel", 1),
        ("fixed", "[]"),
        ("fixed", "{"),
        ("weights", "x"),
        ("state", "x"),
    ],
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
