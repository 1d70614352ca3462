"""The nginx of docs/OPERATING.md on this machine, and requests to it over TLS."""

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

from free_ports import free_port

DOCS = Path(__file__).parents[2] / "docs"
MARK = "canary5309"


def fenced(page: str, language: str) -> list[str]:
    """The blocks of a language in a page of docs/."""
    return re.findall(rf"```{language}\n(.*?)\n```", (DOCS / page).read_text(), re.DOTALL)


@contextmanager
def nginx(folder: Path, *changes: tuple[str, str], before: str = "") -> Iterator[int]:
    """The page's server, with some texts replaced and others before it; the port of TLS."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, "this test needs nginx: run 'apt-get install nginx-light' as root"
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    files = ("-keyout", str(folder / "key.pem"), "-out", str(folder / "fullchain.pem"))
    kind = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    subprocess.run(["openssl", *kind, *names, *files], check=True, capture_output=True)
    port = free_port()
    server = fenced("OPERATING.md", "nginx")[0]
    for old, new in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("listen 80", f"listen 127.0.0.1:{free_port()}"),
        ("/etc/letsencrypt/live/survey.example.org/privkey", f"{folder}/key"),
        ("/etc/letsencrypt/live/survey.example.org", str(folder)),
        ("survey.example.org", "localhost"),
        *changes,
    ):
        assert old in server
        server = server.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/temp-{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log {folder}/access.log;\n{places}{before}\n{server}\n}}\n"
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
                _let_others_go_on()
            yield port
        finally:
            process.terminate()
            process.wait(60)


def _let_others_go_on() -> None:
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
