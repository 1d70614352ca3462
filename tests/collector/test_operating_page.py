"""docs/OPERATING.md: its examples start, and everything it names exists."""

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deniable_collector.metrics import OUTCOMES, Metrics
from deniable_sdk import randomize
from live_server import OWNER_TOKEN, LiveCollector, live_collector
from sample_definitions import survey, yes_no

PAGE = (Path(__file__).parents[2] / "docs" / "OPERATING.md").read_text()
PUBLISHED = survey(yes_no(), slug="behind")
MARK = "canary5309"


def fenced(language: str) -> list[str]:
    """The blocks of a language in the page."""
    return re.findall(rf"```{language}\n(.*?)\n```", PAGE, re.DOTALL)


def test_every_series_to_watch_is_counted() -> None:
    """The names in the table of alerts are the collector's."""
    text = Metrics().to_text().decode()
    names = set(re.findall(r"`(deniable_\w+)", PAGE))
    outcomes = set(re.findall(r'outcome="(\w+)"', PAGE))
    assert len(names) >= 3
    assert outcomes
    assert [name for name in names if f"\n# TYPE {name} " not in f"\n{text}"] == []
    assert outcomes <= set(OUTCOMES)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_the_units_are_such_that_systemd_takes(tmp_path: Path) -> None:
    """No key is unknown and no value wrong, of the service and of the socket that it requires."""
    service, kept = (tmp_path / f"deniable.{kind}" for kind in ("service", "socket"))
    program = Path(sys.executable).parent / "deniable"
    for unit, text in zip((service, kept), fenced("ini"), strict=True):
        here = text.replace("/opt/deniable/bin/deniable", str(program))
        unit.write_text(here.replace("After=", "Requires=deniable.socket\nAfter=", 1))
    found = subprocess.run(
        ["systemd-analyze", "verify", str(service), str(kept)],
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in found.stderr.splitlines() if "deniable." in line]
    assert (found.returncode, said) == (0, [])


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


@contextmanager
def nginx(folder: Path, collector: LiveCollector) -> Iterator[int]:
    """The page's server in front of a collector; the port that it listens on."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, "this test needs nginx: run 'apt-get install nginx-light' as root"
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    files = ("-keyout", str(folder / "key.pem"), "-out", str(folder / "fullchain.pem"))
    kind = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    subprocess.run(["openssl", *kind, *names, *files], check=True, capture_output=True)
    port = free_port()
    server = (
        fenced("nginx")[0]
        .replace("listen 443", f"listen 127.0.0.1:{port}")
        .replace("survey.example.org", "localhost")
        .replace("/etc/ssl/deniable", str(folder))
        .replace("127.0.0.1:8000", "{}:{}".format(*collector.address))
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/temp-{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log {folder}/access.log;\n{places}{server}\n}}\n"
    )
    with subprocess.Popen(
        [program, "-c", str(folder / "nginx.conf"), "-p", str(folder)]
    ) as process:
        try:
            for _ in range(600):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None, (folder / "error.log").read_text()
                select_briefly()
            yield port
        finally:
            process.terminate()
            process.wait(60)


def select_briefly() -> None:
    """Let other processes go on."""
    subprocess.run([sys.executable, "-c", ""], check=True)


def ask(
    folder: Path, port: int, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, bytes]:
    """Status and body of an answer over TLS, with the certificate checked."""
    trusted = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(
        f"https://localhost:{port}{path}",
        body,
        {"Content-Type": "application/json", "User-Agent": MARK, "Referer": MARK, **sent},
    )
    try:
        with urllib.request.urlopen(request, context=trusted, timeout=60) as answer:  # noqa: S310  our own address
            return int(answer.status), bytes(answer.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read()


@pytest.mark.deep
def test_the_proxy_of_the_page_passes_on_what_it_should(tmp_path: Path) -> None:
    """Reports go through over TLS, senders are told apart, and no file says who asked."""
    environment = {"DENIABLE_PROXIES": "1", "DENIABLE_RATE_LIMIT": "12"}
    with (
        live_collector(tmp_path / "store.sqlite", environment=environment) as collector,
        nginx(tmp_path, collector) as port,
    ):
        owner = {"Authorization": f"Bearer {OWNER_TOKEN}"}
        assert ask(tmp_path, port, "/api/surveys", PUBLISHED.document, **owner)[0] == 201
        report = randomize(PUBLISHED, {}).to_bytes()
        assert ask(tmp_path, port, f"/api/reports?{MARK}", report, Cookie=MARK)[0] == 201
        assert ask(tmp_path, port, "/api/reports", report)[0] == 200
        long = json.dumps(["x" * (4 << 20)]).encode()
        status, refused = ask(tmp_path, port, "/api/reports", long)
        assert (status, b"body-too-large" in refused) == (413, True)
        assert ask(tmp_path, port, "/api/reports", b"x" * (6 << 20))[0] == 413
        assert ask(tmp_path, port, "/metrics")[0] == 404
        assert ask(tmp_path, port, "/healthz")[0] == 200
        # An address that a sender makes up does not help.
        found = [
            ask(tmp_path, port, "/api/surveys/behind", X_Forwarded_For=f"203.0.113.{index}")[0]
            for index in range(20)
        ]
        assert found[0] == 200
        assert found[-1] == 429
        assert collector.stop() == 0
    assert not list(tmp_path.glob("temp-*/*"))
    for file in (tmp_path / "access.log", tmp_path / "error.log", collector.log):
        assert file.read_text() == ""
