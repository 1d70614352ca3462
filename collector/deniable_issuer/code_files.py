"""Files of codes: complete under their names, or not there at all.

A file is written beside its name, with .partial at the end, before the codes count, and
gets its name afterwards. If the command is killed in between, the next one finds out from
the store whether the codes in it count.
"""

import csv
import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from deniable_collector.system import make_durable
from deniable_issuer.codes import code_digest, codes_in
from deniable_issuer.errors import UnfinishedFile
from deniable_issuer.inviting import Issued
from deniable_issuer.store import IssuerStore


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file of codes that is to be written.

    Args:
        path: its name; no file may have it yet.
        render: returns its text.
    """

    path: Path
    render: Callable[[Sequence[Issued]], str]

    @property
    def partial(self) -> Path:
        """Its name while it is not finished."""
        return self.path.with_name(f"{self.path.name}.partial")

    def write(self, issued: Sequence[Issued]) -> None:
        """Write it durably beside its name; only its owner may read it.

        Raises:
            UnfinishedFile: it exists already, or cannot be written.
        """
        _refuse_to_replace(self.path)
        try:
            descriptor = os.open(self.partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
                file.write(self.render(issued))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise UnfinishedFile(
                f"{self.path} cannot be written ({error.strerror}); no code was made; give the "
                "path of a new file in an existing folder"
            ) from None

    def finish(self) -> None:
        """Give it its name: its codes count now."""
        os.replace(self.partial, self.path)  # noqa: PTH105 - as open above
        make_durable(self.path.absolute().parent)


def render_links(issued: Sequence[Issued], link: Callable[[str], str]) -> str:
    """A CSV table with contact, group and link."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(("contact", "group", "link"))
    writer.writerows((each.contact or "", each.group, link(each.code)) for each in issued)
    return table.getvalue()


def settle_files(store: IssuerStore, files: Sequence[CodeFile]) -> list[Path]:
    """The files of an interrupted command that were finished now, because their codes count.

    Files whose codes do not count are removed.

    Raises:
        UnfinishedFile: another file has the name already.
    """
    finished = []
    for file in files:
        if not file.partial.is_file():
            continue
        if not _count(store, file.partial.read_text(encoding="utf-8", errors="replace")):
            file.partial.unlink()
            continue
        _refuse_to_replace(file.path)
        file.finish()
        finished.append(file.path)
    return finished


def _refuse_to_replace(path: Path) -> None:
    if os.path.lexists(path):
        raise UnfinishedFile(
            f"{path} exists already, and its codes may have been handed out; move it, or name "
            "another file"
        )


def _count(store: IssuerStore, text: str) -> bool:
    """Whether codes in a text are in the store; either all are, or none is."""
    with store.reading() as connection:
        return any(
            connection.execute(
                "SELECT 1 FROM codes WHERE code_digest = ?", (code_digest(code),)
            ).fetchone()
            for code in codes_in(text)
        )
