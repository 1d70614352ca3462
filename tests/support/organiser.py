"""`deniable invite` and `deniable remind`, as an organiser runs them in a folder."""

import csv
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deniable_issuer import Issuer, open_issuer_store
from deniable_issuer.codes import code_digest
from deniable_sdk.invitation import request_token
from deniable_web.commands import run
from live_issuer import BEFORE, Prepared, prepare

COLLECTOR = "https://survey.example.org"
ANNA, BEN, CARLA = (f"{name}@example.org" for name in ("anna", "ben", "carla"))


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def groups(self) -> dict[str, dict[str, Any]]:
        """The counts of each group, from `--format json`."""
        return {row["group"]: row for row in json.loads(self.out)["groups"]}

    @property
    def people(self) -> list[dict[str, str]]:
        """The people who may have no invitation yet, from `--format json`."""
        people: list[dict[str, str]] = json.loads(self.out)["people"]
        return people


class Organiser:
    """A folder with an issuer's store and a published survey, without codes."""

    def __init__(
        self,
        folder: Path,
        capsys: pytest.CaptureFixture[str],
        sites: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self._capsys = capsys
        self.prepared: Prepared = prepare(folder / "issuer.sqlite", people={}, sites=sites)
        self.digest = self.prepared.survey.digest
        (folder / "wards.json").write_bytes(self.prepared.survey.document)

    def list_people(self, rows: Iterable[str], name: str = "people.csv") -> Path:
        """A list of people, of lines without the first."""
        path = self.folder / name
        path.write_text("\n".join(["contact,group", *rows]) + "\n")
        return path

    def run(self, *arguments: str) -> Ended:
        """How a command in the folder ended."""
        code = run(arguments)
        captured = self._capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Ended(code, captured.out, captured.err)

    def invite(self, *options: str) -> Ended:
        """How `deniable invite` ended."""
        return self.run("invite", "wards.json", "people.csv", *self._common(options))

    def remind(self, *options: str) -> Ended:
        """How `deniable remind` ended."""
        return self.run("remind", "wards.json", *self._common(options))

    def _common(self, options: Sequence[str]) -> list[str]:
        return [*options, "--collector", COLLECTOR, "--format", "json"]

    def links(self, name: str = "links.csv") -> list[dict[str, str]]:
        """The rows of a file of links."""
        with (self.folder / name).open(newline="") as file:
            return list(csv.DictReader(file))

    def codes(self, name: str = "links.csv") -> dict[str, str]:
        """The code of each contact in a file of links."""
        return {row["contact"]: row["link"].partition("#code=")[2] for row in self.links(name)}

    def states(self) -> dict[str | None, str | None]:
        """What the store says about the mail of each contact."""
        return dict(self._rows("SELECT contact, mail FROM codes"))

    def groups(self) -> Counter[str]:
        """How many codes each group has."""
        return Counter(group for (group,) in self._rows("SELECT group_id FROM codes"))

    def knows(self, code: str) -> bool:
        """Whether a code counts."""
        rows = self._rows("SELECT code_digest FROM codes")
        return code_digest(code) in [digest for (digest,) in rows]

    def collect(self, code: str) -> None:
        """Collect the token of a code, as a device does."""
        with closing(open_issuer_store(self.folder / "issuer.sqlite")) as store:
            issuer = Issuer(store, lambda: BEFORE)
            group = issuer.group_of(self.digest, code)
            issuer.sign(self.digest, code, request_token(self.prepared.survey, group).message)

    def _rows(self, statement: str) -> list[Any]:
        with closing(sqlite3.connect(self.folder / "issuer.sqlite")) as connection:
            return connection.execute(statement).fetchall()
