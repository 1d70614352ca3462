"""Work on other people's files runs in a separate process, which ends at its limits."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deniable_web.isolation.fork_server import (
    ForkServer,
    Limits,
    NobodyWaits,
    OverLimit,
    TaskFailed,
    TaskRefused,
    TooManyTasks,
)

AMPLE = Limits(cpu_s=60, wall_s=60, memory_bytes=1 << 30)
SHORT = Limits(cpu_s=60, wall_s=0.5, memory_bytes=1 << 30)
LITTLE_WORK = Limits(cpu_s=0.2, wall_s=60, memory_bytes=1 << 30)
CANARY = "canary-of-an-author"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ForkServer]:
    """One that finds the functions of the tests."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    made = ForkServer("isolated_tasks", at_once=1, waiting=1)
    yield made
    made.close()


def done(server: ForkServer, task: str, limits: Limits = AMPLE, body: bytes = b"") -> bytes:
    """What a function of the tests makes of a body."""
    return server.run(f"isolated_tasks:{task}", body, limits)


def test_each_piece_of_work_has_a_process_of_its_own(server: ForkServer) -> None:
    """A megabyte comes back whole, each time from another process than this."""
    body = os.urandom(1 << 20)
    answers = [done(server, "echo", body=body).partition(b" ") for _ in range(3)]
    assert all(content == body for _, _, content in answers)
    assert len({int(pid) for pid, _, _ in answers} | {os.getpid()}) == 4


@pytest.mark.parametrize(
    "task", ["work_for_ever", "sleep_in_the_kernel", "fill_memory", "end_at_once"]
)
def test_what_takes_too_much_is_ended_and_the_next_is_done(server: ForkServer, task: str) -> None:
    """Neither time nor memory without end, nor a crash, stands in the way of what follows."""
    assert done(server, "echo", body=b"x").endswith(b" x")
    with pytest.raises(OverLimit, match="more time or memory"):
        done(server, task, SHORT)
    assert done(server, "echo", body=b"y").endswith(b" y")


def test_processor_time_is_limited_and_waiting_is_none(server: ForkServer) -> None:
    """Work ends long before its last moment; a task that sleeps as long does not."""
    with pytest.raises(OverLimit):
        done(server, "work_for_ever", LITTLE_WORK)
    assert done(server, "sleep_a_second", LITTLE_WORK) == b"awake"


def test_no_process_is_left_behind(server: ForkServer) -> None:
    """What was ended at its limit is gone, not only forgotten."""
    with pytest.raises(OverLimit):
        done(server, "sleep_in_the_kernel", SHORT)
    process = server._process
    assert process is not None
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    # An alarm of the kernel ends it at the moment at which nobody waits any more.
    for _ in range(1_000):
        if not children.read_text():
            break
        threading.Event().wait(0.01)
    assert children.read_text() == ""


def test_work_that_nobody_waits_for_is_ended(server: ForkServer) -> None:
    """At once, whether it runs or waits for its turn; the next is done."""
    answers = iter([False, False, True])
    with pytest.raises(NobodyWaits):
        server.run("isolated_tasks:work_for_ever", b"", AMPLE, lambda: next(answers))
    process = server._process
    assert process is not None
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for _ in range(1_000):
        if not children.read_text():
            break
        threading.Event().wait(0.01)
    assert children.read_text() == ""
    assert done(server, "sleep_a_second") == b"awake"


def test_a_refusal_is_in_its_own_words(server: ForkServer) -> None:
    """An error of ours comes back with its message."""
    with pytest.raises(TaskRefused, match="no such thing"):
        done(server, "refuse", body=b"no such thing")


def test_a_failure_is_a_class_and_a_place(server: ForkServer) -> None:
    """What failed may quote what was sent, so its message does not come back."""
    with pytest.raises(TaskFailed, match=r"^ValueError at .*isolated_tasks\.py:\d+$") as caught:
        done(server, "fail", body=CANARY.encode())
    assert CANARY not in str(caught.value)


def test_a_process_that_was_killed_is_started_again(server: ForkServer) -> None:
    """An operator or the kernel may end it; the next piece of work does not notice."""
    done(server, "echo")
    process = server._process
    assert process is not None
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert done(server, "echo", body=b"z").endswith(b" z")


def test_more_than_may_wait_are_sent_away(server: ForkServer) -> None:
    """One is done, one waits, and the third is told to come back."""
    done(server, "echo")
    slow = Limits(cpu_s=60, wall_s=2, memory_bytes=1 << 30)
    with ThreadPoolExecutor(3) as threads:
        asked = [threads.submit(done, server, "work_for_ever", slow) for _ in range(3)]
        errors = [type(each.exception()) for each in asked]
    assert OverLimit in errors
    assert TooManyTasks in errors
    assert {OverLimit, TooManyTasks} == set(errors)
