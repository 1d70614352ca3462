"""A device draws once for a survey: what is kept from then on, and until the person decides."""

import json
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from deniable_sdk import AlreadyAnswered, Client, PublishedSurvey, Report, open_client
from deniable_sdk.client import MemoryStorage, Storage
from deniable_sdk.client.storage.opening import FILE_NAME, open_storage
from deniable_sdk.client.storage.sqlite import SqliteStorage
from deniable_sdk.client.submitting import Again
from deniable_sdk.testing import RecordingTransport, open_test_client
from sample_definitions import survey, yes_no

SOURCE = Path(__file__).parents[4] / "client_sdk" / "python"
ASTHMA = survey(yes_no())
BIRDS = {
    "id": "bird",
    "type": "choice",
    "text": "Which one?",
    "options": ["zebrafinch", "quicksilver"],
}
MANY = survey(*[yes_no(f"q{number}") for number in range(40)], ask=1, slug="many")


def visit(storage: Storage, transport: RecordingTransport | None = None) -> Client:
    """A client of this device, opened once more."""
    return open_test_client(transport or RecordingTransport(), storage=storage)


def answer_held(client: Client, published: PublishedSurvey = ASTHMA) -> Report:
    """The report of a survey, held."""
    return client.submit(published, {}, hold=True)


def test_the_same_blocks_are_drawn_again() -> None:
    """Whoever opens a survey twenty times is asked the same, and reports that."""
    storage = MemoryStorage()
    drawn = set()
    for _ in range(20):
        with visit(storage) as client:
            asked = client.draw(MANY)
            drawn.add(asked.blocks)
            assert [question.id for question in asked.questions] == [*asked.blocks]
            assert (client.reports(), client.spent().surveys) == ((), ())
    assert len(drawn) == 1
    with visit(storage) as client:
        report = client.submit(MANY, {})
        assert {tuple(report.values)} == drawn
        assert {client.draw(MANY).blocks} == drawn


def test_blocks_are_still_drawn_by_chance() -> None:
    """Devices are asked each block about as often as any other."""
    counts = Counter(visit(MemoryStorage()).draw(MANY).blocks for _ in range(4_000))
    assert len(counts) == 40
    # 100 of each are expected; 6 standard deviations are 59.
    assert all(41 <= count <= 159 for count in counts.values())


def test_a_held_report_starts_no_thread() -> None:
    """Nothing has to be sent, so no other thread reads random bytes meanwhile."""
    own, others = threading.current_thread(), {*threading.enumerate()}
    released = threading.Event()

    def read_bytes(count: int) -> bytes:
        if threading.current_thread() is not own:
            released.wait()
        return bytes(count)

    with open_test_client(RecordingTransport(), read_bytes=read_bytes) as client:
        answer_held(client)
        assert {*threading.enumerate()} <= others
        client.send(ASTHMA)
        assert not {*threading.enumerate()} <= others
        released.set()


def test_other_blocks_than_those_that_were_drawn_are_refused() -> None:
    """Nobody chooses what a device reports of."""
    with visit(MemoryStorage()) as client:
        (drawn,) = client.draw(MANY).blocks
        other = "q1" if drawn != "q1" else "q2"
        with pytest.raises(ValueError, match=rf"got the blocks '{other}'; allowed are {drawn},"):
            client.submit(MANY, {}, blocks=[other])
        assert client.reports() == ()


def test_to_look_at_a_survey_leaves_nothing_where_all_is_asked() -> None:
    """Nothing was drawn, so nothing is kept."""
    storage = MemoryStorage()
    with visit(storage) as client:
        client.draw(ASTHMA)
    with storage.transaction() as stored:
        assert stored.entries() == []


def test_a_report_that_is_held_is_kept_and_not_sent() -> None:
    """However often the client is opened again, it is the same report, until it is sent."""
    storage, transport = MemoryStorage(), RecordingTransport()
    with visit(storage, transport) as client:
        assert client.held_report(ASTHMA) is None
        report = answer_held(client)
    for _ in range(3):
        with visit(storage, transport) as client:
            assert client.held_report(ASTHMA) == report
            assert [one.state for one in client.reports()] == ["held"]
            assert client.flush().waiting == 0
            with pytest.raises(AlreadyAnswered) as refused:
                answer_held(client)
            assert refused.value.report == report.id
            assert client.submit(ASTHMA, {}, again="first") == report
            assert len(client.spent().surveys) == 1
    assert transport.sent == []
    with visit(storage, transport) as client:
        assert client.send(ASTHMA)
        client.flush()
        assert client.held_report(ASTHMA) is None
        assert (client.send(ASTHMA), client.decline(ASTHMA)) == (False, False)
        assert [one.state for one in client.reports()] == ["sent"]
    assert transport.sent == [report.to_bytes()]


@pytest.mark.parametrize("again", [None, "first", "edition"])
def test_a_report_that_was_declined_counts(tmp_path: Path, again: Again | None) -> None:
    """Its bytes are gone from the file; the mark refuses another one, and is spent."""
    transport = RecordingTransport()
    storage = open_storage(tmp_path)
    with visit(storage, transport) as client:
        report = answer_held(client)
        written = (tmp_path / FILE_NAME).read_bytes()
        assert report.to_bytes() in written
        spent = client.spent()
        assert client.decline(ASTHMA)
    kept = (tmp_path / FILE_NAME).read_bytes()
    assert report.to_bytes() not in kept
    assert report.id.encode() in kept
    with visit(storage, transport) as client:
        assert (client.held_report(ASTHMA), client.send(ASTHMA)) == (None, False)
        assert [one.state for one in client.reports()] == ["declined"]
        with pytest.raises(AlreadyAnswered):
            client.submit(ASTHMA, {}, again=again)
        assert client.flush().waiting == 0
        assert client.spent() == spent
        assert spent.yearly_epsilon == pytest.approx(2, abs=1e-6)
    assert transport.sent == []


def test_a_fact_is_drawn_once_though_its_report_was_declined() -> None:
    """Who declines until a fixed value says no would draw it again in a later edition."""
    first, second = (survey(yes_no(fixed=True), title=title) for title in ("1", "2"))
    storage = MemoryStorage()
    with visit(storage) as client:
        value = answer_held(client, first).values
        client.decline(first)
        assert client.submit(second, {}, again="edition").values == value


def test_one_of_many_that_answer_at_once_makes_the_report(tmp_path: Path) -> None:
    """Threads with a file each draw the same blocks, and one report."""
    drawn: list[tuple[str, ...]] = []
    reports: list[Report] = []

    def answer() -> None:
        with visit(SqliteStorage(tmp_path / FILE_NAME)) as client:
            drawn.append(client.draw(MANY).blocks)
            reports.append(client.submit(MANY, {}, again="first", hold=True))

    threads = [threading.Thread(target=answer) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(drawn) == len(reports) == 8
    assert len(set(drawn)) == len({report.id for report in reports}) == 1


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from contextlib import contextmanager
from pathlib import Path
import deniable_sdk
from deniable_sdk.client.storage.sqlite import SqliteStorage

class Dying(SqliteStorage):
    @contextmanager
    def transaction(self):
        with super().transaction() as stored:
            put = stored.put
            def put_and_die(entry):
                if entry.state == sys.argv[4] and sys.argv[5] == "before":
                    os.kill(os.getpid(), signal.SIGKILL)
                put(entry)
                if entry.state == sys.argv[4] and sys.argv[5] == "amid":
                    os.kill(os.getpid(), signal.SIGKILL)
                self.written = entry.state
            stored.put = put_and_die
            yield stored
        if getattr(self, "written", "") == sys.argv[4] and sys.argv[5] == "after":
            os.kill(os.getpid(), signal.SIGKILL)

survey = deniable_sdk.PublishedSurvey.from_bytes(bytes.fromhex(sys.argv[3]))
client = deniable_sdk.open_client(
    "http://a.example", consent=True, storage=Dying(Path(sys.argv[2]) / "reports.sqlite"))
asked = client.draw(survey)
print(*asked.blocks, flush=True)
client.submit(survey, {}, blocks=asked.blocks, hold=True)
"""


# What becomes of three runs, one after the other, that are killed when this is written.
FATES = {
    ("asked", "before"): ["killed", "killed", "killed"],
    ("asked", "amid"): ["killed", "killed", "killed"],
    ("asked", "after"): ["killed", "kept", "AlreadyAnswered"],
    ("held", "before"): ["killed", "killed", "killed"],
    ("held", "amid"): ["killed", "killed", "killed"],
    ("held", "after"): ["killed", "AlreadyAnswered", "AlreadyAnswered"],
}


def fate(ran: subprocess.CompletedProcess[str]) -> str:
    """What became of a run: the name of its error, if it has one."""
    if ran.returncode == -signal.SIGKILL:
        return "killed"
    lines = ran.stderr.splitlines()
    return lines[-1].split(":")[0].rsplit(".")[-1] if lines else "kept"


@pytest.mark.sweep
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this platform kills in other ways")
@pytest.mark.parametrize(("state", "when"), FATES)
def test_a_process_that_is_killed_has_drawn_once(tmp_path: Path, state: str, when: str) -> None:
    """Killed while blocks or a report are kept, a device has none of it, or all."""
    arguments = [str(SOURCE), str(tmp_path), MANY.document.hex(), state, when]
    command = [sys.executable, "-I", "-S", "-c", KILLED, *arguments]
    runs = [
        subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
        for _ in range(3)
    ]
    fates = [fate(ran) for ran in runs]
    assert fates == FATES[state, when]
    shown = {line for ran in runs for line in ran.stdout.splitlines()}
    with open_client(
        "http://a.example", consent=True, folder=tmp_path, transport=RecordingTransport()
    ) as client:
        is_kept = fates != ["killed"] * 3
        assert (client.held_report(MANY) is not None) == is_kept
        assert len(client.spent().surveys) == int(is_kept)
        # Blocks that were shown to anybody are the ones that are kept to.
        assert shown <= set(client.draw(MANY).blocks)
        assert (shown == set()) == (state == "asked" and when != "after")
        report = client.submit(MANY, {}, again="first")
        assert set(report.values) == set(client.draw(MANY).blocks)


def test_a_survey_is_the_same_at_another_address() -> None:
    """What was held for one address can be sent to another, and is answered at neither again."""
    storage, transport = MemoryStorage(), RecordingTransport()

    def at(address: str) -> Client:
        return open_client(address, consent=True, storage=storage, transport=transport)

    with at("https://one.example") as one:
        report = answer_held(one)
    with at("https://two.example") as two:
        with pytest.raises(AlreadyAnswered):
            two.submit(ASTHMA, {})
        assert two.held_report(ASTHMA) == report
        assert two.send(ASTHMA)
        two.flush()
        assert [one.state for one in two.reports()] == ["sent"]
    assert transport.sent == [report.to_bytes()]


def test_a_held_report_holds_randomized_bytes_only(tmp_path: Path) -> None:
    """No answer is in the file, whatever becomes of the report."""
    marked = survey(yes_no(), BIRDS)
    deciding: list[Callable[[Client], object]] = [
        lambda client: client.held_report(marked),
        lambda client: client.decline(marked),
    ]
    with visit(open_storage(tmp_path)) as client:
        client.submit(marked, {"bird": "zebrafinch"}, hold=True)
        for decide in deciding:
            decide(client)
            assert b"zebrafinch" not in (tmp_path / FILE_NAME).read_bytes()
        assert json.dumps(repr(client.reports())).count("zebrafinch") == 0
