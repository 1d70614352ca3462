"""A PostgreSQL server of the tests' own, started once and stopped at the end.

`with running_server() as server:` gives one; `server.schema()` a URL of
an empty schema in it, for one test. The fixture is in conftest.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg

from free_ports import free_port

PASSWORD = "pass-word-of-the-tests"  # noqa: S105  opens nothing but test servers
WITHOUT = "DENIABLE_WITHOUT_POSTGRES"
TIMEOUT_S = 120
_SETTINGS = ("shared_buffers=64MB", "max_connections=60", "log_statement=all", "fsync=on")


@dataclass(frozen=True)
class PostgresServer:
    """A running server: its folder, its port, and how it is told things."""

    folder: Path
    port: int
    schemas: Iterator[int]

    @property
    def url(self) -> str:
        """The database `postgres`, as its superuser, over the loopback device."""
        return f"postgresql://postgres:{PASSWORD}@127.0.0.1:{self.port}/postgres"

    @property
    def log(self) -> str:
        """All that the server logged."""
        return (self.folder / "log").read_text(errors="replace")

    def schema(self) -> str:
        """The URL of an empty schema."""
        name = f"schema_{next(self.schemas)}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return f"{self.url}?options=-csearch_path%3D{name}"

    def start(self, *settings: str) -> None:
        """Start it, with settings besides its own; it accepts connections when this returns."""
        options = " ".join(f"-c {setting}" for setting in (*_SETTINGS, *settings))
        self.control("start", "-o", f"-p {self.port} -k {self.folder} -h 127.0.0.1 {options}")

    def stop(self, mode: str = "fast") -> None:
        """Stop it as an operator would, or, with `immediate`, as a power cut would."""
        self.control("stop", "-m", mode)

    def freeze(self) -> list[int]:
        """Stop all of its processes where they are; returns their numbers."""
        pid_file = self.folder / "data" / "postmaster.pid"
        leader = int(pid_file.read_text().split()[0])
        # Stopped first, it starts no other process.
        os.kill(leader, signal.SIGSTOP)
        children = Path(f"/proc/{leader}/task/{leader}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGSTOP)
        return [leader, *map(int, children)]

    @staticmethod
    def thaw(numbers: Sequence[int]) -> None:
        """Let processes that were stopped go on; one that had ended may be gone by now."""
        for number in numbers:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGCONT)

    @contextmanager
    def setting(self, name: str, value: str) -> Iterator[None]:
        """A block in which the server runs with another setting."""
        self.stop()
        self.start(f"{name}={value}")
        try:
            yield
        finally:
            self.stop()
            self.start()

    def control(self, action: str, *options: str) -> None:
        """Tell the server something, and wait until it is done."""
        log = str(self.folder / "log")
        _run("pg_ctl", "-D", str(self.folder / "data"), "-l", log, "-w", *options, action)


@contextmanager
def running_server() -> Iterator[PostgresServer]:
    """A server whose files are in a new folder, which is removed at the end."""
    folder = _make_folder()
    password_file = folder / "password"
    password_file.write_text(PASSWORD)
    # SCRAM hashes 4,096 times, which would double the time of each connection.
    _run(
        *("initdb", "-D", str(folder / "data"), "-U", "postgres", "-A", "md5"),
        *("--pwfile", str(password_file), "-E", "UTF8", "--no-locale", "--no-sync"),
    )
    server = PostgresServer(folder, free_port(), count())
    server.start()
    try:
        yield server
    finally:
        server.stop("immediate")
        shutil.rmtree(folder)


def execute(url: str, *statements: str) -> None:
    """Let the database do something beside the store."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def program(name: str) -> str:
    """The path of one of the server's programs.

    Raises:
        FileNotFoundError: PostgreSQL is not installed.
    """
    # Debian keeps them apart, one folder for each version.
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    path = shutil.which(name) if not found else str(found[-1])
    if path is None:
        raise FileNotFoundError(
            f"{name} of PostgreSQL is not installed: run 'apt-get install postgresql', or set "
            f"{WITHOUT}=1 to leave out the tests that need it"
        )
    return path


def is_root() -> bool:
    """Whether the tests run as root, as whom the server refuses to run."""
    return os.geteuid() == 0


def _run(name: str, *arguments: str) -> None:
    prefix = ["runuser", "-u", "postgres", "--"] if is_root() else []
    # Not captured in a pipe: the server would keep it open.
    done = subprocess.run(
        [*prefix, program(name), *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        cwd="/",
        check=False,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 0, f"{name} failed with exit status {done.returncode}"


def _make_folder() -> Path:
    # Not among the tests' own temporary folders: only their owner may enter those.
    folder = Path(tempfile.mkdtemp(prefix="deniable-postgres-"))
    if is_root():
        shutil.chown(folder, "postgres")
    return folder
