"""Writes files that are not there yet: no command overwrites one."""

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
