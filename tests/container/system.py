"""A Debian with its own systemd, started without an engine by systemd-nspawn."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from container import debian

PROGRAMS = ("mmdebstrap", "systemd-nspawn", "unshare", "nsenter")
_PACKAGES: Final = (
    "systemd,systemd-sysv,dbus,libnss-systemd,passwd,mount,iproute2,ca-certificates,curl"
)
# systemd 257 refuses the first kind of cgroups, which some machines still have.
_BOOT: Final = """
mount --make-rprivate /
umount --lazy --recursive /sys/fs/cgroup 2>/dev/null
mount -t cgroup2 none /sys/fs/cgroup
exec systemd-nspawn --boot --quiet --directory="$1" --register=no --keep-unit \
    --private-network --resolv-conf=off --timezone=off --console=pipe
"""
_ENVIRONMENT: Final = {
    "HOME": "/root",
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}


class System:
    """A Debian in a folder. Before it is started, it has this machine's network; then none."""

    def __init__(self, files: Path) -> None:
        self.files = files
        self._first: int | None = None

    def run(self, script: str, **variables: str) -> str:
        """What a script of bash prints, run by root; its mistakes fail the test."""
        command = ["chroot", str(self.files)]
        if self._first:
            spaces = ("--mount", "--pid", "--uts", "--ipc", "--net", "--cgroup")
            command = ["nsenter", "--target", str(self._first), *spaces]
        done = subprocess.run(
            [*command, "bash", "-e", "-O", "expand_aliases"],
            input=f"cd /srv\n{script}\n",
            env={**_ENVIRONMENT, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
        return done.stdout

    def write(self, path: str, text: str) -> None:
        """Make or replace a file of root."""
        (self.files / path.removeprefix("/")).write_text(f"{text}\n")

    @contextmanager
    def started(self) -> Iterator[None]:
        """Start its systemd, and end it when the block is left."""
        with (self.files.parent / "console.log").open("w") as log:
            nspawn = subprocess.Popen(
                ["unshare", "--mount", "bash", "-c", _BOOT, "boot", str(self.files)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        try:
            self._first = self._child_of(nspawn)
            self.run("until [ -S /run/systemd/private ]; do sleep .1; done")
            self.run("systemctl is-system-running --wait || true")
            yield
        finally:
            self._first = None
            nspawn.terminate()
            nspawn.wait(60)

    def _child_of(self, nspawn: subprocess.Popen[bytes]) -> int:
        """The first process of the system."""
        path = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children")
        while True:
            assert nspawn.poll() is None, (self.files.parent / "console.log").read_text()
            for child in path.read_text().split():
                if b"systemd\0" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return int(child)
            time.sleep(0.1)


def install(folder: Path, name: str) -> System:
    """A new Debian; this takes half a minute.

    Args:
        folder: for its files.
        name: that leads to the machine itself.
    """
    files = folder / "system"
    debian.make(files, "--variant=apt", f"--include={_PACKAGES}")
    shutil.copy("/etc/resolv.conf", files / "etc" / "resolv.conf")
    (files / "etc" / "hosts").write_text(f"127.0.0.1 localhost {name}\n")
    shutil.copy(debian.CERTIFICATES, files / "opt" / "authorities.pem")
    (files / "etc" / "pip.conf").write_text(
        "[global]\ncert = /opt/authorities.pem\nfind-links = /srv/wheels\n"
    )
    return System(files)
