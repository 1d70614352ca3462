"""Takes from a Python what only Unix has, as far as our programs could use it.

Every Python that has this folder in its PYTHONPATH imports it first, and so do those that it
starts.
"""

# What the standard library itself loads, before anything is taken away.
import asyncio
import getpass
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile

LOADED = (asyncio, getpass, multiprocessing, subprocess, tempfile)
MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "uvloop")
GONE = {
    os: "fork forkpty register_at_fork nice geteuid getegid pread pwrite sysconf "
    "posix_fallocate statvfs getloadavg O_TMPFILE O_NOFOLLOW O_DIRECTORY waitpid WNOHANG killpg",
    signal: "SIGCHLD SIGALRM SIGPROF SIGHUP SIGUSR1 SIGUSR2 SIGKILL pthread_sigmask sigwait "
    "sigtimedwait setitimer ITIMER_REAL ITIMER_PROF SIG_BLOCK SIG_UNBLOCK SIG_SETMASK",
    socket: "send_fds recv_fds",
}
# What subprocess itself calls by these names stays where it is.
KEPT = {"waitpid", "WNOHANG", "SIGKILL"}

for module in MODULES:
    sys.modules[module] = None  # type: ignore[assignment]
for owner, names in GONE.items():
    for name in set(names.split()) - KEPT:
        if hasattr(owner, name):
            delattr(owner, name)
os.supports_effective_ids.clear()
# tempfile then makes its files with a name.
tempfile._O_TMPFILE_WORKS = False  # type: ignore[attr-defined]
# No loop of Windows has signals.
asyncio.SelectorEventLoop.add_signal_handler = (  # type: ignore[method-assign]
    asyncio.AbstractEventLoop.add_signal_handler
)
