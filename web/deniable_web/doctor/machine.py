"""Reads facts about this machine and its files; changes nothing."""

import ctypes
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PROCESSES: Final = Path("/proc")
_SWAPS: Final = Path("/proc/swaps")
# What adjtimex(2) returns if nothing keeps the clock right, and room for its record.
_UNSYNCHRONISED: Final = 5
_TIMEX_BYTES: Final = 512
_PERMISSIONS: Final = 0o777


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What the system says about a file or a folder.

    Args:
        path: of it.
        owner: the number of the user to whom it belongs.
        mode: its permissions.
        size: in bytes.
        changed: when, in seconds since 1970.
    """

    path: Path
    owner: int
    mode: int
    size: int
    changed: float


@dataclass(frozen=True, slots=True)
class RunningService:
    """The process that serves a store.

    Args:
        core_limit: how long a core file may be; "0" for none.
        environment: its variables.
    """

    core_limit: str
    environment: Mapping[str, str]


def facts_of(path: Path) -> FileFacts | None:
    """The facts about a file; None if there is no such file."""
    try:
        found = path.stat()
    except OSError:
        return None
    mode = found.st_mode & _PERMISSIONS
    return FileFacts(path, found.st_uid, mode, found.st_size, found.st_mtime)


def is_clock_kept_right() -> bool | None:
    """Whether something synchronises the clock; None if the system does not say."""
    try:
        state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else bool(state != _UNSYNCHRONISED)


def unprotected_swaps() -> list[str]:
    """The swap areas that outlive a power cut and are not encrypted."""
    with suppress(OSError):
        lines = _SWAPS.read_text().splitlines()[1:]
        return [name for name in (line.split()[0] for line in lines) if not _is_protected(name)]
    return []


def find_service(store: str) -> RunningService | None:
    """The process that serves a store on this machine; None if none is found."""
    for process in _PROCESSES.glob("[0-9]*"):
        with suppress(OSError, ValueError):
            words = (process / "cmdline").read_text().split("\0")
            if not _is_serving(words):
                continue
            pairs = (process / "environ").read_text(errors="replace").split("\0")
            environment = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
            if _same(_store_of(words, environment), process / "cwd", store):
                return RunningService(_core_limit(process), environment)
    return None


def _is_serving(words: Sequence[str]) -> bool:
    names = [Path(word).name for word in words]
    return "serve" in words and ("deniable" in names or "deniable_web" in words)


def _store_of(words: Sequence[str], environment: Mapping[str, str]) -> str:
    for given, following in zip(words, [*words[1:], ""], strict=True):
        if given == "--store":
            return following
        if given.startswith("--store="):
            return given.partition("=")[2]
    return environment.get("DENIABLE_STORE") or "deniable.sqlite"


def _same(served: str, folder: Path, store: str) -> bool:
    if "://" in store or "://" in served:
        return served == store
    return (folder.resolve() / served).resolve() == Path(store).resolve()


def _core_limit(process: Path) -> str:
    lines = (process / "limits").read_text().splitlines()
    return next(line.split()[4] for line in lines if line.startswith("Max core file size"))


def _is_protected(name: str) -> bool:
    """Whether a swap area is in memory, or on an encrypted device."""
    device = os.path.realpath(name).rpartition("/")[2]
    if device.startswith("zram"):
        return True
    with suppress(OSError):
        return Path(f"/sys/block/{device}/dm/uuid").read_text().startswith("CRYPT")
    return False


def beside(store: Path) -> Iterator[FileFacts]:
    """The files of a store in SQLite that are there."""
    for ending in ("", "-wal", "-shm"):
        facts = facts_of(store.with_name(store.name + ending))
        if facts:
            yield facts
