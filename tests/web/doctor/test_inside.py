"""`deniable doctor` finds each fault of a store and its surroundings on their machine."""

import json
import os
import resource
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_collector.store.backup import back_up
from deniable_collector.tokens import AccessToken, Role
from deniable_sdk import PublishedSurvey
from deniable_web.commands import run
from deniable_web.doctor.diagnosis import Urgency
from deniable_web.doctor.inside import check_clock_service, check_swap
from deniable_web.doctor.stores import check_room
from later_layout import later_version
from nginx_server import fenced
from postgres_server import PostgresServer, is_root
from sample_definitions import survey, yes_no
from served import publish, served

PUBLISHED = survey(yes_no(), slug="examined")
# Of this machine, not of the installation.
MACHINE = {"clock service", "swap", "disk"}
Examine = Callable[..., dict[str, tuple[str, str]]]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store as it should be, with an owner's token, in a folder of its own."""
    folder = tmp_path / "kept"
    folder.mkdir(mode=0o700)
    path = folder / "store.sqlite"
    publish(path, PUBLISHED)
    with closing(open_store(path)) as opened:
        opened.add_token(AccessToken("anna", Role.OWNER), "a" * 64)
    return path


@pytest.fixture
def examine(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Examine:
    """What is not ok, by its subject, after running the command on a store."""
    monkeypatch.delenv("DENIABLE_WORKPLACE", raising=False)

    def found(store: Path | str, *options: str) -> dict[str, tuple[str, str]]:
        code = run(["doctor", "--store", str(store), "--format", "json", *options])
        checks = json.loads(capsys.readouterr().out)["checks"]
        urgencies = [check["result"] for check in checks]
        assert code == (2 if "problem" in urgencies else 1 if "warning" in urgencies else 0)
        return {
            check["subject"]: (check["result"], check["found"])
            for check in checks
            if check["result"] != "ok" and check["subject"] not in MACHINE
        }

    return found


def test_a_store_that_nobody_serves_lacks_a_service_only(store: Path, examine: Examine) -> None:
    """All else is well, and looking leaves the folder as it was."""
    before = {path.name: path.read_bytes() for path in store.parent.iterdir()}
    assert examine(store).keys() == {"service"}
    assert {path.name: path.read_bytes() for path in store.parent.iterdir()} == before


def test_a_store_that_is_served_is_well(
    store: Path, tmp_path: Path, examine: Examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is found by its store; its limits and its variables are its own."""
    proxy = tmp_path / "nginx.conf"
    proxy.write_text(fenced("OPERATING.md", "nginx")[0])
    behind = ("--proxy-config", str(proxy))
    with served(store, tmp_path, environment={"DENIABLE_PROXIES": "1"}, is_forked=False) as site:
        number = site.process.pid
        resource.prlimit(number, resource.RLIMIT_CORE, (0, resource.RLIM_INFINITY))
        assert examine(store, *behind) == {}
        monkeypatch.chdir(store.parent)
        assert examine(store.name, *behind) == {}
        resource.prlimit(number, resource.RLIMIT_CORE, (1 << 20, resource.RLIM_INFINITY))
        assert examine(store).keys() == {"core files"}
    with served(store, tmp_path, environment={"DENIABLE_PROXIES": ""}, is_forked=False) as site:
        resource.prlimit(site.process.pid, resource.RLIMIT_CORE, (0, 0))
        found = examine(store, *behind)
        assert found.keys() == {"proxies"}
        assert found["proxies"][0] == "problem"
        assert examine(store) == {}


def test_files_that_others_may_open_are_a_problem(store: Path, examine: Examine) -> None:
    """The store, and what is beside it."""
    store.chmod(0o644)
    assert examine(store)["store"] == (
        "problem",
        f"Other users of this machine may open {store} (its mode is 0644).",
    )
    store.chmod(0o600)
    store.parent.chmod(0o777)
    assert "may replace files" in examine(store)["store"][1]


@pytest.mark.skipif(not is_root(), reason="only root may give a file to somebody else")
def test_a_log_that_root_left_is_a_problem(store: Path, examine: Examine) -> None:
    """The collector's own user could not write any more."""
    os.chown(store, 12345, 12345)
    with served(store, store.parent.parent):
        os.chown(store.with_name("store.sqlite-wal"), 0, 0)
        assert "belongs to another user (0)" in examine(store)["store"][1]


def test_an_earlier_layout_is_a_warning_and_stays(
    store: Path, examine: Examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking migrates nothing."""
    later_version(monkeypatch)
    before = store.read_bytes()
    assert examine(store)["layout"][0] == "warning"
    assert store.read_bytes() == before


def test_a_newer_layout_is_a_problem(store: Path, examine: Examine) -> None:
    """This version cannot open it."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(
            "UPDATE _sqlite_migrations SET name = 'new' WHERE name = 'create_tables'"
        )
    urgency, found = examine(store)["layout"]
    assert urgency == "problem"
    assert "made by a newer version" in found


def test_no_store_is_a_problem(tmp_path: Path, examine: Examine) -> None:
    """And none is made."""
    assert "there is no store" in examine(tmp_path / "no.sqlite")["layout"][1]
    assert list(tmp_path.iterdir()) == []


def test_a_store_without_owners_is_a_warning(tmp_path: Path, examine: Examine) -> None:
    """Nobody could publish in the browser."""
    publish(tmp_path / "store.sqlite", PUBLISHED)
    assert examine(tmp_path / "store.sqlite")["tokens"][0] == "warning"


def test_closings_that_are_missing_or_interrupted_are_told(store: Path, examine: Examine) -> None:
    """A survey that has ended is to be closed; an interrupted closing or purging is a problem."""
    over = survey(yes_no(), slug="over", closes="2020-01-01T00:00Z")
    publish(store, over)
    urgency, found = examine(store)["closing"]
    assert urgency == "warning"
    assert "over@1 has ended and is not closed" in found
    with closing(open_store(store)) as opened:
        opened.close_survey("over")
        assert "closing" not in examine(store)
        interrupt(store, over)
        urgency, found = examine(store)["closing"]
        assert urgency == "problem"
        assert "over@1 was being closed when that was interrupted" in found
        opened.purge_reports(over.digest)
        assert "closing" not in examine(store)
    interrupt(store, over)
    assert "over@1 was being purged when that was interrupted" in examine(store)["closing"][1]


def interrupt(store: Path, published: PublishedSurvey) -> None:
    """Mark a survey as a kill leaves it."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("INSERT INTO unfinished VALUES (?)", (published.digest,))


def test_drafts_in_the_file_of_reports_are_a_problem(store: Path, examine: Examine) -> None:
    """Whatever way the file is named."""
    other = store.parent / ".." / store.parent.name / store.name
    assert examine(store, "--workplace", str(other))["workplace"][0] == "problem"


def test_a_backup_is_read_completely(store: Path, tmp_path: Path, examine: Examine) -> None:
    """A good one is well; one that is old, open, damaged or missing is not."""
    copy = tmp_path / "copy.sqlite"
    back_up(str(store), copy)
    named = ("--backup", str(copy))
    assert "backup" not in examine(store, *named)
    os.utime(copy, (0, 0))
    assert examine(store, *named)["backup"][0] == "warning"
    os.utime(copy)
    copy.chmod(0o640)
    assert "may open" in examine(store, *named)["backup"][1]
    copy.chmod(0o600)
    content = bytearray(copy.read_bytes())
    # In the middle of the pages, where no header is.
    content[len(content) // 2 : len(content) // 2 + 3000] = b"\xff" * 3000
    copy.write_bytes(content)
    assert "cannot be restored" in examine(store, *named)["backup"][1]
    copy.write_bytes(b"no store")
    assert "cannot be restored" in examine(store, *named)["backup"][1]
    copy.unlink()
    assert "There is no backup" in examine(store, *named)["backup"][1]


def test_a_server_that_logs_commits_is_a_warning(
    postgres_server: PostgresServer, examine: Examine
) -> None:
    """The tests' own server logs every statement."""
    url = postgres_server.schema()
    assert "there is no store" in examine(url)["layout"][1]
    with closing(open_store(url)) as opened:
        opened.add_token(AccessToken("anna", Role.OWNER), "a" * 64)
    found = examine(url)
    assert found.keys() == {"PostgreSQL", "workplace", "service"}
    wrong = postgres_server.url.replace("/postgres", "/none")
    assert examine(wrong)["layout"][0] == "problem"


def test_what_a_machine_lacks_is_said() -> None:
    """Room, a clock that is kept right, and swap that is encrypted."""
    folder = Path("/store")
    rooms = [(99 << 20, 0), (500 << 20, 0), (3 << 30, 2 << 30), (3 << 30, 1 << 30)]
    assert [check_room(folder, free, size).urgency for free, size in rooms] == [
        Urgency.PROBLEM,
        Urgency.WARNING,
        Urgency.WARNING,
        Urgency.OK,
    ]
    clocks = [check_clock_service(is_kept_right=each).urgency for each in (True, False, None)]
    assert clocks == [Urgency.OK, Urgency.WARNING, Urgency.WARNING]
    assert check_swap([]).urgency is Urgency.OK
    assert "/dev/sda2" in check_swap(["/dev/sda2"]).found
