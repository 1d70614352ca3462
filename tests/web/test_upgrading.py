"""The way from one version to another, with the commands of docs/OPERATING.md, and back.

There is one layout so far, so both versions are this one; tests/collector/test_layouts.py has an
invented step.
"""

import os
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest

from deniable_collector.store import add_reports, open_store
from deniable_collector.tokens import AccessToken, Role, digest_of
from deniable_sdk import PublishedSurvey
from nginx_server import fenced
from postgres_server import PostgresServer, program
from sample_definitions import choice, multiple, survey, yes_no
from served import rows_by_id, served
from store_samples import reports_of as some_reports

SURVEYS = {
    survey(yes_no(), choice(options=30), multiple(options=4), ask=2, slug="open"): 30,
    survey(yes_no(), slug="limited", at_most_reports=50): 7,
    survey(yes_no(), slug="closed"): 20,
}
BLOCKS = [block for block in fenced("OPERATING.md", "sh") if "systemctl stop" in block]
IN_SQLITE, BACK, IN_POSTGRES = BLOCKS


class Machine:
    """Runs the lines of the page, with its places in a folder of the test's own."""

    def __init__(self, folder: Path, store: str) -> None:
        self._folder, self._store = folder, store
        self._running = ExitStack()
        for name in ("library", "backups", "log"):
            (folder / name).mkdir(mode=0o700)

    def __enter__(self) -> "Machine":
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    def run(self, block: str, *, is_installed: bool = True) -> list[str]:
        """Run all lines; those that ran as a command of their own.

        Args:
            block: the lines.
            is_installed: whether the version that is started is this one.
        """
        ran = []
        for line in block.splitlines():
            if line.startswith("systemctl stop"):
                self._running.close()
            elif line.startswith("systemctl start"):
                if is_installed:
                    log = self._folder / "log"
                    self._running.enter_context(served(self._store, log))
            elif not line.startswith("/opt/deniable/bin/pip"):
                self._command(line)
                ran.append(line)
        return ran

    def _command(self, line: str) -> None:
        for place, name in (
            ("/var/lib/deniable", "library"),
            ("/var/backups/deniable", "backups"),
        ):
            line = line.replace(place, str(self._folder / name))
        command = line.replace("deniable ", f"{sys.executable} -m deniable_web ", 1)
        folder = Path(program("pg_dump")).parent if "pg_dump" in line else ""
        done = subprocess.run(
            ["bash", "-c", command if line.startswith("deniable ") else line],
            env={
                **os.environ,
                "DENIABLE_STORE": self._store,
                "PATH": f"{folder}:{os.environ['PATH']}",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        # The doctor may warn of this machine, but not find a problem.
        allowed = (0, 1) if "doctor" in line else (0,)
        assert done.returncode in allowed, (line, done.stdout, done.stderr)


def fill(location: str) -> None:
    """A store with reports of three surveys, one of them closed, and a token."""
    with closing(open_store(location)) as store:
        for published, count in SURVEYS.items():
            store.publish(published)
            add_reports(store, some_reports(published, count, random.Random(1)))
        store.close_survey("closed")
        store.add_token(AccessToken("anna", Role.OWNER), digest_of("anna"))


def dump(path: Path) -> list[str]:
    """Every statement that would make the file again."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def reports_of(location: str) -> dict[str, Counter[str]]:
    """The ids of all reports, as any tool reads them, by the digest of their survey."""
    surveys: list[PublishedSurvey]
    with closing(open_store(location, must_exist=True)) as store:
        surveys = [found.survey for found in store.list_surveys()]
        assert not any(store.recount(found).differing for found in store.list_surveys())
    return {each.digest: rows_by_id(location, each) for each in surveys}


def test_a_store_in_sqlite_is_upgraded_and_brought_back(tmp_path: Path) -> None:
    """All reports are there; and the way back ends at what there was before."""
    with Machine(tmp_path, str(tmp_path / "library" / "store.sqlite")) as machine:
        path = tmp_path / "library" / "store.sqlite"
        fill(str(path))
        before = dump(path)
        assert len(machine.run(IN_SQLITE)) == 3
        backup = tmp_path / "backups" / "before.sqlite"
        assert sorted(dump(backup)) == sorted(before)
        # While it is served.
        found = reports_of(str(path))
        assert sum(map(len, found.values())) == sum(SURVEYS.values())
        rows = [line for line in before if line.startswith('INSERT INTO "reports_')]
        assert sum(map(len, found.values())) == len(rows)
        machine.run(BACK, is_installed=False)
        assert sorted(dump(path)) == sorted(before)
        assert reports_of(str(path.parent / "newer" / "store.sqlite")) == found


@pytest.fixture
def earlier(postgres_server: PostgresServer) -> Iterator[str]:
    """A database with surveys, reports and a token."""
    name = "earlier"
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0".encode())
    url = f"{postgres_server.url.rpartition('/')[0]}/{name}"
    fill(url)
    yield url
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def test_a_store_in_postgresql_is_upgraded(earlier: str, tmp_path: Path) -> None:
    """All reports are there, and the dump restores what there was."""
    before = reports_of(earlier)
    with Machine(tmp_path, earlier) as machine:
        assert len(machine.run(IN_POSTGRES)) == 2
        assert reports_of(earlier) == before
        assert sorted(map(len, before.values())) == [7, 20, 30]
    with psycopg.connect(earlier, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    restore = [program("pg_restore"), "--exit-on-error", "--no-owner", "--dbname", earlier]
    restored = subprocess.run(
        [
            *restore,
            "--no-privileges",
            "--schema=public",
            str(tmp_path / "backups" / "before.dump"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert restored.returncode == 0, restored.stderr
    assert reports_of(earlier) == before
    with closing(open_store(earlier)) as store:
        assert [token.name for token in store.list_tokens()] == ["anna"]
