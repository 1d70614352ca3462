"""Tokens of invited people in an app: collected once, kept, spent, and sent later."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from deniable_sdk import (
    AlreadyAnswered,
    CollectorRefused,
    CollectorUnreachable,
    InvalidCode,
    InvalidToken,
    Report,
    check_report,
    open_client,
)
from deniable_sdk.client import Client
from deniable_sdk.client.entry import Entry
from deniable_sdk.client.retry import spread
from deniable_sdk.survey.window import Window
from free_ports import free_port
from live_issuer import AFTER, LiveIssuer, Prepared, live_issuer, prepare

NOW = 2_000_000_000.0
DAY_S = 86_400


@pytest.fixture
def prepared(tmp_path: Path) -> Prepared:
    """A survey whose issuer is on this machine."""
    return prepare(tmp_path / "issuer.sqlite", issuer=f"http://127.0.0.1:{free_port()}")


@pytest.fixture
def issuer(prepared: Prepared) -> Iterator[LiveIssuer]:
    """Its issuer, at the address in the survey."""
    assert prepared.survey.invited
    port = int(prepared.survey.invited.issuer.rpartition(":")[2])
    with live_issuer(prepared, port=port) as running:
        yield running


def opened(folder: Path) -> Client:
    """A client whose collector nobody asks in these tests."""
    return open_client("http://127.0.0.1:9", consent=True, folder=folder / "device")


def kept(folder: Path) -> bytes:
    """All that is in the files of the device."""
    return b"".join(path.read_bytes() for path in (folder / "device").rglob("*") if path.is_file())


@pytest.mark.usefixtures("issuer")
def test_a_token_outlives_a_restart_and_is_spent_once(prepared: Prepared, tmp_path: Path) -> None:
    """Neither the code nor the blinding is kept; the report carries the group."""
    code, survey = prepared.codes("nurses")[0], prepared.survey
    with opened(tmp_path) as client:
        assert client.collect_token(survey, code.lower()) == "nurses"
        assert client.collect_token(survey, code) == "nurses"
    assert b"inverse" not in kept(tmp_path)
    assert code.encode() not in kept(tmp_path)
    assert code.replace("-", "").encode() not in kept(tmp_path)
    with opened(tmp_path) as client:
        asked = client.draw(survey)
        report = client.submit(survey, {"asthma": True}, asked.blocks)
        check_report(report, survey)
        assert report.token is not None
        assert report.token.group == "nurses"
        (waiting,) = client.reports()
        assert waiting.state == "waiting"
        # It waits a random time, which no flush shortens.
        assert client.flush(5).waiting == 1
        with pytest.raises(AlreadyAnswered):
            client.submit(survey, {"asthma": True})
        with pytest.raises(AlreadyAnswered):
            client.collect_token(survey, prepared.codes("nurses")[1])
        again = client.submit(survey, {"asthma": True}, again="first")
        assert again.to_bytes() == report.to_bytes()


def test_without_a_token_nothing_is_drawn(prepared: Prepared, tmp_path: Path) -> None:
    """The error names the call that is missing, and nothing counts as spent."""
    with opened(tmp_path) as client:
        with pytest.raises(InvalidToken, match="get it with collect_token first"):
            client.submit(prepared.survey, {"asthma": True})
        assert client.reports() == ()
        assert client.spent().epsilon == 0


def test_a_lost_answer_is_asked_for_with_the_same_message(
    issuer: LiveIssuer, prepared: Prepared, tmp_path: Path
) -> None:
    """The request is on disk before it is sent, and repeated after a restart."""
    code, survey = prepared.codes("doctors")[0], prepared.survey
    group = issuer.ask_group(code).document["group"]
    issuer.kill()
    with opened(tmp_path) as client, pytest.raises(CollectorUnreachable, match="no answer from"):
        client.collect_token(survey, code)
    assert survey.invited
    port = int(survey.invited.issuer.rpartition(":")[2])
    with live_issuer(prepared, port=port), opened(tmp_path) as client:
        assert client.collect_token(survey, code) == group


def test_nonce_and_blinding_are_on_disk_before_the_issuer_is_asked(
    prepared: Prepared, tmp_path: Path
) -> None:
    """Whatever happens to the device then, it can ask again; the code itself is not there."""
    found: list[bytes] = []

    class Issuer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            if self.path.endswith("/tokens"):
                found.append(kept(tmp_path))
                return
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"group": "nurses"}')

    code = prepared.codes("nurses")[0]
    assert prepared.survey.invited
    port = int(prepared.survey.invited.issuer.rpartition(":")[2])
    with HTTPServer(("127.0.0.1", port), Issuer) as server, opened(tmp_path) as client:
        Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(CollectorUnreachable):
            client.collect_token(prepared.survey, code)
        server.shutdown()
    (before,) = found
    assert b"nonce" in before
    assert b"inverse" in before
    assert code.encode() not in before


def test_another_code_gets_a_request_of_its_own(
    issuer: LiveIssuer, prepared: Prepared, tmp_path: Path
) -> None:
    """After a used code, somebody of another group enters theirs; mistyping changes nothing."""
    used, own = prepared.codes("nurses")[0], prepared.codes("doctors")[0]
    issuer.collect(prepared.survey, used)
    with opened(tmp_path) as client:
        for refused in (used, "ABCD-EFGH-IJKL-MNOP"):
            with pytest.raises(CollectorRefused):
                client.collect_token(prepared.survey, refused)
        assert client.collect_token(prepared.survey, own) == "doctors"


def test_what_the_issuer_refuses_is_told_in_its_words(
    issuer: LiveIssuer, prepared: Prepared, tmp_path: Path
) -> None:
    """Unknown, used and late codes; a text that is no code is not even sent."""
    first, second, third, *_ = prepared.codes("nurses")
    issuer.collect(prepared.survey, first)
    with opened(tmp_path) as client:
        with pytest.raises(InvalidCode, match="got a text of 4 characters that is no code"):
            client.collect_token(prepared.survey, "ABCD")
        with pytest.raises(CollectorRefused, match="the issuer answered 404") as unknown:
            client.collect_token(prepared.survey, "ABCD-EFGH-IJKL-MNOP")
        with pytest.raises(CollectorRefused, match="the issuer answered 409"):
            client.collect_token(prepared.survey, first)
        assert unknown.value.status == 404
    other = tmp_path / "other"
    other.mkdir()
    issuer.set_clock(AFTER)
    with opened(other) as client, pytest.raises(CollectorRefused, match="the issuer answered 410"):
        client.collect_token(prepared.survey, second)
    assert third


def test_a_report_waits_at_random_and_before_the_end() -> None:
    """Up to a day after the survey opens, and at most half of the time until it closes."""
    entry = Entry("k", 1, "c", "s", "d", "r", "2/1", b"", "waiting")
    opens = datetime.fromtimestamp(NOW, UTC) + timedelta(days=3)
    for window, first, last in (
        (None, NOW, NOW + DAY_S),
        (Window(opens=opens), opens.timestamp(), opens.timestamp() + DAY_S),
        (Window(closes=datetime.fromtimestamp(NOW + 600, UTC)), NOW, NOW + 300),
        (Window(closes=datetime.fromtimestamp(NOW - 600, UTC)), NOW, NOW),
    ):
        for drawn in (b"\0" * 4, b"\x80" + b"\0" * 3, b"\xff" * 4):
            found = spread(entry, window, NOW, lambda _, drawn=drawn: drawn)  # type: ignore[misc]
            assert found.is_asked
            assert first <= found.next_try <= last
        assert found.next_try == pytest.approx(last)


@pytest.mark.usefixtures("issuer")
def test_the_report_is_the_one_that_is_kept(prepared: Prepared, tmp_path: Path) -> None:
    """What is held for the person's decision has the token, and is read again with it."""
    survey = prepared.survey
    with opened(tmp_path) as client:
        client.collect_token(survey, prepared.codes("nurses")[0])
        report = client.submit(survey, {"asthma": False}, hold=True)
        held = client.held_report(survey)
        assert held == report
        assert held is not None
        document = json.loads(held.to_bytes())
        assert document["token"].keys() == {"group", "nonce", "signature"}
        assert Report.from_document(document) == report
        assert client.decline(survey)
    assert document["token"]["nonce"].encode() not in kept(tmp_path)
