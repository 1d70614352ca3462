"""`deniable verify` checks a form in one file too, wherever it is served from."""

import functools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import PublishedSurvey
from deniable_web.commands import run
from deniable_web.pages.form.one_file import OneFileForm, own_version
from invitations import ISSUER, invited_survey
from sample_definitions import survey, yes_no
from score_samples import score
from served import publish, served
from tampering_proxy import Exchange, tampering_proxy

COLLECTOR = "https://survey.example.org"
PUBLISHED = survey(yes_no())
KINDS = {
    "ordinary": PUBLISHED,
    "scores": survey(score()),
    "invited": invited_survey().published,
    "both": invited_survey(score(), first_key=2).published,
}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def static_host(folder: Path) -> Iterator[str]:
    """The address of an ordinary server of files, which knows nothing of surveys."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@dataclass(frozen=True)
class Hosted:
    """A folder that a static host serves, and the command."""

    folder: Path
    url: str
    capsys: pytest.CaptureFixture[str]

    def write(self, text: bytes, name: str = "form.html") -> None:
        """Put a file into the folder."""
        (self.folder / name).write_bytes(text)

    def verify(self, *options: str, path: str = "/form.html") -> tuple[int, dict[str, Any]]:
        """The exit code and the document of the command."""
        code = run(["verify", "--format", "json", self.url + path, *options])
        document: dict[str, Any] = json.loads(self.capsys.readouterr().out)
        return code, document


@pytest.fixture
def hosted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Hosted]:
    """An empty folder on a static host."""
    with static_host(tmp_path) as url:
        yield Hosted(tmp_path, url, capsys)


def made(published: PublishedSurvey = PUBLISHED, collector: str = COLLECTOR) -> bytes:
    """The form in one file."""
    return OneFileForm.of(published, collector).body


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_untouched_is_the_same(hosted: Hosted, kind: str) -> None:
    """For every kind of survey, for every client, with the servers that it connects to."""
    published = KINDS[kind]
    hosted.write(made(published))
    code, document = hosted.verify("--digest", published.digest, "--collector", COLLECTOR)
    assert (code, document["result"], document["problems"]) == (0, "same", [])
    assert document["digest"] == published.digest
    assert document["connects_to"] == [COLLECTOR, *([ISSUER] if published.invited else [])]
    assert document["frame_ancestors"] is None
    assert {check["file"] for check in document["checks"]} == {"/form.html"}


def test_it_is_recognised_by_its_content(hosted: Hosted) -> None:
    """Also as the page of a folder, and where nobody says for which collector it is."""
    hosted.write(made(), "index.html")
    for path in ("/", ""):
        code, document = hosted.verify(path=path)
        assert (code, document["connects_to"]) == (0, [COLLECTOR])


def test_a_file_that_the_site_itself_serves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside its own form, made for the address that the operator has set."""
    publish(tmp_path / "store.sqlite", PUBLISHED)
    environment = {"DENIABLE_ADDRESS": COLLECTOR}
    with served(tmp_path / "store.sqlite", tmp_path, environment=environment) as site:
        url = f"{site.url}/s/{PUBLISHED.slug}/form.html"
        assert run(["verify", url, "--collector", COLLECTOR]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Fetched 1 file as 7 visitors."
    assert said[2] == f"It connects to: {COLLECTOR}"


@pytest.mark.sweep
@pytest.mark.parametrize(
    "change",
    [
        (b"randomize", b"randomise"),
        (b"script-src ", b"script-src * "),
        (COLLECTOR.encode(), b"https://survey.example.net"),
        (b"</body>", b"<script>1</script></body>"),
    ],
    ids=["script", "policy", "collector", "more"],
)
def test_every_change_is_found(hosted: Hosted, change: tuple[bytes, bytes]) -> None:
    """Of the script, the policy, the collector's address, or by something added."""
    right = made()
    hosted.write(right.replace(*change))
    code, document = hosted.verify("--collector", COLLECTOR)
    assert hosted.folder.joinpath("form.html").read_bytes() != right
    assert (code, document["result"]) == (1, "differs")
    reasons = {check["reason"].partition(" position ")[0] for check in document["checks"]}
    assert "its bytes differ from" in reasons


def test_another_document_in_it_is_found(hosted: Hosted) -> None:
    """The SHA-256 of what the page contains is computed."""
    hosted.write(made().replace(b"Do you have asthma?", b"Do you have cancer?"))
    code, document = hosted.verify()
    assert code == 1
    assert f"Under the digest {PUBLISHED.digest} there is another document" in str(document)


def test_what_is_no_address_of_a_collector_is_named(hosted: Hosted) -> None:
    """Nothing can be made for it."""
    page = made().replace(b'data-collector="https://', b'data-collector="javascript:')
    hosted.write(page)
    code, document = hosted.verify()
    assert code == 1
    assert "The form sends reports to what is no address" in document["problems"][0]


def test_another_version_is_said_plainly(hosted: Hosted) -> None:
    """The file names the version that made it."""
    own = f"deniable {own_version()}"
    hosted.write(made().replace(own.encode(), b"deniable 99.1"))
    code, document = hosted.verify()
    assert code == 1
    assert f"it names deniable 99.1, and this version is {own}. Ask" in document["problems"][0]


def test_a_host_that_adds_what_acts_is_found(hosted: Hosted) -> None:
    """Times and tags of files are usual there; a style for Firefox or a refresh is not."""
    hosted.write(made())

    def tamper(exchange: Exchange) -> None:
        assert "last-modified" in exchange.headers
        exchange.headers["etag"] = '"1"'
        if "iPhone" in exchange.agent:
            exchange.headers["refresh"] = "0; url=https://elsewhere.example"

    with tampering_proxy(hosted.url, tamper) as proxy:
        assert run(["verify", "--format", "json", proxy.url() + "/form.html"]) == 1
    document = json.loads(hosted.capsys.readouterr().out)
    (wrong,) = [check for check in document["checks"] if check["result"] != "same"]
    assert wrong["client"] == "Safari on iPhone"
    assert wrong["reason"] == "this version never sends the header refresh"


@pytest.mark.parametrize(
    ("policy", "reasons"),
    [
        ("frame-ancestors 'none'", []),
        (
            "connect-src 'none'; Report-URI https://elsewhere.example",
            ["its policy makes browsers send reports about people"],
        ),
    ],
    ids=["forbids", "reports"],
)
def test_a_host_may_forbid_more_but_not_be_told(
    hosted: Hosted, policy: str, reasons: list[str]
) -> None:
    """With an address for reports in its policy, a host would learn when somebody sends."""
    hosted.write(made())

    def tamper(exchange: Exchange) -> None:
        exchange.headers["content-security-policy"] = policy

    with tampering_proxy(hosted.url, tamper) as proxy:
        run(["verify", "--format", "json", proxy.url() + "/form.html"])
    checks = json.loads(hosted.capsys.readouterr().out)["checks"]
    assert list({check["reason"] for check in checks if check["result"] != "same"}) == reasons


def test_a_site_cannot_pass_it_off_as_its_own_form(hosted: Hosted) -> None:
    """At the address of a site's form only that form is the same, whatever is sent instead."""
    (hosted.folder / "s").mkdir()
    (hosted.folder / "s" / PUBLISHED.slug).write_bytes(made(collector="https://other.example"))
    file = hosted.folder / "survey.json"
    file.write_bytes(PUBLISHED.document)
    code, document = hosted.verify("--survey", str(file), path=f"/s/{PUBLISHED.slug}")
    assert code == 1
    assert document["connects_to"] == [hosted.url]


def test_what_only_looks_like_one_is_compared(hosted: Hosted) -> None:
    """Whoever knows collector and survey needs no honest page to find that it is another."""
    hosted.write(f'<main data-collector="{escape(COLLECTOR)}">'.encode())
    file = hosted.folder / "survey.json"
    file.write_bytes(PUBLISHED.document)
    code, document = hosted.verify("--survey", str(file))
    assert (code, document["result"]) == (1, "differs")
    nothing_known, document = hosted.verify()
    assert nothing_known == 2
    assert document["problems"] == ["What is at this address is not a form of deniable."]
