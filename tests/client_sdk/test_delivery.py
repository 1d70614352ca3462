"""The client against a network that fails, in a host that is killed, at a real collector."""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from deniable_sdk import PublishedSurvey
from deniable_sdk.client.storage.opening import open_storage
from fault_proxy import Fault, FaultProxy, fault_proxy
from live_server import live_collector
from sample_definitions import survey
from served import publish, rows_by_id

HERE = Path(__file__).parent
CANARY = "zebrafinch"
SURVEYS = 50
FEW_SURVEYS = 15
AT_ONCE = 4
FINISH_TIMEOUT_S = 1_200


@dataclass(frozen=True)
class Kept:
    """What a device keeps of one report."""

    report: str
    survey: str
    state: str
    body: bytes | None


@dataclass(frozen=True)
class Language:
    """A client in one language: how its host is started, and what it keeps in a folder.

    A host that is killed lives as long as `life_s` says, from and to.
    """

    command: tuple[str, ...]
    kept: Callable[[Path], list[Kept]]
    life_s: tuple[float, float]


def _kept_in_python(folder: Path) -> list[Kept]:
    with open_storage(folder).transaction() as stored:
        return [
            Kept(entry.report, entry.survey, entry.state, entry.body) for entry in stored.entries()
        ]


def _kept_in_javascript(folder: Path) -> list[Kept]:
    documents = [json.loads(path.read_text()) for path in folder.glob("*.json")]
    # Leases are left out.
    return [
        Kept(found["report"], found["survey"], found["state"], found["body"].encode())
        for found in documents
        if "report" in found
    ]


LANGUAGES = {
    "python": Language(
        (sys.executable, "-W", "error", str(HERE / "python/client/host.py")),
        _kept_in_python,
        (0.4, 2.5),
    ),
    "javascript": Language(
        ("node", str(HERE / "javascript/client/host.js")), _kept_in_javascript, (0.2, 1.5)
    ),
}


@dataclass(frozen=True)
class Device:
    """A folder that stands for a device, and all that its hosts have said."""

    language: Language
    folder: Path
    said: Path

    def kept(self) -> list[Kept]:
        """What it keeps."""
        return self.language.kept(self.folder)

    def bytes_on_disk(self) -> bytes:
        """Everything that was written."""
        return b"".join(path.read_bytes() for path in [*self.folder.iterdir(), self.said])


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Language:
    """Each language's client."""
    return LANGUAGES[request.param]


def _surveys(count: int) -> list[PublishedSurvey]:
    options = [CANARY, "quicksilver", "marmalade"]
    question = {"id": "canary", "type": "choice", "text": "Which one?", "options": options}
    return [survey(question, slug=f"survey-{number}") for number in range(count)]


def _start(device: Device, url: str, slugs: Sequence[str]) -> "subprocess.Popen[bytes]":
    command = [*device.language.command, url, str(device.folder), *slugs]
    with device.said.open("ab") as said:
        return subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)


def _live_and_die(device: Device, url: str, slugs: Sequence[str], *, seed: int, lives: int) -> int:
    """Start hosts and kill them, then let one come to its end; how many were killed."""
    chance = random.Random(seed)
    killed = 0
    for _ in range(lives):
        with _start(device, url, slugs) as host:
            try:
                host.wait(chance.uniform(*device.language.life_s))
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
    kept = [entry for device in devices for entry in device.kept()]
    assert len(kept) == len(devices) * len(surveys)
    assert {entry.state for entry in kept} == {"sent"}
    for published in surveys:
        of_survey = [entry.report for entry in kept if entry.survey == published.digest]
        assert rows_by_id(store, published) == dict.fromkeys(of_survey, 1)
    for entry in kept:
        assert proxy.bodies[entry.report] == {entry.body}
    assert len(proxy.bodies) == len(kept)


def _assert_no_answer(devices: Sequence[Device], proxy: FaultProxy) -> None:
    seen = b"".join(device.bytes_on_disk() for device in devices)
    sent = b"".join(body for bodies in proxy.bodies.values() for body in bodies)
    assert CANARY.encode() not in seen + sent
    assert b"Traceback" not in seen


def _deliver(
    language: Language, folder: Path, device_count: int, survey_count: int, *, lives: int
) -> None:
    """Let many devices answer through a failing network, and look at what arrived."""
    store = folder / "store.sqlite"
    surveys = _surveys(survey_count)
    publish(store, *surveys)
    slugs = [published.slug for published in surveys]
    devices = [
        Device(language, folder / f"device-{n}", folder / f"said-{n}") for n in range(device_count)
    ]
    with (
        live_collector(store) as collector,
        fault_proxy(collector.url, seed=7) as proxy,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        live = partial(_live_and_die, url=proxy.url, slugs=slugs, lives=lives)
        lived = [pool.submit(live, device, seed=n) for n, device in enumerate(devices)]
        killed = sum(life.result() for life in lived)
        _assert_delivered_once(devices, surveys, proxy, store)
        _assert_no_answer(devices, proxy)
    assert killed > 0
    assert set(proxy.done) == set(Fault)


def test_each_report_arrives_once_through_a_failing_network(
    tmp_path: Path, language: Language
) -> None:
    """Of 30 reports, each arrives once and unchanged, though hosts die and networks fail."""
    _deliver(language, tmp_path, 2, FEW_SURVEYS, lives=2)


@pytest.mark.deep
def test_each_of_many_reports_arrives_once(tmp_path: Path, language: Language) -> None:
    """Of 2,000 reports, each arrives once and unchanged, though hosts die and networks fail."""
    _deliver(language, tmp_path, 40, SURVEYS, lives=4)


@pytest.mark.deep
def test_two_processes_share_a_queue(tmp_path: Path, language: Language) -> None:
    """Two hosts with one folder send each report once, and both come to their end."""
    store = tmp_path / "store.sqlite"
    surveys = _surveys(20)
    publish(store, *surveys)
    slugs = [published.slug for published in surveys]
    device = Device(language, tmp_path / "device", tmp_path / "said")
    with live_collector(store) as collector, fault_proxy(collector.url, seed=8) as proxy:
        with _start(device, proxy.url, slugs) as one, _start(device, proxy.url, slugs) as other:
            codes = [host.wait(FINISH_TIMEOUT_S) for host in (one, other)]
        assert codes == [0, 0], device.said.read_text()[-2000:]
        _assert_delivered_once([device], surveys, proxy, store)
        _assert_no_answer([device], proxy)
