"""Whether a store, its disk, its server and its copies are as they should be."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from deniable_collector.clock import utc_now
from deniable_collector.errors import StoreUnavailable, UnreadableStore
from deniable_collector.store import Store, open_store
from deniable_collector.store.backup import check_backup, has_present_layout
from deniable_collector.tokens import AccessToken, Role
from deniable_web.doctor.diagnosis import Diagnosis, ok, problem, warning
from deniable_web.doctor.machine import FileFacts, facts_of
from deniable_web.stores.publication import edition_name

# What a server of PostgreSQL should not be set to, and what would follow.
_SETTINGS: Final[Mapping[str, tuple[str, str]]] = {
    "log_statement": ("none", "its log has the time of each commit"),
    "log_min_duration_statement": ("-1", "its log has the time of slow commits"),
    "archive_mode": ("off", "its archive has the order and the times of reports"),
    "max_wal_senders": (
        "0",
        "replicas may be made, which have the order and the times of reports",
    ),
}
_DUMP: Final = b"PGDMP"

_OTHERS: Final = 0o077
_WRITING_OTHERS: Final = 0o022
_FULL_BYTES: Final = 100 << 20
_ROOM_BYTES: Final = 1 << 30
_DAY_S: Final = 24 * 3600
_OLD_DAYS: Final = 7


def examine_store(location: str) -> Iterator[Diagnosis]:
    """The layout of a store, the tokens in it, and whether its surveys are closed completely."""
    try:
        if not has_present_layout(location):
            yield warning(
                "layout",
                "The store has an earlier layout. The next start migrates it, and no earlier "
                "version can open it afterwards.",
                "Make a backup with the earlier version before you start this one.",
            )
            return
        yield ok("layout", "The store has the layout of this version.")
        with open_store(location, must_exist=True) as store:
            yield _check_tokens(store.list_tokens())
            yield from _check_closings(store)
    except (UnreadableStore, StoreUnavailable) as error:
        yield problem(
            "layout",
            f"The store cannot be opened: {error}.",
            "Restore a backup, or name another store: --store or DENIABLE_STORE.",
        )


def _check_tokens(tokens: Sequence[AccessToken]) -> Diagnosis:
    named = [
        f"{token.name} ({token.role.value} of {'all' if token.is_for_all else 'some'} surveys)"
        for token in tokens
    ]
    if not any(token.role is Role.OWNER for token in tokens):
        return warning(
            "tokens",
            f"Nobody can publish or close surveys in the browser; tokens: "
            f"{', '.join(named) or 'none'}.",
            "deniable token make owner NAME",
        )
    return ok("tokens", f"{', '.join(named)}. Revoke what nobody needs.")


def _check_closings(store: Store) -> Iterator[Diagnosis]:
    """Whether the order of reports is erased wherever it should be."""
    are_complete = True
    for stored in store.list_surveys():
        name, slug = edition_name(stored), stored.survey.slug
        if stored.is_unfinished:
            are_complete = False
            act, left = (
                ("purge", "bytes of its reports are still in the store")
                if stored.is_purged
                else ("close", "the store still shows the order in which its reports arrived")
            )
            yield problem(
                "closing",
                f"{name} was being {act}d when that was interrupted: {left}.",
                f"Restart the collector, which finishes it, or: deniable {act} {slug}",
            )
        elif not stored.is_closed and store.fieldwork(stored, utc_now()).end:
            are_complete = False
            yield warning(
                "closing",
                f"{name} has ended and is not closed: the store still shows the order in which "
                "its reports arrived.",
                f"deniable close {slug}",
            )
    if are_complete:
        yield ok("closing", "Every survey that has ended is closed completely.")


def examine_postgres(location: str) -> Iterator[Diagnosis]:
    """The settings of a server that would date reports."""
    # Imported here, so that an SQLite store needs no package for PostgreSQL.
    import psycopg  # noqa: PLC0415 - see above

    question = "SELECT " + ", ".join(map("current_setting('{}')".format, _SETTINGS))
    try:
        with psycopg.connect(location, connect_timeout=4) as connection:
            values = connection.execute(question.encode()).fetchone() or ()
    except psycopg.Error:
        # The message may quote the password; what is wrong was said with the layout.
        return
    found = zip(_SETTINGS.items(), values, strict=True)
    wrong = [(name, *why, value) for (name, why), value in found if value != why[0]]
    for name, wanted, reason, value in wrong:
        remedy = f"Set {name} = {wanted} (docs/POSTGRES.md)."
        yield warning("PostgreSQL", f"{name} is {value}: {reason}.", remedy)
    if not wrong:
        yield ok("PostgreSQL", "The server keeps no times of commits, in no log.")


def examine_backup(path: Path, now_s: float) -> Iterator[Diagnosis]:
    """Whether a backup can be read, by nobody else, and how old it is."""
    facts = facts_of(path)
    if facts is None or not path.is_file():
        yield problem("backup", f"There is no backup at {path}.", f"deniable backup {path}")
        return
    days = int((now_s - facts.changed) / _DAY_S)
    age = f"{path} was made {days} days ago." if days else f"{path} is of today."
    if days > _OLD_DAYS:
        yield warning("backup", age, "Make a new one, and let a timer make one every day.")
    else:
        yield ok("backup", age)
    yield from check_permissions("backup", [facts], None)
    try:
        with path.open("rb") as file:
            begin = file.read(len(_DUMP))
        if begin == _DUMP:
            yield ok("backup", f"{path} begins as a dump of pg_dump does; restore one to be sure.")
            return
        is_present = check_backup(path)
    except (OSError, UnreadableStore, StoreUnavailable) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        yield problem("backup", f"{path} cannot be restored: {reason}.", "Make a new backup now.")
        return
    layout = "this version" if is_present else "an earlier version, which a restore migrates"
    yield ok("backup", f"{path} was read completely; its layout is that of {layout}.")


def check_permissions(
    subject: str, files: Sequence[FileFacts], folder: FileFacts | None
) -> Iterator[Diagnosis]:
    """Whether nobody but their owner can read some files, and all have one owner.

    The main file is the first one. Nobody else may write in the folder, if one is given.
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

    How much is free in the folder, and the size of the store, are in bytes.
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
    """Whether drafts and accounts are kept, and apart from the store of reports."""
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
