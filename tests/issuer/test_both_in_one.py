"""deniable serve --issuer-store: a small issuer beside the collector."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_sdk import randomize
from deniable_web.commands import run
from live_issuer import LiveIssuer, Prepared, prepare
from sampled_params import sampled_params
from started import Started

TIMEOUT_S = 60


@pytest.fixture
def prepared(tmp_path: Path) -> Prepared:
    """A survey with codes, published in a collector's store."""
    found = prepare(tmp_path / "issuer.sqlite")
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(found.survey)
    return found


@contextmanager
def both(prepared: Prepared, workers: int) -> Iterator[LiveIssuer]:
    """The command on a free port, as an issuer below its own path."""
    folder = prepared.store.parent
    log = folder / "served.log"
    command = [sys.executable, "-m", "deniable_web", "serve", "--port", "0", "--store"]
    command += ["store.sqlite", "--issuer-store", prepared.store.name, "--workers", str(workers)]
    with (
        log.open("wb") as messages,
        subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=messages, env=dict(os.environ)
        ) as process,
    ):
        try:
            assert process.stdout is not None
            ready, _, _ = select.select([process.stdout], [], [], TIMEOUT_S)
            url = process.stdout.readline().decode().strip() if ready else ""
            assert url.startswith("http://"), log.read_text()
            unused: Started = process  # type: ignore[assignment]  # has the methods that are used
            digest = prepared.survey.digest
            yield LiveIssuer(url, prepared.store, log, unused, folder, digest, below="/issuer")
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(TIMEOUT_S)


@pytest.mark.parametrize("workers", sampled_params([2, 1]))
def test_a_token_and_a_report_at_one_address(prepared: Prepared, workers: int) -> None:
    """Both stores are used, and the command says in plain words what is weaker."""
    digest = prepared.survey.digest
    with both(prepared, workers) as site:
        for issued in prepared.issued[:4]:
            _, token = site.collect(prepared.survey, issued.code)
            report = randomize(prepared.survey, {"asthma": True}, token=token).to_bytes()
            assert site.send("POST", "/api/reports", report).status == 201
        state = site.send("GET", f"/issuer/api/surveys/{digest}")
        assert (state.status, state.document["is_over"]) == (200, False)
        assert state.headers["access-control-allow-origin"] == "*"
        assert state.headers["x-content-type-options"] == "nosniff"
        used = site.ask_signature(prepared.issued[0].code, b"\1" * 256)
        assert (used.status, used.document["type"]) == (409, "urn:deniable:problem:code-used")
        long = site.send("POST", "/issuer/api/codes", b" " * 5_000)
        assert long.status == 413
        assert site.send("GET", f"/api/surveys/by-digest/{digest}").status == 200
        said = site.log.read_text()
    assert "This server is collector and issuer in one." in said
    assert "could match the two. The tokens themselves cannot be matched." in said
    assert not any(issued.code in said for issued in prepared.issued)


def test_the_stores_must_be_two(prepared: Prepared, capsys: pytest.CaptureFixture[str]) -> None:
    """One file for both is refused, and so is a store that is missing."""
    folder = prepared.store.parent
    for path, expected in (
        ("store.sqlite", "is not an issuer's store, which needs a file of its own"),
        ("none.sqlite", "there is no issuer's store"),
    ):
        arguments = ("--store", str(folder / "store.sqlite"), "--issuer-store", str(folder / path))
        assert run(("serve", "--port", "0", *arguments)) == 1
        assert expected in capsys.readouterr().err
