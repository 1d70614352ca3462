"""`deniable audit`: what commands and requests changed, and nothing else."""

import getpass
import json
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_web.commands import run
from deniable_web.site import create_site
from deniable_web.workplace import open_workplace, workplace_beside
from sample_definitions import definition, yes_no


def trail(store: Path, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str, str]]:
    """What the command prints, without days."""
    capsys.readouterr()
    assert run(["audit", "--store", str(store), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    return [(row["who"], row["what"], row["about"]) for row in rows]


def test_commands_and_requests_are_in_one_trail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With who did it; a command that changes nothing adds nothing."""
    monkeypatch.delenv("DENIABLE_WORKPLACE", raising=False)
    store, file = tmp_path / "store.sqlite", tmp_path / "stress.json"
    here = ["--store", str(store)]
    file.write_text(json.dumps(definition(yes_no(), slug="stress", at_most_reports=1_000)))
    assert run(["publish", str(file), *here]) == run(["publish", str(file), *here]) == 0
    capsys.readouterr()
    assert run(["token", "make", "owner", "anna", *here]) == 0
    token = capsys.readouterr().out.strip()
    assert run(["extend", "stress", "--at-most", "2000", *here]) == 0
    beside = workplace_beside(str(store))
    assert beside is not None
    with closing(open_store(store)) as opened, closing(open_workplace(beside)) as workplace:
        browser = create_site(opened, Settings(), workplace).test_client()
        for bearer, status in ((f"{token[:-1]}!", 401), (token, 200)):
            headers = {"Authorization": f"Bearer {bearer}"}
            answer = browser.post("/api/surveys/stress/close", headers=headers)
            assert answer.status_code == status
    assert run(["purge", "stress", "--yes", *here]) == 0
    assert run(["token", "revoke", "anna", *here]) == 0
    me = f"{getpass.getuser()} (command line)"
    assert trail(store, capsys) == [
        (me, "token revoked", "anna"),
        (me, "purged", "stress"),
        ("anna", "closed", "stress"),
        (me, "extended", "stress"),
        (me, "token made", "anna (owner)"),
        (me, "published", "stress"),
    ]


def test_a_trail_that_cannot_be_written_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The act is done, and whoever did it reads that it is not recorded."""
    monkeypatch.setenv("DENIABLE_WORKPLACE", str(tmp_path / "missing" / "workplace.sqlite"))
    assert run(["token", "make", "owner", "anna", "--store", str(tmp_path / "a.sqlite")]) == 0
    assert "is not in the audit trail" in capsys.readouterr().err
