"""The folder in which a test makes a system or an image."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that other users can enter."""
    path = Path(tempfile.mkdtemp(prefix="deniable-container-", dir="/var/tmp"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path)
