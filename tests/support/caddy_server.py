"""The Caddy of compose.yaml on this machine, with certificates of its own."""

import os
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from free_ports import free_port

ROOT = Path(__file__).parents[2]
HOST = "localhost"
# `make deep` installs it beside Python, where no PATH needs to lead.
PROGRAM = shutil.which("caddy", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")


@contextmanager
def caddy(folder: Path, upstream: str) -> Iterator[int]:
    """The proxy of compose.yaml on free ports; the port of TLS.

    The certificate of its authority is `folder / "authority.crt"`.
    """
    port = free_port()
    text = (ROOT / "container" / "Caddyfile").read_text()
    own = f"\thttp_port {free_port()}\n\thttps_port {port}\n\tskip_install_trust\n"
    assert text.startswith("{\n")
    (folder / "Caddyfile").write_text("{\n" + own + text.removeprefix("{\n"))
    environment = {
        **os.environ,
        "DENIABLE_DOMAIN": HOST,
        "DENIABLE_UPSTREAM": upstream,
        "XDG_DATA_HOME": str(folder / "certificates"),
    }
    settings = ("--config", str(folder / "Caddyfile"), "--adapter", "caddyfile")
    with (folder / "caddy.log").open("w") as log:
        process = subprocess.Popen(
            [str(PROGRAM), "run", *settings], env=environment, stderr=log, stdout=log
        )
    try:
        authority = folder / "certificates" / "caddy" / "pki" / "authorities" / "local"
        while not ((authority / "root.crt").exists() and _is_ready(port)):
            assert process.poll() is None, (folder / "caddy.log").read_text()
        shutil.copy(authority / "root.crt", folder / "authority.crt")
        yield port
    finally:
        process.terminate()
        process.wait(60)


def _is_ready(port: int) -> bool:
    """Whether the proxy has its certificate."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with socket.create_connection(("127.0.0.1", port)) as plain:
            context.wrap_socket(plain, server_hostname=HOST).close()
    except OSError:
        return False
    return True
