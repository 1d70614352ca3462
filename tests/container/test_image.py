"""The installation of compose.yaml runs: image, PostgreSQL and Caddy, as the file sets them."""

import shutil
import sqlite3
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path

import psycopg
import pytest
import yaml

from caddy_server import HOST, caddy
from container.debian import needs
from container.image import PROGRAMS, ROOT, USER, Image, build, stop
from free_ports import free_port
from load import JSON_TYPE, Load
from postgres_server import program
from sample_definitions import survey, yes_no

PUBLISHED = survey(yes_no(), yes_no("smoker"), ask="all", slug="contained")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
RESTARTS = 2
ENOUGH = 60

pytestmark = needs(*PROGRAMS, packages="buildah mmdebstrap bubblewrap")


@pytest.fixture(scope="module")
def image(folder: Path) -> Image:
    """The image of Containerfile."""
    return build(folder)


@pytest.fixture(scope="module")
def database(folder: Path) -> Iterator[Path]:
    """The folder with the socket of a server with the settings of compose.yaml."""
    data, sockets, rules = folder / "data", folder / "sockets", folder / "pg_hba.conf"
    for path, mode in ((data, 0o700), (sockets, 0o1777)):
        path.mkdir()
        shutil.chown(path, "postgres")
        path.chmod(mode)
    shutil.copy(ROOT / "container" / "pg_hba.conf", rules)
    as_postgres = ("runuser", "-u", "postgres", "--")
    options = COMPOSE["services"]["database"]["environment"]["POSTGRES_INITDB_ARGS"].split()
    subprocess.run(
        [*as_postgres, program("initdb"), "-A", "trust", *options, str(data)],
        check=True,
        capture_output=True,
        cwd="/",
    )
    settings = [
        word.replace("/var/run/postgresql", str(sockets)).replace(
            "/etc/deniable/pg_hba.conf", str(rules)
        )
        for word in COMPOSE["services"]["database"]["command"][1:]
    ]
    with (folder / "database.log").open("w") as log:
        server = subprocess.Popen(
            [*as_postgres, program("postgres"), "-D", str(data), *settings],
            stderr=log,
            stdout=log,
            cwd="/",
        )
    try:
        wait = (program("pg_isready"), "-h", str(sockets), "-U", "deniable", "-t", "60")
        while subprocess.run(wait, capture_output=True, check=False).returncode:
            assert server.poll() is None, (folder / "database.log").read_text()
        statements = (ROOT / "container" / "create.sql").read_text()
        subprocess.run(
            [*as_postgres, program("psql"), "-h", str(sockets), "-v", "ON_ERROR_STOP=1"],
            input=statements,
            text=True,
            check=True,
            capture_output=True,
            cwd="/",
        )
        yield sockets
    finally:
        server.terminate()
        server.wait(60)


class ThroughProxy(HTTPSConnection):
    """A connection that fails if the proxy lost the collector: a device then sends again."""

    def getresponse(self) -> HTTPResponse:
        """The response, unless it is the proxy's own."""
        response = super().getresponse()
        if response.status == HTTPStatus.BAD_GATEWAY:
            response.read()
            raise ConnectionResetError
        return response


def test_a_restart_of_the_container_loses_nothing(
    image: Image, database: Path, folder: Path
) -> None:
    """Under load over TLS, each report that was acknowledged is in the database, once."""
    workplace = folder / "workplace"
    workplace.mkdir(mode=0o700)
    shutil.chown(workplace, int(USER), int(USER))
    port = free_port()
    mounted = {workplace: "/var/lib/deniable-workplace", database: "/run/postgresql"}
    url = COMPOSE["services"]["collector"]["environment"]["DENIABLE_STORE"]
    own = {"DENIABLE_STORE": url, "DENIABLE_PORT": str(port), "DENIABLE_PROXIES": "1"}

    def container(*command: str) -> subprocess.Popen[str]:
        return image.start(*command, volumes=mounted, environment=own)

    made = container("deniable", "token", "make", "owner", "anna")
    token, said = made.communicate(timeout=120)
    assert made.returncode == 0, said
    refused = container("python3", "-c", "open('/opt/deniable/a', 'w')")
    assert "Read-only file system" in refused.communicate(timeout=60)[1]
    with caddy(folder, f"127.0.0.1:{port}") as tls_port:
        context = ssl.create_default_context(cafile=str(folder / "authority.crt"))

        def connect() -> ThroughProxy:
            return ThroughProxy(HOST, tls_port, timeout=60, context=context)

        def ask(method: str, path: str, body: bytes | None = None) -> tuple[int, bool]:
            headers = {"Authorization": f"Bearer {token.strip()}", "Content-Type": JSON_TYPE}
            with closing(connect()) as connection:
                connection.request(method, path, body, headers)
                response = connection.getresponse()
                response.read()
                return response.status, "Strict-Transport-Security" in response.headers

        running = container("deniable", "serve")
        assert ask("POST", "/api/surveys", PUBLISHED.document) == (201, True)
        healthy = container(*image.health_check)
        healthy.communicate(timeout=60)
        assert healthy.returncode == 0
        with Load(connect, PUBLISHED, seed="container") as load:
            for _ in range(RESTARTS):
                load.wait_for_more(ENOUGH)
                status, said = stop(running)
                assert (status, "stopped" in said) == (0, True)
                running = container("deniable", "serve")
            load.wait_for_more(ENOUGH)
        # Also with an owner's token.
        assert ask("GET", "/metrics")[0] == 404
        assert stop(running)[0] == 0
    assert load.statuses.keys() <= {200, 201, 503}
    assert [path.name for path in workplace.iterdir()] == ["workplace.sqlite"]
    with closing(sqlite3.connect(workplace / "workplace.sqlite")) as kept_apart:
        acts = kept_apart.execute("SELECT what FROM trail ORDER BY number").fetchall()
    assert acts == [("token made",), ("published",)]
    with psycopg.connect(f"postgresql://deniable@/deniable?host={database}") as stored:
        table = stored.execute("SELECT reports_table FROM surveys").fetchone()
        assert table
        rows = stored.execute(f'SELECT _report FROM "{table[0]}"'.encode()).fetchall()  # noqa: S608
    kept = [row[0].hex for row in rows]
    assert len(kept) == len(set(kept))
    assert load.durable <= set(kept)
    # Neither names whoever came, also not where a request failed.
    for log in ("caddy.log", "database.log"):
        assert "127.0.0.1" not in (folder / log).read_text()
