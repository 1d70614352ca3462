"""deniable log: a key for the log, and a monitor that notices what a server changes."""

import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from deniable_collector.settings import LOG_KEY
from deniable_collector.signing import SigningKey, read_key_file
from deniable_collector.store import open_store
from deniable_sdk.log import head_of
from deniable_sdk.tokens import base64url
from deniable_web.commands import run
from free_ports import free_port
from live_issuer import signing_key
from sample_definitions import survey, yes_no
from served import publish, served

ENTRIES = [sha256(b"survey %d" % number).hexdigest() for number in range(6)]
KEY = base64url(signing_key("log").modulus)
SAME, CHANGED, UNCHECKED = range(3)


def log_of(entries: Sequence[str], key: SigningKey | None = None) -> bytes:
    """A log as a collector answers with it."""
    head = head_of(entries)
    signature = base64url(key.sign_text(head.to_bytes())) if key else None
    members = {"log": "deniable-log/1", "size": head.size, "head": head.digest}
    return json.dumps({**members, "entries": entries, "signature": signature}).encode()


class Liar:
    """A real server that answers GET /log with whatever it is told to."""

    def __init__(self) -> None:
        self.answer: Callable[[BaseHTTPRequestHandler], None] = lambda _: None
        liar = self

        class Handler(BaseHTTPRequestHandler):
            """Answers as the liar says."""

            def do_GET(self) -> None:
                """Answer, until the other side is gone."""
                assert self.path == "/log"
                try:
                    liar.answer(self)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                """Keep still."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def says(self, body: bytes, status: int = 200) -> None:
        """Answer with these bytes from now on."""

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)

        self.answer = answer

    def says_endless(self) -> None:
        """Answer with a body that has no end."""

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.end_headers()
            while True:
                handler.wfile.write(bytes(1 << 16))

        self.answer = answer


@pytest.fixture
def liar() -> Iterator[Liar]:
    """A server that lies."""
    made = Liar()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    try:
        yield made
    finally:
        made.server.shutdown()
        made.server.server_close()
        thread.join()


class Monitor:
    """What the command says of a server, with a file of what was seen."""

    def __init__(self, url: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.seen = folder / "seen.json"
        self._url = url
        self._capsys = capsys

    def check(self, *options: str) -> tuple[int, list[str], str]:
        """The exit code, the words that were printed, and what was said besides."""
        self._capsys.readouterr()
        code = run(["log", "check", self._url, "--seen", str(self.seen), *options])
        found = self._capsys.readouterr()
        assert "Traceback" not in found.err
        return code, found.out.split(), " ".join(found.err.split())


@pytest.fixture
def monitor(liar: Liar, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Monitor:
    """A monitor of the liar."""
    return Monitor(liar.url, tmp_path, capsys)


def test_new_digests_are_printed_once_and_then_nothing(liar: Liar, monitor: Monitor) -> None:
    """A cron job mails what is new, and nothing on all other days."""
    liar.says(log_of(ENTRIES[:2]))
    code, new, said = monitor.check()
    assert (code, new) == (SAME, ENTRIES[:2])
    assert "2 surveys, of which 2 are new; not signed." in said
    assert head_of(ENTRIES[:2]).digest in said
    assert monitor.seen.stat().st_mode & 0o777 == 0o600
    assert monitor.check() == (SAME, [], "")
    liar.says(log_of(ENTRIES[:5]))
    code, new, said = monitor.check()
    assert (code, new) == (SAME, ENTRIES[2:5])
    assert "5 surveys, of which 3 are new" in said
    assert monitor.check() == (SAME, [], "")


@pytest.mark.parametrize(
    "later",
    [
        [*ENTRIES[:1], ENTRIES[5], *ENTRIES[2:4]],
        ENTRIES[:2],
        ENTRIES[1:4],
        [ENTRIES[1], ENTRIES[0], *ENTRIES[2:5]],
        [],
    ],
    ids=["rewritten", "shorter", "first dropped", "forked", "empty"],
)
def test_a_log_that_does_not_continue_what_was_seen(
    liar: Liar, monitor: Monitor, later: list[str]
) -> None:
    """Its chain and its signature are whole; only what was seen before tells."""
    key = signing_key("log")
    liar.says(log_of(ENTRIES[:3], key))
    assert monitor.check("--key", KEY)[0] == SAME
    before = monitor.seen.read_bytes()
    assert json.loads(before)["signature"] is not None
    liar.says(log_of(later, key))
    for _ in range(2):
        code, new, said = monitor.check("--key", KEY)
        assert (code, new) == (CHANGED, [])
        assert "does not continue the one that was seen before, with 3 entries" in said
    # The proof stays: the head that the server signed before.
    assert monitor.seen.read_bytes() == before


def test_a_log_that_is_forged(liar: Liar, monitor: Monitor) -> None:
    """Another key, no signature, a broken chain, and what is no log at all."""
    key = signing_key("log")
    whole = log_of(ENTRIES[:3], key)
    for body, message in (
        (log_of(ENTRIES[:3], signing_key("other")), "was not signed with the key"),
        (log_of(ENTRIES[:3]), "the head of the log is not signed"),
        (whole.replace(ENTRIES[1].encode(), ENTRIES[5].encode()), "the log was changed"),
        (whole[:-2], "not a log"),
        (b"<html>Welcome to our hotel</html>", "not a log"),
        (b"", "not a log"),
    ):
        liar.says(body)
        code, new, said = monitor.check("--key", KEY)
        assert (code, new) == (CHANGED, [])
        assert message in said
        assert not monitor.seen.exists()
    liar.says(whole)
    assert monitor.check("--key", KEY)[0] == SAME


def test_a_log_that_cannot_be_checked(
    liar: Liar, monitor: Monitor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No answer, a refusal, a body without an end, and what the caller got wrong."""
    liar.says_endless()
    code, new, said = monitor.check()
    assert (code, new) == (UNCHECKED, [])
    assert "no answer from 127.0.0.1" in said
    liar.says(b'{"detail": "The store cannot be used now"}', 503)
    code, _, said = monitor.check()
    assert code == UNCHECKED
    assert "the collector answered 503: The store cannot be used now" in said
    liar.says(log_of(ENTRIES))
    assert monitor.check("--key", KEY[:-1])[0] == UNCHECKED
    for text in ("", "{}", "[1]", '{"size": true, "head": ""}', '{"size": 1, "head": 2}'):
        monitor.seen.write_text(text)
        code, _, said = monitor.check()
        assert code == UNCHECKED
        assert "does not have the head of a log" in said
        assert monitor.seen.read_text() == text
    nowhere = str(tmp_path / "missing" / "seen.json")
    assert run(["log", "check", liar.url, "--seen", nowhere]) == UNCHECKED
    assert "No such file" in capsys.readouterr().err
    assert run(["log", "check", f"http://127.0.0.1:{free_port()}"]) == UNCHECKED
    assert run(["log", "check", "ftp://example.org"]) == UNCHECKED
    assert run(["log", "check"]) == UNCHECKED


def test_the_result_as_json(liar: Liar, monitor: Monitor) -> None:
    """One document, with the same members whatever was found."""
    liar.says(log_of(ENTRIES[:2], signing_key("log")))
    code, words, said = monitor.check("--format", "json", "--key", KEY)
    assert (code, said) == (SAME, "")
    assert json.loads(" ".join(words)) == {
        "problem": None,
        "size": 2,
        "head": head_of(ENTRIES[:2]).digest,
        "is_signed": True,
        "new": ENTRIES[:2],
    }
    liar.says(log_of(ENTRIES[2:]))
    code, words, _ = monitor.check("--format", "json")
    found = json.loads(" ".join(words))
    assert code == CHANGED
    assert "does not continue" in found.pop("problem")
    assert found == {"size": None, "head": None, "is_signed": False, "new": []}


def test_a_key_is_made_once_and_signs_what_a_server_publishes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the key over the running server to the monitor, with a restart in between."""
    file, store = tmp_path / "log.key", tmp_path / "store.sqlite"
    umask = os.umask(0)
    try:
        assert run(["log", "key", str(file)]) == 0
    finally:
        os.umask(umask)
    made = capsys.readouterr()
    modulus = made.out.strip()
    assert file.stat().st_mode & 0o777 == 0o600
    assert base64url(read_key_file(file).modulus) == modulus
    assert "DENIABLE_LOG_KEY" in made.err
    assert run(["log", "key", str(file)]) == 0
    assert capsys.readouterr() == (f"{modulus}\n", "")
    surveys = [survey(yes_no(), slug=slug) for slug in ("first", "second")]
    seen = tmp_path / "seen.json"
    for number, each in enumerate(surveys):
        publish(store, each)
        with served(store, tmp_path, environment={LOG_KEY: str(file)}) as site:
            command = ["log", "check", site.url, "--key", modulus, "--seen", str(seen)]
            assert run(command) == 0
        assert capsys.readouterr().out == f"{each.digest}\n"
        assert json.loads(seen.read_text())["size"] == number + 1
    with closing(open_store(store)) as opened:
        assert opened.read_log() == tuple(each.digest for each in surveys)


def test_a_file_that_is_no_key_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name mistyped overwrites nothing."""
    file = tmp_path / "notes.txt"
    file.write_text("Do not lose this.")
    assert run(["log", "key", str(file)]) == 1
    assert "a private key is damaged, or not one of ours" in capsys.readouterr().err
    assert file.read_text() == "Do not lose this."
    assert run(["log", "key", str(tmp_path / "missing" / "log.key")]) == 1
    assert "No such file" in capsys.readouterr().err
