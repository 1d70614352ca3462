"""Writes files: new ones, and old ones so that they are complete at any moment."""

import os
import tempfile
from pathlib import Path

from deniable_analysis.errors import ExportExists


def check_new(path: Path) -> None:
    """Refuse a path where a file is, before long work.

    Raises:
        ExportExists: a file is there.
    """
    if path.exists():
        raise _exists(path)


def write_new(path: Path, content: bytes) -> None:
    """Write a file that is not there yet.

    Raises:
        ExportExists: it has appeared meanwhile.
    """
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError:
        raise _exists(path) from None


def _exists(path: Path) -> ExportExists:
    return ExportExists(f"{path} already exists; move it, or name another file")


def replace_file(file: Path, text: str) -> None:
    """Write a text to a file, which keeps its mode; a new one is for its owner alone.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    descriptor, name = tempfile.mkstemp(dir=file.absolute().parent, prefix=f".{file.name}.")
    written = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as target:
            target.write(text)
            target.flush()
            os.fsync(target.fileno())
        written.chmod(mode)
        written.replace(file.resolve())
    except BaseException:
        written.unlink(missing_ok=True)
        raise
