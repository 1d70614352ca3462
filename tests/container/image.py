"""The image of Containerfile without an engine: built by buildah, run by bubblewrap.

A base image cannot be fetched everywhere, so one of the same distribution is made of Debian's
packages. DENIABLE_IMAGE_ROOT names the files of an image that was built before.
"""

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from container import debian

ROOT = Path(__file__).parents[2]
USER = "10001"
PROGRAMS = ("buildah", "mmdebstrap", "bwrap", "setpriv")


@dataclass(frozen=True)
class Image:
    """The files of an image, and what it says of itself."""

    files: Path

    @property
    def lines(self) -> str:
        """The Containerfile."""
        return (ROOT / "Containerfile").read_text()

    @property
    def environment(self) -> dict[str, str]:
        """The variables that it sets."""
        block = self.lines.partition("\nENV ")[2].partition("\nUSER")[0]
        pairs = block.replace("\\\n", " ").split()
        return dict(pair.split("=", 1) for pair in pairs)

    @property
    def health_check(self) -> list[str]:
        """The command that says whether it works."""
        found: list[str] = json.loads(self.lines.partition("    CMD ")[2].partition("\n")[0])
        return found

    def start(
        self, *command: str, volumes: Mapping[Path, str], environment: Mapping[str, str]
    ) -> subprocess.Popen[str]:
        """A container: no right, no file that can be changed but those of its volumes.

        Args:
            command: what runs as its first process.
            volumes: folders of this machine, and where they are in the container.
            environment: variables besides those of the image.
        """
        variables = {**self.environment, **environment}
        return subprocess.Popen(
            [
                *("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", "bwrap"),
                *("--ro-bind", str(self.files), "/", "--proc", "/proc", "--dev", "/dev"),
                # An engine makes the places of volumes itself.
                *("--tmpfs", "/tmp", "--tmpfs", "/run"),  # noqa: S108  within the container
                *(word for pair in volumes.items() for word in ("--bind", *map(str, pair))),
                *("--unshare-all", "--share-net", "--as-pid-1", "--cap-drop", "ALL", "--clearenv"),
                *(word for pair in variables.items() for word in ("--setenv", *pair)),
                *("--chdir", "/", *command),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


def stop(container: subprocess.Popen[str]) -> tuple[int, str]:
    """End it as an engine does, by SIGTERM to its first process; its status and its log."""
    children = Path(f"/proc/{container.pid}/task/{container.pid}/children").read_text().split()
    os.kill(int(children[0]), signal.SIGTERM)
    _, said = container.communicate(timeout=60)
    return container.returncode, said


def build(folder: Path) -> Image:
    """The image, built as Containerfile says; this takes some minutes.

    Args:
        folder: for its files.
    """
    given = os.environ.get("DENIABLE_IMAGE_ROOT")
    if given:
        return Image(Path(given))
    storage = folder / "storage.conf"
    storage.write_text(
        f'[storage]\ndriver="vfs"\nrunroot="{folder}/run"\ngraphroot="{folder}/graph"\n'
    )
    settings = folder / "pip.conf"
    settings.write_text("[global]\ncert = /run/certificates.pem\n")

    def run(*command: str) -> str:
        done = subprocess.run(
            command,
            env={**os.environ, "CONTAINERS_STORAGE_CONF": str(storage)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        return done.stdout.strip()

    debian.make(folder / "base.tar", "--variant=minbase")
    base = run("buildah", "from", "scratch")
    run("buildah", "add", base, str(folder / "base.tar"), "/")
    run("buildah", "commit", base, "deniable-test-base")
    run(
        *("buildah", "build", "--isolation", "chroot", "--pull-never", "--format", "docker"),
        *("--network", "host", "--build-arg", "BASE=localhost/deniable-test-base"),
        *("--volume", f"{debian.CERTIFICATES}:/run/certificates.pem:ro"),
        *("--volume", f"{settings}:/etc/pip.conf:ro"),
        *("--file", str(ROOT / "Containerfile"), "--tag", "deniable-test", str(ROOT)),
    )
    mounted = run("buildah", "mount", run("buildah", "from", "localhost/deniable-test"))
    # Debian's packages bring devices: only cp copies them as devices, without an end otherwise.
    run("cp", "--archive", mounted, str(folder / "files"))
    run("buildah", "rm", "--all")
    return Image(folder / "files")
