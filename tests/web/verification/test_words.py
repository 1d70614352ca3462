"""`deniable verify` says why a form cannot be checked, and speaks as the clients that it names."""

import os
import pty
import shutil
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from certificates import trusted
from deniable_collector.store import open_store
from deniable_sdk.canonical import parse
from deniable_web.commands import run
from deniable_web.packaged_files import PACKAGE, sdk_folder
from deniable_web.pages.static_files import static_files
from deniable_web.verification.fetching import Server
from deniable_web.verification.visitors import VISITORS
from free_ports import free_port
from live_site import LiveSite, live_site
from sample_definitions import survey, yes_no
from served import served
from tampering_proxy import Exchange, Tamper, tampering_proxy

HOST = "survey.example.org"
PUBLISHED = survey(yes_no())
PAGE = "/s/health"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> object:
    """The real site with a survey."""
    with live_site(tmp_path_factory.mktemp("site") / "store.sqlite", PUBLISHED) as running:
        yield running


def nothing(_: Exchange) -> None:
    """Pass on what comes."""


class Said:
    """How the command ended, and what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = run(["verify", "--timeout", "60", *arguments])
        self.out, self.err = capsys.readouterr()


def test_what_is_the_same_is_said_in_five_lines(
    site: LiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """How much was fetched, who may frame the form, and that each byte is as it should be."""
    said = Said(capsys, site.url + PAGE)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        "Fetched 7 files as 7 visitors.",
        f"Its survey is {PUBLISHED.digest}.",
        f"It connects to: {site.url}",
        "Sites whose pages may show it in a frame: *",
        "Every byte is what this version of deniable makes for this survey.",
    ]


def test_a_difference_is_said_once_with_who_gets_it(
    site: LiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """Clients that get the same are in one line; what a server sends moves no terminal."""

    def tamper(exchange: Exchange) -> None:
        if exchange.path.endswith("base.css"):
            exchange.body += b" "
        if exchange.path == PAGE and "Firefox" in exchange.agent:
            exchange.headers["permissions-policy"] = "camera=\x9b31m"

    with tampering_proxy(site.url, tamper) as proxy:
        said = Said(capsys, proxy.url() + PAGE)
    assert said.code == 1
    lines = said.out.splitlines()
    (page,) = [line for line in lines if line.startswith(f"{PAGE} differs: ")]
    assert page.endswith("Got by: Firefox in Arabic, Firefox, reloading with a cookie.")
    assert "\x9b" not in page
    (style,) = [line for line in lines if "base.css differs" in line]
    assert style.endswith("Got by: everybody.")
    assert f"Not everybody gets the same: {PAGE}." in lines
    assert f"Its survey should be {PUBLISHED.digest}." in lines
    assert lines[-1] == "This is NOT what this version of deniable makes for this survey."


def replaced(body: bytes, status: int = 200) -> Tamper:
    """Another page for everybody."""

    def tamper(exchange: Exchange) -> None:
        if exchange.path == PAGE:
            exchange.body, exchange.status = body, status

    return tamper


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (replaced(b"Hello"), "What is at this address is not a form of deniable."),
        (replaced(b"", 500), "The server answers with status 500."),
        (replaced(b"", 404), "There is no survey at this address."),
    ],
    ids=["hello", "500", "404"],
)
def test_what_is_no_form_is_named(
    site: LiveSite, capsys: pytest.CaptureFixture[str], tamper: Tamper, reason: str
) -> None:
    """With exit code 2: nothing could be compared."""
    with tampering_proxy(site.url, tamper) as proxy:
        said = Said(capsys, proxy.url() + PAGE)
    assert said.code == 2
    assert said.out.splitlines() == [reason, "The form could not be checked."]


def test_a_page_without_a_form_differs_where_the_digest_is_known(
    site: LiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then it is known what there should be."""
    with tampering_proxy(site.url, replaced(b"Hello")) as proxy:
        said = Said(capsys, proxy.url() + PAGE, "--digest", PUBLISHED.digest)
    assert said.code == 1
    assert f"{PAGE} differs: its bytes differ from position 0. " in said.out


def test_closed_and_unknown_surveys_have_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the real site."""
    with live_site(tmp_path / "store.sqlite", PUBLISHED) as running:
        with closing(open_store(running.store)) as store:
            store.close_survey(PUBLISHED.slug)
        closed = Said(capsys, running.url + PAGE)
        unknown = Said(capsys, f"{running.url}/s/nothing")
    assert (closed.code, unknown.code) == (2, 2)
    assert closed.out.startswith("The survey is closed, so its form is no longer served.\n")
    assert unknown.out.startswith("There is no survey at this address.\n")


def test_a_survey_of_a_later_version_is_named(
    site: LiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """A document with the right SHA-256 that this version cannot read is no difference."""
    later = PUBLISHED.document.replace(b"{", b'{"colour":"red",', 1)
    digest = sha256(later).hexdigest()
    assert parse(later)

    def tamper(exchange: Exchange) -> None:
        exchange.body = exchange.body.replace(PUBLISHED.digest.encode(), digest.encode())
        if exchange.path.endswith(digest):
            exchange.status, exchange.body = 200, later

    with tampering_proxy(site.url, tamper) as proxy:
        said = Said(capsys, proxy.url() + PAGE)
    assert said.code == 2
    assert said.out.startswith("This version cannot read the survey: ")
    assert "install that one and verify again" in said.out


def test_a_survey_that_would_fill_the_memory_is_not_rendered(
    site: LiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """A document of two megabytes, which a hostile server names, ends the check."""

    def tamper(exchange: Exchange) -> None:
        if exchange.path.startswith("/api/"):
            exchange.body = b" " * (2 << 20)

    with tampering_proxy(site.url, tamper) as proxy:
        said = Said(capsys, proxy.url() + PAGE)
    assert said.code == 2
    assert "2,097,152 bytes; this command verifies surveys of at most 1,048,576 bytes" in said.out


def test_a_server_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A closed port, and a name without an address."""
    refused = Said(capsys, f"http://127.0.0.1:{free_port()}{PAGE}")
    assert refused.code == 2
    assert "there is no connection (ConnectionRefusedError)" in refused.out
    unknown = Said(capsys, f"https://nowhere.invalid{PAGE}")
    assert unknown.code == 2
    assert "no address is known for its name" in unknown.out


def test_one_of_two_addresses_that_does_not_answer_is_named(
    site: LiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """The other one is checked, but the whole is not passed."""
    port = site.url.rpartition(":")[2]
    url = f"http://{HOST}:{port}{PAGE}"
    said = Said(capsys, url, "--address", "127.0.0.3", "--address", "127.0.0.1")
    assert said.code == 2
    assert f"{PAGE} could not be checked: there is no connection" in said.out
    assert "over 127.0.0.3" in said.out
    assert "over 127.0.0.1" not in said.out


@pytest.mark.parametrize(("scheme", "port"), [("http", 80), ("https", 443)])
@pytest.mark.parametrize("address", ["2001:db8::1", None])
def test_an_ipv6_address_is_read_as_a_whole(scheme: str, port: int, address: str | None) -> None:
    """Its last part is not taken for a port."""
    server = Server(f"{scheme}://[2001:db8::1]", address)
    connection = server.connection(1)
    assert (connection.host, connection.port) == ("2001:db8::1", port)
    assert server.host == "[2001:db8::1]"


def test_name_and_certificate_are_those_of_the_url(
    site: LiveSite,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Over an address that is given, and with no other certificate."""
    tls = trusted(HOST, tmp_path, monkeypatch)
    with tampering_proxy(site.url, nothing, tls) as proxy:
        right = Said(capsys, proxy.url("https", HOST) + PAGE, "--address", "127.0.0.1")
        other = Said(capsys, proxy.url("https", "other.example") + PAGE, "--address", "127.0.0.1")
        monkeypatch.delenv("SSL_CERT_FILE")
        untrusted = Said(capsys, proxy.url("https", HOST) + PAGE, "--address", "127.0.0.1")
    assert right.code == 0
    assert {exchange.asked["host"] for exchange in proxy.asked} == {f"{HOST}:{proxy.port}"}
    assert (other.code, untrusted.code) == (2, 2)
    assert "its certificate is not accepted (Hostname mismatch" in other.out
    assert "its certificate is not accepted (self-signed certificate)" in untrusted.out


@pytest.mark.deep
def test_another_version_is_said_plainly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A real site whose style has one more rule: the version is named, and what to do."""
    changed = tmp_path / "installed"
    shutil.copytree(PACKAGE, changed / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(sdk_folder(), changed / PACKAGE.name / "static" / "sdk", dirs_exist_ok=True)
    with (changed / PACKAGE.name / "static" / "form" / "form.css").open("a") as style:
        style.write("p { margin: 1px; }\n")
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(PUBLISHED)
    paths = os.pathsep.join([str(changed), *filter(None, [os.environ.get("PYTHONPATH")])])
    with served(
        tmp_path / "store.sqlite", tmp_path, environment={"PYTHONPATH": paths}, is_forked=False
    ) as other:
        said = Said(capsys, other.url + PAGE)
    assert said.code == 1
    assert "Another version of deniable made this form: it names v-" in said.out
    assert f"and this version is v-{static_files().version}. Ask who runs" in said.out
    assert "form/form.css differs: its bytes differ from position" in said.out
    assert "base.css" not in said.out, "what both versions have in common is the same"
    assert "Not everybody" not in said.out


def test_each_client_sends_what_it_would_send(
    site: LiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """Languages, codings, a referrer and a cookie differ, and no header names this command."""
    with tampering_proxy(site.url, nothing) as proxy:
        assert Said(capsys, proxy.url() + PAGE).code == 0
    pages = [each for each in proxy.asked if each.path == PAGE][-len(VISITORS) :]
    assert len({str(each.asked) for each in pages}) == len(VISITORS)
    for name, count in (("accept-language", 5), ("user-agent", 5), ("accept-encoding", 3)):
        assert len({each.asked[name] for each in pages if name in each.asked}) == count, name
    assert [each.asked["referer"] for each in pages if "referer" in each.asked] == [
        "https://www.google.com/"
    ]
    (curl,) = [each for each in pages if each.agent.startswith("curl")]
    assert set(curl.asked) == {"host", "user-agent", "accept"}
    for each in proxy.asked:
        assert "deniable" not in str(each.asked)
        assert "python" not in str(each.asked).lower()
        if "sec-fetch-dest" in each.asked and each.path.startswith("/api/"):
            assert each.asked["accept-language"] == "*"
            assert "cookie" not in each.asked


@pytest.mark.deep
def test_a_terminal_sees_each_check_as_it_is_done(site: LiveSite) -> None:
    """On standard error, so that the result alone can be kept."""
    ours, theirs = pty.openpty()
    with closing(os.fdopen(ours, "rb", buffering=0)) as terminal:
        command = [sys.executable, "-m", "deniable_web", "verify", site.url + PAGE]
        ran = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=theirs, timeout=120, check=True
        )
        os.close(theirs)
        seen = b""
        while not seen.endswith(b"(curl)\r\n") or seen.count(b"\r\n") < 7 * len(VISITORS):
            seen += terminal.read(1 << 16)
    lines = seen.decode().splitlines()
    assert lines[0] == f"same      {PAGE} (Chrome on Windows)"
    assert len(lines) == 7 * len(VISITORS)
    assert len(ran.stdout.splitlines()) == 5


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["ftp://survey.example.org/s/x"], "allowed is the address of a form"),
        (["https://survey.example.org/s/x#code=AAAA-BBBB"], "without what follows ? or #"),
        (["https://survey.example.org/s/x", "--collector", "nowhere"], "--collector: got"),
        (["https://survey.example.org/s/x", "--address", "localhost"], "an IP address like"),
        (["https://survey.example.org/s/x", "--digest", "abc"], "64 hexadecimal digits"),
        (["https://survey.example.org/s/x", "--timeout", "0"], "--timeout"),
        (["https://survey.example.org/s/x", "--survey", "nowhere.json"], "does not exist"),
        (["https://survey.example.org/s/x", "--survey", "broken.json"], "not a published survey"),
        (
            ["https://survey.example.org/s/x", "--survey", "s.json", "--digest", "0" * 64],
            f"the file has another digest, {PUBLISHED.digest}",
        ),
    ],
    ids=[
        "scheme",
        "code",
        "collector",
        "address",
        "digest",
        "timeout",
        "no-file",
        "broken",
        "other",
    ],
)
def test_wrong_usage_is_explained(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    reason: str,
) -> None:
    """With exit code 2, as nothing was checked; a code in a link is not repeated."""
    monkeypatch.chdir(tmp_path)
    Path("broken.json").write_text("{}")
    Path("s.json").write_bytes(PUBLISHED.document)
    said = Said(capsys, *arguments)
    assert (said.code, said.out) == (2, "")
    assert reason in " ".join(said.err.split())
    assert "AAAA" not in said.err
