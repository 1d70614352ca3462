"""What only some systems have, with a plain alternative: Windows has no forks and no limits.

Nothing else imports fcntl or resource, or asks whether this system can fork.
"""

import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

try:
    import fcntl
    import resource
except ImportError:
    fcntl = resource = None  # type: ignore[assignment]

# Whether this process can go on as two.
CAN_FORK: Final = hasattr(os, "fork") and fcntl is not None
# Whether another process can be kept from a file that this one writes.
CAN_LOCK: Final = fcntl is not None
# The flag of open that refuses a path that is a symbolic link; 0 where there is none.
NO_LINKS: Final = getattr(os, "O_NOFOLLOW", 0)
_LOOK_EVERY_S: Final = 0.1


def lock_now(descriptor: int) -> None:
    """Lock a file for this process; OSError if another one has it. Windows locks nothing."""
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def wait_for_lock(file: IO[bytes]) -> None:
    """Lock a file for this process until it ends, as soon as no other one has it."""
    if fcntl is not None:
        fcntl.lockf(file, fcntl.LOCK_EX)


def room_for_files(most: int) -> int | None:
    """How many files this process may open, after asking for this many; None if without end."""
    if resource is None:
        # Sockets of Windows are no files, and have no limit of their own.
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < most:
        raised = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
            soft = raised
    return None if soft == resource.RLIM_INFINITY else soft


def end_at_limits(cpu_s: float, deadline_s: float, memory_bytes: int) -> None:
    """Let this process end at its limits, whatever library is running.

    Without the kernel's limits a thread looks at the times, and memory has no limit.

    Args:
        cpu_s: seconds of processor time from now on.
        deadline_s: the end by the clock time.monotonic.
        memory_bytes: address space.
    """
    if resource is None:
        until_s = time.process_time() + cpu_s
        threading.Thread(target=_end_at, args=(until_s, deadline_s), daemon=True).start()
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Not every system has this limit.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    # Zero would set no alarm.
    signal.setitimer(signal.ITIMER_REAL, max(deadline_s - time.monotonic(), 0.001))


def _end_at(cpu_s: float, deadline_s: float) -> None:
    while time.process_time() < cpu_s and time.monotonic() < deadline_s:
        time.sleep(_LOOK_EVERY_S)
    os._exit(1)


def give_way(niceness: int) -> None:
    """Let other processes go first."""
    if hasattr(os, "nice"):
        os.nice(niceness)


def may_use(path: Path) -> bool:
    """Whether the user whose rights this process has may read and write a file."""
    own = os.access in os.supports_effective_ids
    return os.access(path, os.R_OK | os.W_OK, effective_ids=own)


def user_number() -> int:
    """The number of the user whose rights this process has; 0 where users have none."""
    return os.geteuid() if hasattr(os, "geteuid") else 0


def make_durable(path: Path) -> None:
    """Let a file or folder be on disk when this returns; Windows opens no folders."""
    if os.name == "nt" and path.is_dir():
        return
    # Windows flushes only a file that is open for writing.
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
