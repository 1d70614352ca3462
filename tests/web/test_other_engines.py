"""An engine of another package is found by the scheme of its locations."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from deniable_analysis import open_study
from deniable_analysis.errors import StudyNotFound
from deniable_collector import UnsupportedStore
from deniable_collector.store import add_reports, open_store, shown
from deniable_sdk import randomize
from deniable_web.commands import run
from sample_definitions import survey, yes_no

PUBLISHED = survey(yes_no(), slug="open", title="An open one")
MODULE = '''
from pathlib import Path

from deniable_analysis.sources.stores import SqliteSource
from deniable_collector.store.sqlite import SqliteStore


class BoxStore(SqliteStore):
    """A store of this package."""


def open_store(location, *, must_exist, patience_s):
    return BoxStore(_path(location), must_exist=must_exist, busy_timeout_s=patience_s)


def open_source(location, token):
    return SqliteSource(_path(location))


def _path(location):
    return Path(location.removeprefix("box://")) / "box.sqlite"
'''
POINTS = """
[deniable.stores]
box = box_engine:open_store

[deniable.sources]
box = box_engine:open_source
"""


@pytest.fixture
def location(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A location of the engine of a package that is installed."""
    installed, folder = tmp_path / "installed", tmp_path / "box"
    about = installed / "box_engine-1.0.dist-info"
    about.mkdir(parents=True)
    folder.mkdir()
    (installed / "box_engine.py").write_text(MODULE)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: box-engine\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(installed)
    return f"box://{folder}"


def test_commands_and_studies_use_it(location: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Storing, listing, and estimating work as with the engines of deniable."""
    with closing(open_store(location)) as store:
        assert type(store).__name__ == "BoxStore"
        store.publish(PUBLISHED)
        add_reports(store, [randomize(PUBLISHED, {}) for _ in range(7)])
    assert run(["list", "--store", location, "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["reports"] == 7
    assert open_study(location).estimate().reports == 7


def test_messages_name_its_scheme(location: str) -> None:
    """An unknown scheme is refused with those that there are."""
    assert location.startswith("box://")
    with pytest.raises(UnsupportedStore, match=r"sqlite:/// and a path, box://\.\.\., or"):
        open_store("crate://localhost/health")
    with pytest.raises(StudyNotFound, match=r"s3://BUCKET/FOLDER, box://\.\.\., or"):
        open_study("crate://localhost/health")


def test_no_password_of_any_engine_is_shown() -> None:
    """Locations of all engines are shown without passwords."""
    assert shown("box://me:secret@localhost/health?key=secret") == "box://me@localhost/health"
    assert shown("box://me:se@cret@localhost") == "box://..."
    assert shown("sqlite:////srv/store.sqlite") == "sqlite:////srv/store.sqlite"
