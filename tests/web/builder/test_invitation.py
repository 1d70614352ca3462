"""A person who starts a first collector gets a link to its pages."""

import os
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

from deniable_collector.store import open_store
from deniable_collector.tokens import Role

START = "Write surveys and read results: "


def started(store: Path, *, is_terminal: bool) -> tuple[str, str]:
    """The address of a collector that was started on a store, and what it said."""
    read, write = os.openpty() if is_terminal else os.pipe()
    command = [sys.executable, "-m", "deniable_web", "serve", "--store", str(store), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=write, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        said = ""
        # A survey is never open here, so this line is the last.
        while "No survey is open" not in said:
            said += os.read(read, 4096).decode()
        if START in said:
            assert [status_of(url, said) for _ in range(2)] == [200, 410]
        process.terminate()
    os.close(write)
    os.close(read)
    return url, said


def link_of(said: str) -> str:
    """The link in what a collector said."""
    found = next(line for line in said.splitlines() if line.startswith(START))
    return found.removeprefix(START).strip()


def status_of(url: str, said: str) -> int:
    """How the server answers who exchanges the link for a token."""
    headers = {"Authorization": f"Bearer {link_of(said).partition('#link=')[2]}"}
    request = urllib.request.Request(f"{url}/manage/link", b"", headers)  # noqa: S310 - our own address
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - as above
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_a_first_start_at_a_terminal_prints_a_link_once(tmp_path: Path) -> None:
    """Its secret is in the fragment, and works once; a second start tells how to get another."""
    store = tmp_path / "store.sqlite"
    url, said = started(store, is_terminal=True)
    assert link_of(said).startswith(f"{url}/surveys#link=")
    another = f"deniable token link first --store {store}"
    assert another in said.replace("\r\n", " ")
    with closing(open_store(store)) as opened:
        assert [(known.name, known.role) for known in opened.list_tokens()] == [
            ("first", Role.OWNER)
        ]
    _, again = started(store, is_terminal=True)
    assert "#link=" not in again
    assert another in again.replace("\r\n", " ")


def test_what_may_be_a_log_gets_no_link(tmp_path: Path) -> None:
    """Where standard error is no terminal, the way to make a token is told, and none is made."""
    store = tmp_path / "store.sqlite"
    _, said = started(store, is_terminal=False)
    assert "deniable token make owner NAME --link" in said
    assert "#link=" not in said
    with closing(open_store(store)) as opened:
        assert opened.list_tokens() == ()
