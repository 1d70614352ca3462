"""Examines an installation on its machine."""

import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deniable_collector.settings import PROXIES
from deniable_collector.store.locations import scheme_of, sqlite_path
from deniable_web.doctor.diagnosis import Diagnosis, ok, problem, warning
from deniable_web.doctor.machine import (
    RunningService,
    beside,
    facts_of,
    find_service,
    is_clock_kept_right,
    unprotected_swaps,
)
from deniable_web.doctor.stores import (
    check_permissions,
    check_room,
    check_workplace,
    examine_backup,
    examine_postgres,
    examine_store,
)
from deniable_web.workplace import workplace_beside


@dataclass(frozen=True, slots=True)
class Inside:
    """An installation, seen from its machine.

    Args:
        store: of reports.
        workplace: where drafts and accounts are kept; None for the file beside the store.
        backup: the newest one; None if none is named.
        has_proxy: whether people reach it through a proxy.
    """

    store: str
    workplace: str | None
    backup: Path | None
    has_proxy: bool


def examine_inside(inside: Inside) -> Iterator[Diagnosis]:
    """What is found, one thing after the other."""
    # Before the store is opened: as root, that gives its log to the store's owner again.
    if scheme_of(inside.store) in ("", "sqlite"):
        yield from _examine_file("store", sqlite_path(inside.store))
    elif scheme_of(inside.store) == "postgresql":
        yield from examine_postgres(inside.store)
    yield from examine_store(inside.store)
    workplace = inside.workplace or workplace_beside(inside.store)
    yield check_workplace(workplace, inside.store)
    if workplace and facts_of(Path(workplace)):
        yield from check_permissions("workplace", list(beside(Path(workplace))), None)
    service = find_service(inside.store)
    yield from check_service(service, has_proxy=inside.has_proxy)
    yield check_clock_service(is_kept_right=is_clock_kept_right())
    yield check_swap(unprotected_swaps())
    if inside.backup:
        yield from examine_backup(inside.backup, time.time())


def check_service(service: RunningService | None, *, has_proxy: bool) -> Iterator[Diagnosis]:
    """Whether the process that serves the store leaves nothing, and knows its proxy."""
    if service is None:
        yield warning(
            "service",
            "No process that serves this store was found, so its settings were not examined.",
            "Start it, and run this on its machine, as its user or as root.",
        )
        return
    if service.core_limit == "0":
        yield ok("core files", "The collector leaves no core file.")
    else:
        yield warning(
            "core files",
            "If the collector crashes, a core file may have reports from its memory.",
            "Set LimitCORE=0 for the service (docs/OPERATING.md).",
        )
    proxies = service.environment.get(PROXIES) or "0"
    if not has_proxy:
        return
    if proxies == "0":
        yield problem(
            "proxies",
            f"{PROXIES} is 0, but people come through a proxy: for the collector all of them "
            "are one sender.",
            f"Set {PROXIES}=1, or the number of proxies, for the service.",
        )
    else:
        yield ok("proxies", f"{PROXIES} is {proxies}: the collector tells senders apart.")


def check_clock_service(*, is_kept_right: bool | None) -> Diagnosis:
    """Whether something keeps this machine's clock right."""
    if is_kept_right:
        return ok("clock service", "The clock of this machine is synchronised.")
    text = "is not synchronised" if is_kept_right is False else "may not be synchronised"
    return warning(
        "clock service",
        f"The clock of this machine {text}: surveys may open and end at a wrong moment.",
        "timedatectl set-ntp true",
    )


def check_swap(swaps: Sequence[str]) -> Diagnosis:
    """Whether no memory gets on a disk as it is."""
    if swaps:
        return warning(
            "swap",
            f"Memory with reports and tokens may be written to {', '.join(swaps)}.",
            "Run swapoff, and remove it from /etc/fstab, or encrypt it.",
        )
    return ok("swap", "Memory is not written to a disk as it is.")


def _examine_file(subject: str, path: Path) -> Iterator[Diagnosis]:
    files, folder = list(beside(path)), path.absolute().parent
    if files:
        yield from check_permissions(subject, files, facts_of(folder))
        free, size = shutil.disk_usage(folder).free, sum(file.size for file in files)
        yield check_room(folder, free, size)
