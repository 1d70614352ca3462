"""A Flask endpoint that only parses JSON, under one of several servers.

`with parsing_server("deniable") as url:` gives its address; run as a script,
this file is that process.
"""

import http.client
import json
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from importlib import import_module
from typing import Any

from flask import Flask, Response, request

from deniable_collector.serving import serve

START_TIMEOUT_S = 60
WORKERS = 1
THREADS = 32


def parsing_app() -> Flask:
    """An application that reads a report, keeps nothing, and answers 201."""
    app = Flask("parsing")

    @app.post("/api/reports")
    def parse() -> Response:
        report = json.loads(request.get_data(cache=False))
        body = json.dumps({"status": 201, "report": report["report"]})
        return Response(body, status=201, content_type="application/json")

    return app


@contextmanager
def parsing_server(server: str, workers: int = WORKERS) -> Iterator[str]:
    """The URL of the endpoint on a free port, ended when the block is left."""
    command = [sys.executable, __file__, server, str(workers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            ready, _, _ = select.select([process.stdout], [], [], START_TIMEOUT_S)
            url = process.stdout.readline().decode().strip() if ready else ""
            assert url.startswith("http://"), f"{server} did not start"
            _wait_until_answering(url)
            yield url
        finally:
            process.terminate()
            process.wait(START_TIMEOUT_S)


def installed() -> list[str]:
    """The servers of this file that are there; ours is."""
    return [name for name in _SERVERS if _is_installed(name)]


def _is_installed(name: str) -> bool:
    try:
        import_module({"deniable": "granian"}.get(name, name))
    except ImportError:
        return False
    return True


def _wait_until_answering(url: str) -> None:
    """Come back once a request is answered; some servers tell their address early."""
    while True:
        try:
            with closing(http.client.HTTPConnection(url.removeprefix("http://"))) as connection:
                connection.request("GET", "/")
                connection.getresponse()
        except OSError:
            time.sleep(0.1)
        else:
            return


def _tell(url: str) -> None:
    print(url, flush=True)  # noqa: T201  how whoever started it learns it


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _deniable(workers: int) -> None:
    @contextmanager
    def open_app() -> Iterator[Flask]:
        yield parsing_app()

    serve(open_app, port=0, workers=workers, threads=THREADS, on_ready=_tell)


def _granian(workers: int) -> None:
    server: Any = import_module("granian").Granian
    port = _free_port()
    _tell(f"http://127.0.0.1:{port}")
    server(
        "parsing_server:parsing_app",
        port=port,
        interface="wsgi",
        workers=workers,
        blocking_threads=THREADS,
        factory=True,
        log_enabled=False,
    ).serve()


def _waitress(_workers: int) -> None:
    waitress: Any = import_module("waitress")
    port = _free_port()
    _tell(f"http://127.0.0.1:{port}")
    waitress.serve(parsing_app(), port=port, threads=THREADS, connection_limit=1_000)


def _gunicorn(workers: int) -> None:
    base: Any = import_module("gunicorn.app.base")
    port = _free_port()

    class Application(base.BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            options = {
                "bind": f"127.0.0.1:{port}",
                "workers": workers,
                "threads": THREADS,
                "worker_class": "gthread",
                "loglevel": "critical",
            }
            for name, value in options.items():
                self.cfg.set(name, value)

        def load(self) -> Flask:
            return parsing_app()

    _tell(f"http://127.0.0.1:{port}")
    Application().run()


_SERVERS: Mapping[str, Callable[[int], None]] = {
    "deniable": _deniable,
    "granian": _granian,
    "waitress": _waitress,
    "gunicorn": _gunicorn,
}


if __name__ == "__main__":
    _SERVERS[sys.argv[1]](int(sys.argv[2]))
