"""Replaces a file so that it is complete at any moment."""

import os
import tempfile
from pathlib import Path


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
