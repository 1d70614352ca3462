"""A full disk: acknowledged reports stay, and storing continues as soon as there is room."""

import os
import random
import resource
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from load import Load, send_all
from sample_definitions import choice, survey, yes_no
from served import Served, publish, rows_by_id, served

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
KIB = 1 << 10
MIB = 1 << 20
# The write-ahead log is moved into the file once it is as long as this.
LOG_BYTES = 32 * MIB


def mount(*arguments: str) -> None:
    """Run mount, as root."""
    subprocess.run(["mount", *arguments], check=True, capture_output=True, timeout=60)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A folder on a disk of so many bytes."""
    folder.mkdir()
    try:
        mount("-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(folder))
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no disk can be mounted here (root may); the limit on files is tested instead")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True, timeout=60)


def fill_up(load: Load) -> None:
    """Come back once several requests were refused for want of room."""
    goal = load.statuses[503] + 5
    load.wait_for(lambda: load.statuses[503] >= goal)


def check_nothing_is_lost(load: Load, store: Path) -> None:
    """Nothing, if all that was acknowledged by now is stored."""
    durable = set(load.durable)
    assert durable <= rows_by_id(store, PUBLISHED).keys()


def check(site: Served, load: Load, store: Path) -> None:
    """Nothing, if all that was acknowledged is stored once, and resending adds the rest."""
    kept = rows_by_id(store, PUBLISHED)
    assert set(kept.values()) == {1}
    assert load.durable <= kept.keys() <= load.sent.keys()
    assert set(load.new.values()) == {1}
    assert set(load.problems) == {"store-unavailable"}
    new, known = send_all(site.connect, list(load.sent.values()))
    assert (new, known) == (len(load.sent) - len(kept), len(kept))
    assert rows_by_id(store, PUBLISHED) == Counter(load.sent.keys())


def test_reports_are_taken_again_as_soon_as_there_is_room(
    tmp_path: Path, random_source: random.Random
) -> None:
    """The same collector goes on by itself where the disk ended; its messages are there too."""
    with small_disk(tmp_path / "disk", 1 * MIB) as disk:
        store = disk / "store.sqlite"
        publish(store, PUBLISHED)
        with (
            served(store, disk, workers=2) as site,
            Load(site.connect, PUBLISHED, seed=random_source.random()) as load,
        ):
            for size in (2, 3):
                fill_up(load)
                check_nothing_is_lost(load, store)
                assert site.status() == 503
                mount("-o", f"remount,size={size * MIB}", str(disk))
                load.wait_for_more(20)
            fill_up(load)
            mount("-o", f"remount,size={64 * MIB}", str(disk))
            load.wait_for_more(20)
            assert site.status() == 200
            load.stop()
            check(site, load, store)
            assert site.stop() == 0
        assert rows_by_id(store, PUBLISHED) == Counter(load.sent.keys())
        assert [path.name for path in sorted(disk.iterdir())] == ["served.log", "store.sqlite"]


@pytest.mark.deep
def test_a_collector_that_is_stopped_or_killed_on_a_full_disk_keeps_all(
    tmp_path: Path, random_source: random.Random
) -> None:
    """Neither end costs an acknowledged report, and there is no traceback."""
    with small_disk(tmp_path / "disk", 1 * MIB) as disk:
        store = disk / "store.sqlite"
        publish(store, PUBLISHED)
        durable: set[str] = set()
        for end in (Served.kill, Served.stop):
            with served(store, tmp_path) as site:
                with Load(site.connect, PUBLISHED, seed=random_source.random()) as load:
                    fill_up(load)
                    load.do_not_try_again()
                durable |= load.durable
                end(site)
            mount("-o", f"remount,size={2 * MIB}", str(disk))
            assert rows_by_id(store, PUBLISHED).keys() >= durable
        assert "Traceback" not in site.log.read_text()


@pytest.mark.deep
def test_a_limit_on_the_length_of_files_is_met_and_lifted(
    tmp_path: Path, random_source: random.Random
) -> None:
    """Where the system refuses to let a file grow, it is as if the disk were full."""
    store = tmp_path / "store.sqlite"
    publish(store, PUBLISHED)
    environment = {"DENIABLE_LOG": "json"}
    with (
        served(store, tmp_path, environment=environment) as site,
        Load(site.connect, PUBLISHED, seed=random_source.random()) as load,
    ):
        load.wait_for_more(1)
        number = site.process.pid
        _, most = resource.prlimit(number, resource.RLIMIT_FSIZE)
        resource.prlimit(number, resource.RLIMIT_FSIZE, (900 * KIB, most))
        fill_up(load)
        check_nothing_is_lost(load, store)
        assert site.status() == 503
        resource.prlimit(number, resource.RLIMIT_FSIZE, (most, most))
        load.wait_for_more(20)
        assert site.status() == 200
        load.stop()
        check(site, load, store)
        assert site.stop() == 0
    log = site.log.read_text()
    assert '"event": "store unavailable"' in log
    assert "Traceback" not in log


@pytest.mark.deep
def test_a_log_that_cannot_be_moved_into_the_file_grows_and_is_moved_later(
    tmp_path: Path, random_source: random.Random
) -> None:
    """The disk ends while the log is written into the file; once there is room it is."""
    with small_disk(tmp_path / "disk", LOG_BYTES + 12 * MIB) as disk:
        store = disk / "store.sqlite"
        publish(store, PUBLISHED)
        with (
            served(store, tmp_path) as site,
            Load(site.connect, PUBLISHED, seed=random_source.random()) as load,
        ):
            # With little room beside the log, the file cannot grow by what the log holds.
            ballast = disk / "ballast"
            log = store.with_name("store.sqlite-wal")
            load.wait_for(lambda: log.stat().st_size > LOG_BYTES // 2)
            room = os.statvfs(disk)
            left = room.f_bavail * room.f_frsize - (LOG_BYTES - log.stat().st_size) - MIB
            with ballast.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, left)
            fill_up(load)
            check_nothing_is_lost(load, store)
            ballast.unlink()
            mount("-o", f"remount,size={256 * MIB}", str(disk))
            load.wait_for_more(1_000)
            load.stop()
            check(site, load, store)
            assert site.stop() == 0
        assert [path.name for path in disk.iterdir()] == ["store.sqlite"]
        assert rows_by_id(store, PUBLISHED) == Counter(load.sent.keys())
