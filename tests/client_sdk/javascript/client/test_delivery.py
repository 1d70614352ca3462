"""The client against a network that fails, in a host that is killed, at a real collector."""

import json
import random
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from deniable_sdk import PublishedSurvey, compile_survey
from fault_proxy import Fault, FaultProxy, fault_proxy
from live_server import live_collector
from served import publish, rows_by_id

HOST = Path(__file__).with_name("host.js")
CANARY = "zebrafinch"
SURVEYS = 50
FEW_SURVEYS = 25
LIFE_S = (0.2, 1.5)
AT_ONCE = 4
FINISH_TIMEOUT_S = 300


@dataclass(frozen=True)
class Device:
    """A folder that stands for a device, and all that its hosts have said."""

    folder: Path
    said: Path

    def records(self) -> list[dict[str, object]]:
        """What it keeps, leases left out."""
        texts = [path.read_text() for path in self.folder.glob("*.json")]
        return [record for record in map(json.loads, texts) if "report" in record]

    def bytes_on_disk(self) -> bytes:
        """Everything that was written."""
        return b"".join(path.read_bytes() for path in [*self.folder.iterdir(), self.said])


def _surveys(count: int) -> list[PublishedSurvey]:
    question = {
        "id": "canary", "type": "choice", "text": "Which one?",
        "options": [CANARY, "quicksilver", "marmalade"],
    }  # fmt: skip
    return [
        compile_survey(
            {"title": "One of many", "slug": f"survey-{n}", "epsilon": 1, "questions": [question]}
        )
        for n in range(count)
    ]


def _start(device: Device, url: str, slugs: Sequence[str]) -> "subprocess.Popen[bytes]":
    with device.said.open("ab") as said:
        return subprocess.Popen(
            ["node", HOST, url, device.folder, *slugs], stdout=said, stderr=subprocess.STDOUT
        )


def _live_and_die(device: Device, url: str, slugs: Sequence[str], *, seed: int, lives: int) -> int:
    """Start hosts and kill them, then let one come to its end; how many were killed."""
    chance = random.Random(seed)
    killed = 0
    for _ in range(lives):
        with _start(device, url, slugs) as host:
            try:
                host.wait(chance.uniform(*LIFE_S))
            except subprocess.TimeoutExpired:
                host.kill()
                killed += 1
    with _start(device, url, slugs) as host:
        assert host.wait(FINISH_TIMEOUT_S) == 0, device.said.read_text()[-2000:]
    return killed


def _assert_delivered_once(
    devices: Sequence[Device],
    surveys: Sequence[PublishedSurvey],
    proxy: FaultProxy,
    store: Path,
) -> None:
    kept = [record for device in devices for record in device.records()]
    assert len(kept) == len(devices) * len(surveys)
    assert {record["state"] for record in kept} == {"sent"}
    for survey in surveys:
        of_survey = [str(record["report"]) for record in kept if record["survey"] == survey.digest]
        assert rows_by_id(store, survey) == dict.fromkeys(of_survey, 1)
    for record in kept:
        assert proxy.bodies[str(record["report"])] == {str(record["body"]).encode()}
    assert len(proxy.bodies) == len(kept)
    seen = b"".join(device.bytes_on_disk() for device in devices)
    sent = b"".join(body for bodies in proxy.bodies.values() for body in bodies)
    assert CANARY.encode() not in seen + sent


def _deliver(folder: Path, device_count: int, survey_count: int, *, lives: int) -> None:
    """Let many devices answer through a failing network, and look at what arrived."""
    store = folder / "store.sqlite"
    surveys = _surveys(survey_count)
    publish(store, *surveys)
    slugs = [survey.slug for survey in surveys]
    devices = [Device(folder / f"device-{n}", folder / f"said-{n}") for n in range(device_count)]
    with (
        live_collector(store) as collector,
        fault_proxy(collector.url, seed=7) as proxy,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        live = partial(_live_and_die, url=proxy.url, slugs=slugs, lives=lives)
        lived = [pool.submit(live, device, seed=n) for n, device in enumerate(devices)]
        killed = sum(life.result() for life in lived)
        _assert_delivered_once(devices, surveys, proxy, store)
    assert killed > 0
    assert set(proxy.done) == set(Fault)


def test_each_report_arrives_once_through_a_failing_network(tmp_path: Path) -> None:
    """Of 50 reports, each arrives once and unchanged, though hosts die and networks fail."""
    _deliver(tmp_path, 2, FEW_SURVEYS, lives=2)


@pytest.mark.deep
def test_each_of_many_reports_arrives_once(tmp_path: Path) -> None:
    """Of 2,000 reports, each arrives once and unchanged, though hosts die and networks fail."""
    _deliver(tmp_path, 40, SURVEYS, lives=4)


def test_two_processes_share_a_queue(tmp_path: Path) -> None:
    """Two hosts with one folder send each report once, and both come to their end."""
    store = tmp_path / "store.sqlite"
    surveys = _surveys(20)
    publish(store, *surveys)
    slugs = [survey.slug for survey in surveys]
    device = Device(tmp_path / "device", tmp_path / "said")
    with live_collector(store) as collector, fault_proxy(collector.url, seed=8) as proxy:
        with _start(device, proxy.url, slugs) as one, _start(device, proxy.url, slugs) as other:
            codes = [host.wait(FINISH_TIMEOUT_S) for host in (one, other)]
        assert codes == [0, 0], device.said.read_text()[-2000:]
        _assert_delivered_once([device], surveys, proxy, store)
