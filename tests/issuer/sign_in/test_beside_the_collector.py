"""deniable serve --issuer-store --sign-in: people sign in at the address of the collector."""

from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from free_ports import free_port
from live_issuer import LiveIssuer, prepare
from live_provider import ACCOUNTS, ANNA, BEN, CARLA, SECRET, live_provider
from live_sign_in import VARIABLE, LiveSignIn, write_settings
from live_site import run_deniable
from sampled_params import sampled_params
from started import started


@pytest.mark.parametrize("workers", sampled_params([2, 1]))
def test_any_process_reads_what_another_one_wrote(tmp_path: Path, workers: int) -> None:
    """Leaving and coming back may meet different processes, which share keys but no memory."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/issuer"
    prepared = prepare(tmp_path / "issuer.sqlite", {}, issuer=address)
    store, log = tmp_path / "site.sqlite", tmp_path / "site.log"
    with closing(open_store(store)) as opened:
        opened.publish(prepared.survey)
    arguments = [
        "serve", "--store", str(store), "--issuer-store", str(prepared.store), "--port", str(port),
        "--workers", str(workers), "--sign-in",
    ]  # fmt: skip
    with live_provider(tmp_path, [f"{address}/sign-in/callback"]) as provider:
        settings = write_settings(tmp_path, provider.url)
        secret = {VARIABLE: SECRET}
        with started(run_deniable, [*arguments, str(settings)], log, secret) as (url, process):
            assert url, log.read_text()
            digest = prepared.survey.digest
            issuer = LiveIssuer(url, store, log, process, tmp_path, digest, below="/issuer")
            desk = LiveSignIn(issuer, provider, prepared)
            state = issuer.send("GET", f"/issuer/api/surveys/{digest}").document
            assert state["sign_in"] == desk.start
            codes = {
                account: {desk.visitor(account).signs_in() for _ in range(3)}
                for account in (ANNA, BEN, CARLA)
            }
            assert all(len(each) == 1 for each in codes.values())
            visitor = desk.visitor(ANNA)
            visitor.leaves()
            assert "Path=/;" in visitor.seen[0].headers["set-cookie"]
            issuer.collect(prepared.survey, codes[ANNA].pop())
        assert not any(account in log.read_text() for account in ACCOUNTS)
