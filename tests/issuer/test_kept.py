"""What the issuer keeps and says: its schema, and nothing else from anybody."""

import base64
import random
import re
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path

import pytest

from canaries import MarkedClient, assert_no_marks
from deniable_issuer import Issuer, open_issuer_store
from deniable_issuer.codes import code_digest
from deniable_issuer.inviting import Issued, people_of
from deniable_sdk import randomize
from deniable_sdk.invitation import TokenRequest, finish_token, request_token
from deniable_sdk.tokens import Token, base64url, from_base64url
from deniable_web.commands import run
from live_issuer import AFTER, BEFORE, LiveIssuer, Prepared, live_issuer, prepare
from live_server import exchange, live_collector

CONTACTS = [f"person{number}@example.org" for number in range(4)]
JSON = {"Content-Type": "application/json"}
PAGE_BYTES = 4_096
PIECE = 8
COLUMNS = {
    "codes": ["code_digest", "survey", "group_id", "contact", "mail", "blinded"],
    "keys": ["modulus", "private", "survey"],
    "surveys": ["digest", "document"],
}


@pytest.fixture
def prepared(tmp_path: Path) -> Prepared:
    """A survey with twelve codes, four of them with a contact."""
    return prepare(tmp_path / "issuer.sqlite", contacts=CONTACTS)


def files_of(store: Path) -> bytes:
    """All bytes of a store and of the files beside it."""
    return b"".join(path.read_bytes() for path in sorted(store.parent.glob(f"{store.name}*")))


def collect_with_marks(
    issuer: LiveIssuer, prepared: Prepared, number: int, issued: Issued
) -> tuple[TokenRequest, Token]:
    """Collect a token, from a client that every header identifies."""
    client, (host, port) = MarkedClient(number), issuer.address
    request = request_token(prepared.survey, issued.group)
    sent = {"survey": issuer.digest, "code": issued.code}
    source = (client.source, 0)
    with closing(HTTPConnection(host, port, timeout=60, source_address=source)) as connection:
        asked = client.send(connection, "POST", "/api/codes", encoded(sent), JSON)
        assert asked.document == {"group": issued.group}
        body = encoded({**sent, "blinded": base64url(request.message)})
        answer = client.send(connection, "POST", "/api/tokens", body, JSON)
        again = client.send(connection, "POST", "/api/tokens", body, JSON)
        assert answer.document == again.document
    signature = from_base64url(answer.document["signature"])
    return request, finish_token(prepared.survey, request, signature)


def encoded(document: dict[str, str]) -> bytes:
    """A body as another client might write it."""
    return (
        "{" + ", ".join(f'"{key}": "{value}"' for key, value in document.items()) + "}"
    ).encode()


def spellings(name: str, secret: bytes) -> Iterable[tuple[str, bytes]]:
    """A secret in the ways in which it could be kept."""
    yield name, secret
    yield f"{name} in hex", secret.hex().encode()
    yield f"{name} in base64url", base64url(secret).encode()
    yield f"{name} in base64", base64.b64encode(secret).rstrip(b"=")


def test_nothing_beyond_the_schema_is_kept_or_said(prepared: Prepared, tmp_path: Path) -> None:
    """No code, signature, nonce, header, address or time is in the store, its log or a backup."""
    codes, secrets = [], []
    with live_issuer(prepared) as issuer:
        for number, issued in enumerate(prepared.issued[:6]):
            request, token = collect_with_marks(issuer, prepared, number, issued)
            codes.append(issued.code)
            secrets += [("nonce", request.nonce), ("signature", token.signature)]
        for method, path, body in (
            ("POST", "/api/tokens", b"{" + codes[0].encode()),
            ("GET", f"/api/codes/{codes[0]}", None),
            ("GET", f"/api/surveys/{codes[0]}", None),
        ):
            with closing(issuer.connect()) as connection:
                assert exchange(connection, method, path, body, JSON).status in (400, 404)
        running = files_of(prepared.store)
        assert run(["backup", str(tmp_path / "copy.sqlite"), "--store", str(prepared.store)]) == 0
        issuer.set_clock(AFTER)
        issuer.send("GET", f"/api/surveys/{issuer.digest}")
        assert issuer.stop() == 0
    kept = [
        ("running", running),
        ("stopped", files_of(prepared.store)),
        ("backup", (tmp_path / "copy.sqlite").read_bytes()),
        ("log", issuer.log.read_bytes()),
    ]
    assert_no_marks(kept)
    wanted = [found for name, secret in secrets for found in spellings(name, secret)]
    wanted += [("code", code.encode()) for code in codes]
    wanted += [("code", code.replace("-", "").encode()) for code in codes]
    wanted += [("code", base64.b32decode(code.replace("-", ""))) for code in codes]
    found = [
        f"{name} in {place}" for name, needle in wanted for place, text in kept if needle in text
    ]
    assert found == []
    for place, text in kept[:3]:
        assert code_digest(codes[0]) in text, place
        assert datetime.now(UTC).strftime("%Y-%m").encode() not in text, place
        assert not re.search(rb"\d\d:\d\d:\d\d", text), place
    assert kept[3][1] == b""


def test_no_signature_is_kept(prepared: Prepared) -> None:
    """What was sent to devices can be computed again, so it is nowhere."""
    with live_issuer(prepared) as issuer:
        request = request_token(prepared.survey, "nurses")
        answer = issuer.ask_signature(prepared.codes("nurses")[0], request.message)
        signature = from_base64url(answer.document["signature"])
        kept = files_of(prepared.store)
    kept += files_of(prepared.store)
    assert request.message in kept
    assert [name for name, text in spellings("signature", signature) if text in kept] == []


def test_the_schema_has_no_time_no_count_and_no_order(prepared: Prepared) -> None:
    """The columns are those of docs/ISSUER.md, no row has a number, and only the owner reads."""
    with closing(sqlite3.connect(prepared.store)) as connection:
        tables = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        found = dict(tables.fetchall())
        columns = {
            name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            for name in found
        }
        others = connection.execute(
            "SELECT name FROM sqlite_master WHERE type <> 'table'"
        ).fetchall()
        states = connection.execute("SELECT DISTINCT mail, contact IS NULL FROM codes").fetchall()
    assert columns == COLUMNS
    assert all("WITHOUT ROWID" in statement for statement in found.values())
    assert [name for (name,) in others if not name.startswith("sqlite_autoindex")] == []
    assert sorted(states, key=str) == [("sent", 0), (None, 1)]
    assert prepared.store.stat().st_mode & 0o777 == 0o600
    page = (Path(__file__).parents[2] / "docs" / "ISSUER.md").read_text(encoding="utf-8")
    for name, members in COLUMNS.items():
        assert f"`{name}({', '.join(members)})`" in page


def test_the_file_does_not_depend_on_the_order_of_collecting(
    prepared: Prepared, random_source: random.Random
) -> None:
    """The same messages in three orders leave the same bytes, and no log while it is open.

    So it is after a kill, once the store was opened and closed again.
    """
    messages = {
        each.code: (each.group, request_token(prepared.survey, each.group).message)
        for each in prepared.issued
    }
    found, killed = set(), set()
    for number in range(3):
        copy = prepared.store.with_name(f"copy{number}.sqlite")
        shutil.copyfile(prepared.store, copy)
        order = list(messages)
        random_source.shuffle(order)
        with closing(open_issuer_store(copy)) as store:
            issuer = Issuer(store, lambda: BEFORE)
            for code in order:
                issuer.sign(prepared.survey.digest, code, messages[code][1])
                assert copy.with_name(f"{copy.name}-wal").stat().st_size == 0
            left = copy.with_name(f"killed{number}.sqlite")
            for ending in ("", "-wal"):
                shutil.copyfile(f"{copy}{ending}", f"{left}{ending}")
        found.add(without_counters(copy.read_bytes()))
        open_issuer_store(left).close()
        killed.add(without_counters(left.read_bytes()))
    assert len(found) == len(killed) == 1
    assert all(message in next(iter(found)) for _, message in messages.values())


def without_counters(file: bytes) -> bytes:
    """A file without SQLite's counts of changes, which say how many there were."""
    return file[:24] + file[28:92] + file[96:]


def test_a_replaced_code_leaves_nothing(prepared: Prepared) -> None:
    """What was overwritten, contacts included, is not in the file any more."""
    with closing(open_issuer_store(prepared.store)) as store:
        people = people_of(store, prepared.survey.digest)
        old = [each.digest for each in people if each.contact]
        with store.writing() as connection:
            connection.executemany(
                "UPDATE codes SET code_digest = ?, contact = 'x' WHERE code_digest = ?",
                [(bytes([number]) * 32, digest) for number, digest in enumerate(old, 1)],
            )
    kept = files_of(prepared.store)
    assert len(old) == len(CONTACTS)
    assert not any(needle in kept for needle in (*old, *(each.encode() for each in CONTACTS)))


def test_no_repr_shows_a_contact_or_a_code(prepared: Prepared) -> None:
    """What a log or a crash reporter would take has the group alone."""
    with closing(open_issuer_store(prepared.store)) as store:
        people = people_of(store, prepared.survey.digest)
        shown = repr([*people, *prepared.issued, store, Issuer(store)])
    assert shown.count("group='nurses'") == 18
    for each in prepared.issued:
        assert each.code not in shown
        assert code_digest(each.code).hex() not in shown
    assert "person" not in shown.replace("Person(", "")


def test_issuer_and_collector_share_only_what_is_public(
    tmp_path: Path, prepared: Prepared
) -> None:
    """Stores, logs and backups have the digest, the document and the group in common, no more."""
    survey = prepared.survey
    stores = prepared.store, tmp_path / "collector.sqlite"
    with live_issuer(prepared) as issuer, live_collector(stores[1]) as collector:
        assert collector.owner("POST", "/api/surveys", survey.document).status == 201
        before = shared(stores)
        for issued in prepared.issued:
            _, token = issuer.collect(survey, issued.code)
            report = randomize(survey, {"asthma": True}, token=token)
            answer = collector.send("POST", "/api/reports", report.to_bytes(), JSON)
            assert answer.status == 201
        during = shared(stores)
        copies = [store.with_name(f"copy-of-{store.name}") for store in stores]
        for store, copy in zip(stores, copies, strict=True):
            assert run(["backup", str(copy), "--store", str(store)]) == 0
        assert issuer.stop() == collector.stop() == 0
    public = pieces(survey.document + survey.digest.encode()) | before
    assert during - public == shared(copies) - public == shared(stores) - public == set()
    assert issuer.log.read_bytes() == b""
    # What the search above looks at does have what it is about.
    assert all(code_digest(each.code) in files_of(stores[0]) for each in prepared.issued)
    assert bytes.fromhex(report.id) in files_of(stores[1])


def shared(stores: Sequence[Path]) -> set[bytes]:
    """Everything of some length that both stores have on disk after the page of the schema.

    Names of groups are public. The few random bytes beside one may be equal by chance.
    """
    ours, theirs = (pieces(files_of(store)[PAGE_BYTES:]) for store in stores)
    names = pieces(b"doctors", PIECE // 2) | pieces(b"nurses", PIECE // 2)
    return {
        piece
        for piece in ours & theirs
        if len(set(piece)) > PIECE // 2 and not names & pieces(piece, PIECE // 2)
    }


def pieces(text: bytes, length: int = PIECE) -> set[bytes]:
    """All pieces of a text of one length: half as long as a report's id."""
    return {text[at : at + length] for at in range(len(text) - length + 1)}
