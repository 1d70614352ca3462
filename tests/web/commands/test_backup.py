"""deniable backup, as people use it."""

from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_web.commands import run
from sample_definitions import survey, yes_no

PUBLISHED = survey(yes_no(), slug="work")


def test_a_backup_is_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The copy has what the store has, and a second one to the same file is refused."""
    monkeypatch.chdir(tmp_path)
    with closing(open_store("deniable.sqlite")) as store:
        store.publish(PUBLISHED)
        assert run(["backup", "copy.sqlite"]) == 0
        assert run(["backup", "copy.sqlite"]) == 1
    said = capsys.readouterr().err
    assert "Backed up: copy.sqlite. Keep it as secret as the store." in said
    assert "copy.sqlite already exists; move it" in said
    with closing(open_store("copy.sqlite")) as copy:
        assert copy.find_survey("work") is not None
