"""The client beside everything else that an app does: forks, exits, threads, garbage."""

import gc
import json
import os
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import Client, StorageUnavailable, open_client
from deniable_sdk.client import MemoryStorage, Outcome
from deniable_sdk.client.storage import alone as turns
from deniable_sdk.client.storage.opening import open_storage
from deniable_sdk.testing import RecordingTransport, open_test_client, stored
from sample_definitions import survey, yes_no

SOURCE = Path(__file__).parents[4] / "client_sdk" / "python"
SURVEYS = [survey(yes_no(), slug=f"s{number}") for number in range(8)]
CAN_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform has no fork")

# Later Pythons warn of what these tests are about.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


def run(program: str, *arguments: object, timeout_s: float = 60) -> str:
    """What a program prints in a Python that sees no installed package."""
    command = [sys.executable, "-I", "-S", "-c", program, str(SOURCE)]
    command += [str(argument) for argument in arguments]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=timeout_s)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def in_child(work: Any) -> Any:
    """What work gives in a forked child, as JSON."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:  # noqa: PTH123 - a descriptor has no path
        said = pipe.read()
    os.waitpid(child, 0)
    return json.loads(said)


START = """
import sys
sys.path.insert(0, sys.argv[1])
import deniable_sdk
"""

LOADED = (
    START
    + """
from deniable_sdk import PublishedSurvey
print(*sorted(name for name in sys.modules if name.split(".")[0] in
              {"sqlite3", "http", "ssl", "threading", "logging", "urllib"}
              or name.startswith("deniable_sdk.client")))
deniable_sdk.open_client
print(*sorted({name.split(".")[0] for name in sys.modules}))
print("deniable_sdk.testing" in sys.modules)
"""
)


def test_nothing_of_it_is_loaded_before_it_is_asked_for() -> None:
    """Importing the SDK loads no client, and the client only the standard library."""
    before, after, testing = run(LOADED).splitlines()
    assert before == ""
    assert set(after.split()) - {"deniable_sdk"} <= set(sys.stdlib_module_names) | {"__main__"}
    assert testing == "False"


EXIT = (
    START
    + """
import socket
listening = socket.create_server(("127.0.0.1", 0))
survey = deniable_sdk.PublishedSurvey.from_bytes(bytes.fromhex(sys.argv[3]))
client = deniable_sdk.open_client(
    f"http://127.0.0.1:{listening.getsockname()[1]}", consent=True, folder=sys.argv[2])
client.submit(survey, {"asthma": "yes"})
if sys.argv[4] == "waits":
    listening.accept()
print(client.reports()[0].state)
"""
)


@pytest.mark.parametrize("how", ["at once", "waits"])
def test_an_exit_is_not_held_up(tmp_path: Path, how: str) -> None:
    """A program ends at once and silently, though a collector keeps a report waiting."""
    begun = time.monotonic()
    said = run(EXIT, tmp_path, SURVEYS[0].document.hex(), how, timeout_s=25)
    assert said == "waiting\n"
    # Half a minute is how long a request may take.
    assert time.monotonic() - begun < 25
    with open_storage(tmp_path).transaction() as at_work:
        assert [entry.state for entry in at_work.entries()] == ["waiting"]


@CAN_FORK
def test_a_forked_child_has_a_thread_of_its_own(tmp_path: Path) -> None:
    """Parent and child both send what they submit, each report once."""
    transport = RecordingTransport()
    with open_client("http://a.example", consent=True, folder=tmp_path, transport=transport) as c:
        c.submit(SURVEYS[0], {})
        c.flush()

        def child() -> list[object]:
            first = [thread.name for thread in threading.enumerate()]
            report = c.submit(SURVEYS[1], {})
            c.flush(20)
            return [first, report.id, [entry.state for entry in c.reports()]]

        names, report, states = in_child(child)
        assert "deniable" not in names
        assert states == ["sent", "sent"]
        assert [entry.report for entry in c.reports()][1] == report
        c.submit(SURVEYS[2], {})
        c.flush()
        assert len(transport.sent) == 2  # the child's went through the child's own copy


@pytest.mark.deep
@CAN_FORK
def test_forks_amid_writing_harm_nothing(tmp_path: Path) -> None:
    """A child that is forked while other threads write can write too, and so can the parent."""
    transport = RecordingTransport()
    ended = threading.Event()
    with open_client(
        "http://a.example", consent=True, folder=tmp_path, transport=transport, yearly_cap=None
    ) as c:

        def write() -> None:
            while not ended.is_set():
                c.reports()

        threads = [threading.Thread(target=write) for _ in range(3)]
        for thread in threads:
            thread.start()
        for published in SURVEYS:
            assert in_child(lambda published=published: c.submit(published, {}).survey) == (
                published.digest
            )
        ended.set()
        for thread in threads:
            thread.join()
        assert len({entry.report for entry in c.reports()}) == len(SURVEYS)


@CAN_FORK
def test_children_share_no_randomness() -> None:
    """Two children that are forked from one parent draw different reports."""
    with open_test_client(RecordingTransport(), storage=MemoryStorage()) as client:
        ids = {in_child(lambda: client.submit(SURVEYS[0], {}).id) for _ in range(4)}
    assert len(ids) == 4


@CAN_FORK
def test_a_thread_that_forks_amid_its_own_write_does_not_hang(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It waits a moment for itself, and both processes go on."""
    monkeypatch.setattr(turns, "BUSY_TIMEOUT_S", 0.05)
    storage = MemoryStorage()

    def write() -> bool:
        with storage.transaction() as at_work:
            return at_work.entries() == []

    with storage.transaction():
        assert in_child(write)
    assert write()


def test_a_client_that_is_let_go_of_stops(tmp_path: Path) -> None:
    """A forgotten client is collected, though its report still waits."""

    def nothing(body: bytes, count: int) -> Outcome:
        raise OSError(len(body), count)

    transport = RecordingTransport(answer=nothing)
    client: Client | None = open_client(
        "http://a.example", consent=True, folder=tmp_path, transport=transport
    )
    assert client is not None
    client.submit(SURVEYS[0], {})
    kept = weakref.ref(client)
    client = None
    gc.collect()
    assert kept() is None


def test_no_more_threads_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no thread can be started the report is kept, and goes out later."""
    transport = RecordingTransport()
    with open_test_client(transport) as client:
        with monkeypatch.context() as patched:

            def refuse(_: threading.Thread) -> None:
                raise RuntimeError("can't start new thread")

            patched.setattr(threading.Thread, "start", refuse)
            client.submit(SURVEYS[0], {})
            assert client.flush().waiting == 1
        client.flush()
        assert [entry.state for entry in client.reports()] == ["sent"]


def test_ending_does_not_wait_for_the_network() -> None:
    """Shutting down takes a moment, whatever is under way."""
    begun, released = threading.Event(), threading.Event()

    def slow(body: bytes, count: int) -> Outcome:
        begun.set()
        released.wait(60)
        return stored(body, count)

    client = open_test_client(RecordingTransport(answer=slow))
    client.submit(SURVEYS[0], {})
    assert begun.wait(10)
    before = time.monotonic()
    client.shut_down()
    assert time.monotonic() - before < 20
    released.set()


def test_a_storage_that_fails_later_is_told(tmp_path: Path) -> None:
    """An explicit flush raises what the thread met, and the thread goes on."""
    folder = tmp_path / "folder"
    transport = RecordingTransport()
    with open_client("http://a.example", consent=True, folder=folder, transport=transport) as c:
        (folder / "reports.sqlite").unlink()
        folder.rmdir()
        for call in (c.flush, c.reports, lambda: c.submit(SURVEYS[0], {})):
            with pytest.raises(StorageUnavailable, match="cannot be used"):
                call()
        folder.mkdir()
        c.submit(SURVEYS[0], {})
        c.flush()
        assert [entry.state for entry in c.reports()] == ["sent"]


def test_production_code_never_imports_the_testing_entry() -> None:
    """No module of the SDK but itself names deniable_sdk.testing."""
    modules = (SOURCE / "deniable_sdk").rglob("*.py")
    named = [path.name for path in modules if "deniable_sdk.testing" in path.read_text()]
    assert named == []
