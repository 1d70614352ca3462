"""Whether files, disks and their permissions are as they should be."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from deniable_web.doctor.diagnosis import Diagnosis, ok, problem, warning
from deniable_web.doctor.machine import FileFacts

_OTHERS: Final = 0o077
_WRITING_OTHERS: Final = 0o022
_FULL_BYTES: Final = 100 << 20
_ROOM_BYTES: Final = 1 << 30
_DAY_S: Final = 24 * 3600
_OLD_DAYS: Final = 7


def check_permissions(
    subject: str, files: Sequence[FileFacts], folder: FileFacts | None
) -> Iterator[Diagnosis]:
    """Whether nobody but their owner can read some files, and all have one owner.

    Args:
        subject: what the files are.
        files: the main one first.
        folder: in which they are.
    """
    readable = [file for file in files if file.mode & _OTHERS]
    strange = [file for file in files if file.owner != files[0].owner]
    for file in readable:
        yield problem(
            subject,
            f"Other users of this machine may open {file.path} (its mode is {file.mode:04o}).",
            f"chmod 600 {file.path}",
        )
    for file in strange:
        yield problem(
            subject,
            f"{file.path} belongs to another user ({file.owner}) than {files[0].path} "
            f"({files[0].owner}), so the collector may not be able to write.",
            f"chown --reference={files[0].path} {file.path}, and run commands as the user of the "
            "service.",
        )
    if folder and folder.mode & _WRITING_OTHERS:
        yield problem(
            subject,
            f"Other users may replace files in {folder.path} (its mode is {folder.mode:04o}).",
            f"chmod 700 {folder.path}",
        )
    if not readable and not strange and files:
        yield ok(subject, f"Only its owner ({files[0].owner}) may open {files[0].path}.")


def check_room(folder: Path, free: int, size: int) -> Diagnosis:
    """Whether there is room for more reports, and for closing a survey.

    Args:
        folder: of the store.
        free: bytes that can still be written there.
        size: of the store, in bytes.
    """
    text = f"{free >> 20} MiB are free in {folder}."
    if free < _FULL_BYTES:
        return problem("disk", text, "Make room now: reports cannot be stored on a full disk.")
    if free < max(_ROOM_BYTES, 2 * size):
        return warning(
            "disk", text, "Make room: closing a survey needs twice as much as the store has."
        )
    return ok("disk", text)


def check_workplace(workplace: str | Path | None, store: str) -> Diagnosis:
    """Whether drafts and accounts are kept, and apart from the store.

    Args:
        workplace: where they are kept.
        store: of reports.
    """
    if workplace is None:
        return warning(
            "workplace",
            "Drafts end with the author's tab, and nobody can stay signed in.",
            "Set DENIABLE_WORKPLACE to a file of their own.",
        )
    if "://" not in store and Path(store).resolve() == Path(workplace).resolve():
        return problem(
            "workplace",
            "Drafts and reports have the same file, and the times of drafts would date reports.",
            "Set DENIABLE_WORKPLACE to a file of its own.",
        )
    return ok("workplace", f"Drafts and accounts are apart from the store, in {workplace}.")


def check_age(backup: FileFacts, now_s: float) -> Diagnosis:
    """Whether a backup is new enough.

    Args:
        backup: its file.
        now_s: the present moment, in seconds since 1970.
    """
    days = int((now_s - backup.changed) / _DAY_S)
    text = f"{backup.path} was made {days} days ago." if days else f"{backup.path} is of today."
    if days > _OLD_DAYS:
        return warning("backup", text, "Make a new one, and let a timer make one every day.")
    return ok("backup", text)
