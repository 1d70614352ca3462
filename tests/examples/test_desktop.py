"""The desktop example, driven by its keys on a display that nobody sees."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_sdk.client.storage.opening import FILE_NAME
from live_server import LiveCollector, live_collector
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from served import rows_by_id

DRIVER = Path(__file__).with_name("desktop_driver.py")
PUBLISHED = survey(
    yes_no("harassed", text="Were you harassed at work in the past year?"),
    scale("stress", text="How stressed are you?", show_if={"question": "harassed", "is": "yes"}),
    multiple("told", text="Whom did you tell?"),
    choice("region"),
    number("days", text="How many days were you ill?"),
    title="Stress at work",
    ask="all",
)

pytestmark = pytest.mark.skipif(
    shutil.which("Xvfb") is None or importlib.util.find_spec("tkinter") is None,
    reason="needs Xvfb and tkinter",
)


@contextmanager
def display() -> Iterator[str]:
    """A display of its own."""
    reading, writing = os.pipe()
    command = [
        "Xvfb",
        "-displayfd",
        str(writing),
        "-screen",
        "0",
        "640x900x24",
        "-nolisten",
        "tcp",
    ]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        try:
            with os.fdopen(reading) as pipe:
                yield f":{pipe.readline().strip()}"
        finally:
            server.terminate()


@pytest.fixture
def collector(tmp_path: Path) -> Iterator[LiveCollector]:
    """A real collector with the survey."""
    store = tmp_path / "store.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(PUBLISHED)
    with live_collector(store) as running:
        yield running


def drive(url: str, folder: Path, script: str) -> list[str]:
    """What the window said at each step of a script."""
    with display() as name:
        ran = subprocess.run(
            [sys.executable, str(DRIVER), url, PUBLISHED.slug, str(folder), script],
            check=False,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "DISPLAY": name},
        )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.splitlines()


@pytest.mark.deep
def test_a_person_answers_by_keyboard(collector: LiveCollector, tmp_path: Path) -> None:
    """Agree, answer, send, read what was sent, come back, and have all of it forgotten."""
    folder = tmp_path / "data"
    said = drive(collector.url, folder, "answer")
    text = "\n".join(said)
    assert "A survey, if you like" in text
    assert "Stress at work" in text
    # The second question comes only with a yes to the first.
    assert text.index("shown: 4") < text.index("shown: 5")
    assert "This is all that is sent" in text
    assert "Your report has arrived" in text
    assert "You have answered 1 survey on this device" in text
    assert len(rows_by_id(collector.store, PUBLISHED)) == 1
    again = "\n".join(drive(collector.url, folder, "again"))
    assert "You have answered this survey" in again
    assert len(rows_by_id(collector.store, PUBLISHED)) == 1
    forgotten = "\n".join(drive(collector.url, folder / "other", "forget"))
    assert "Forgotten" in forgotten
    assert PUBLISHED.digest.encode() not in (folder / "other" / FILE_NAME).read_bytes()


def test_without_a_connection_the_window_says_so(tmp_path: Path) -> None:
    """The app goes on, and offers to try again."""
    said = "\n".join(drive("http://127.0.0.1:9", tmp_path, "begin"))
    assert "The survey cannot be shown now" in said
    assert "button: Try again" in said
