"""The logs and counts of `deniable serve`, as an operator sees them."""

import json
import signal
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from sample_definitions import survey, yes_no
from sampled_params import sampled_params


@pytest.mark.parametrize("workers", sampled_params([2, 1]))
def test_a_collector_logs_its_start_and_its_end_and_counts(tmp_path: Path, workers: int) -> None:
    """Where no terminal is it logs JSON, of no request, and all workers count together."""
    store = tmp_path / "store.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(survey(yes_no(), slug="logged"))
    command = [sys.executable, "-m", "deniable_web", "serve", "--store", str(store)]
    with subprocess.Popen(
        [*command, "--port", "0", "--workers", str(workers)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        for _ in range(30):
            with urllib.request.urlopen(f"{url}/healthz") as answer:  # noqa: S310  our own address
                assert answer.status == 200
        with urllib.request.urlopen(f"{url}/metrics") as answer:  # noqa: S310  as above
            counted = answer.read().decode()
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert 'deniable_requests_total{route="/healthz",status="200"} 30.0\n' in counted
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    stopping = ["stopping"] * workers
    assert [line["event"] for line in lines] == ["started", *stopping, "stopped"]
    assert lines[0]["workers"] == workers
