"""A person who starts a first collector gets a link to its pages."""

import os
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path

from deniable_collector.store import open_store
from deniable_collector.tokens import Role, is_token

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
        link = next((line for line in said.splitlines() if line.startswith(START)), "")
        if link:
            assert opens(url, link.partition("#token=")[2].strip())
        process.terminate()
    os.close(write)
    os.close(read)
    return url, said


def opens(url: str, token: str) -> bool:
    """Whether a token opens the pages of who runs surveys."""
    request = urllib.request.Request(  # noqa: S310 - our own address
        f"{url}/manage/token", headers={"Authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - as above
        return bool(answer.status == 204)


def test_a_first_start_at_a_terminal_prints_a_link_once(tmp_path: Path) -> None:
    """The link brings an owner's token in its fragment; a second start prints none."""
    store = tmp_path / "store.sqlite"
    url, said = started(store, is_terminal=True)
    link = next(line for line in said.splitlines() if line.startswith(START)).strip()
    address, _, token = link.removeprefix(START).partition("#token=")
    assert address == f"{url}/surveys"
    assert is_token(token)
    with closing(open_store(store)) as opened:
        assert [(known.name, known.role) for known in opened.list_tokens()] == [
            ("first", Role.OWNER)
        ]
    _, again = started(store, is_terminal=True)
    assert "token" not in again


def test_what_may_be_a_log_gets_no_token(tmp_path: Path) -> None:
    """Where standard error is no terminal, the way to make a token is told, and none is made."""
    store = tmp_path / "store.sqlite"
    _, said = started(store, is_terminal=False)
    assert "deniable token make owner NAME" in said
    assert "#token=" not in said
    with closing(open_store(store)) as opened:
        assert opened.list_tokens() == ()
