"""The issuer's store and its server when things go wrong: kills, other files, missing packages."""

import http.client
import os
import select
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector import signing
from deniable_collector.errors import StoreUnavailable, UnreadableStore
from deniable_issuer import open_issuer_store
from deniable_issuer.errors import KeyMissing
from deniable_issuer.keyring import find_key, invited_of
from deniable_sdk.invitation import request_token
from deniable_web.commands import run
from live_issuer import LiveIssuer, Prepared, live_issuer, prepare

TIMEOUT_S = 60


@pytest.fixture
def prepared(tmp_path: Path) -> Prepared:
    """A survey with codes."""
    return prepare(tmp_path / "issuer.sqlite", {"nurses": 30})


@pytest.mark.deep
def test_kills_while_people_collect(prepared: Prepared) -> None:
    """No code buys two tokens, and whoever got a signature gets the same one again."""
    messages = {
        code: request_token(prepared.survey, "nurses").message for code in prepared.codes("nurses")
    }
    signed: dict[str, str] = {}
    for _ in range(3):
        with live_issuer(prepared) as issuer:
            ask_until_killed(issuer, messages, signed)
    assert len(signed) >= 8
    with live_issuer(prepared) as issuer:
        for code, message in messages.items():
            answer = issuer.ask_signature(code, message)
            assert answer.document["signature"] == signed.get(code, answer.document["signature"])
            assert issuer.ask_signature(code, b"\1" * 256).status == 409


def ask_until_killed(
    issuer: LiveIssuer, messages: Mapping[str, bytes], signed: dict[str, str]
) -> None:
    """Ask for signatures four at a time, note them, and kill the issuer after some of them."""
    enough = threading.Event()

    def ask(code: str) -> None:
        try:
            answer = issuer.ask_signature(code, messages[code])
        except (OSError, http.client.HTTPException):
            return
        assert answer.status == 200
        found = answer.document["signature"]
        assert signed.setdefault(code, found) == found
        if len(signed) % 8 == 0:
            enough.set()

    with ThreadPoolExecutor(4) as threads:
        done = [threads.submit(ask, code) for code in messages]
        enough.wait(TIMEOUT_S)
        issuer.kill()
    for each in done:
        each.result()


@pytest.mark.deep
def test_the_command_serves_until_it_is_stopped(prepared: Prepared) -> None:
    """It prints its address first, answers, and leaves the store closed."""
    command = [sys.executable, "-W", "error", "-m", "deniable_web", "issuer", "serve"]
    with subprocess.Popen(
        [*command, "--store", str(prepared.store), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "DENIABLE_LOG": "text"},
    ) as process:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], TIMEOUT_S)
        address = process.stdout.readline().decode().strip().removeprefix("http://")
        assert ready
        with closing(http.client.HTTPConnection(address, timeout=TIMEOUT_S)) as connection:
            connection.request("GET", f"/api/surveys/{prepared.survey.digest}")
            assert connection.getresponse().status == 200
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0
    events = [line.split(": ")[-1] for line in said.decode().splitlines()]
    assert events == ["started", "stopping", "stopped"]
    assert not prepared.store.with_name("issuer.sqlite-wal").exists()


def test_files_that_are_no_stores(tmp_path: Path, prepared: Prepared) -> None:
    """A newer layout, a folder, and a folder that is missing are refused in words."""
    with closing(sqlite3.connect(prepared.store)) as connection:
        connection.execute("PRAGMA user_version = 2")
    for path, expected in (
        (prepared.store, "was made by a newer version; update deniable, or choose another file"),
        (tmp_path, "is a folder, or in a folder that does not exist"),
        (tmp_path / "none" / "issuer.sqlite", "is a folder, or in a folder that does not exist"),
    ):
        with pytest.raises(UnreadableStore, match=expected):
            open_issuer_store(path)


def test_a_closed_store_answers_no_more(prepared: Prepared) -> None:
    """Closing twice does no harm."""
    store = open_issuer_store(prepared.store)
    store.close()
    store.close()
    for use in (store.check, store.forget_order, lambda: store.reading().__enter__()):
        with pytest.raises(StoreUnavailable, match="it was closed"):
            use()


def test_a_key_signs_for_its_survey_alone(tmp_path: Path, prepared: Prepared) -> None:
    """The private half of another survey's key is not found for this one."""
    other = prepare(prepared.store, edition=1, slug="other")
    group = invited_of(prepared.survey).groups[0]
    with closing(open_issuer_store(prepared.store)) as store, store.reading() as connection:
        assert find_key(connection, prepared.survey.digest, group).modulus == group.modulus
        with pytest.raises(KeyMissing, match="does not have the keys of nurses"):
            find_key(connection, other.survey.digest, group)
    assert tmp_path / "issuer.sqlite" == prepared.store


def test_without_the_package_for_keys(
    prepared: Prepared, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message has the command that installs it."""
    monkeypatch.setattr(signing, "find_spec", lambda _name: None)
    monkeypatch.chdir(prepared.store.parent)
    Path("survey.yaml").write_text(
        "{title: T, slug: t, epsilon: 2, questions: [{id: a, type: yes_no, text: A?}],\n"
        "invited: {issuer: 'https://a.example', groups: {all: {invited: 50}}}}"
    )
    assert run(["issuer", "keys", "survey.yaml"]) == 1
    assert "run: pip install 'deniable[web,issuer]'" in capsys.readouterr().err
    assert signing._find_secret_power() is pow
