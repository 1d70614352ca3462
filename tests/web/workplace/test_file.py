"""The file of those who run surveys: apart from every store with reports."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from deniable_collector.errors import UnreadableStore
from deniable_collector.store import open_store
from deniable_web.accounts.trail import Act, Trail
from deniable_web.workplace import open_workplace, workplace_beside


def test_a_workplace_has_a_file_of_their_own(tmp_path: Path) -> None:
    """Never the store of reports, in which a time would date them; the file is its owner's."""
    reports = tmp_path / "store.sqlite"
    open_store(reports).close()
    with pytest.raises(UnreadableStore, match="is not a workplace"):
        open_workplace(reports)
    for url in ("postgresql://localhost/x", "sqlite:///x"):
        with pytest.raises(UnreadableStore, match="needs a file of its own"):
            open_workplace(url)
    (tmp_path / "other").write_text("something else, and long enough to be read")
    with pytest.raises(UnreadableStore, match="is not an SQLite file"):
        open_workplace(tmp_path / "other")
    with pytest.raises(UnreadableStore, match="in a folder that does not exist"):
        open_workplace(tmp_path / "missing" / "workplace.sqlite")


@pytest.mark.parametrize("change", ["UPDATE trail SET who = 'ben'", "DELETE FROM trail"])
def test_the_trail_only_grows(tmp_path: Path, change: str) -> None:
    """Not even a program with the file open changes or removes an entry."""
    path = tmp_path / "workplace.sqlite"
    with closing(open_workplace(path)) as workplace:
        trail = Trail(workplace, lambda: datetime(2026, 5, 1, 23, 59, 58, tzinfo=UTC))
        trail.record("anna", Act.PUBLISHED, "stress")
        with (
            closing(sqlite3.connect(path)) as other,
            pytest.raises(sqlite3.IntegrityError, match="entries are never"),
        ):
            other.execute(change)
        (entry,) = trail.entries()
    assert (entry.day, entry.who, entry.what, entry.about) == (
        "2026-05-01",
        "anna",
        Act.PUBLISHED,
        "stress",
    )


@pytest.mark.parametrize(
    ("store", "beside"),
    [
        ("deniable.sqlite", "deniable-workplace.sqlite"),
        ("sqlite:////var/lib/d/a.b", "/var/lib/d/a-workplace.sqlite"),
        ("postgresql://localhost/x", None),
        ("other://x", None),
    ],
)
def test_a_workplace_is_beside_an_sqlite_store(store: str, beside: str | None) -> None:
    """Elsewhere only where the operator says."""
    assert workplace_beside(store) == (Path(beside) if beside else None)
