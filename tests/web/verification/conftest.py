"""A running site, and the command on it or on a proxy that changes it."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from deniable_collector.store import open_store
from deniable_web.commands import run
from served import Served, publish, served
from tampering_proxy import Tamper, tampering_proxy
from web.verification.verified import CLOSED, KINDS, PAGE, Verified


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The real command with two workers, a survey of every kind, and a closed one."""
    folder = tmp_path_factory.mktemp("site")
    publish(folder / "store.sqlite", *KINDS.values(), CLOSED)
    with closing(open_store(folder / "store.sqlite")) as store:
        store.close_survey(CLOSED.slug)
    with served(folder / "store.sqlite", folder, workers=2) as running:
        yield running


@pytest.fixture
def verified(capsys: pytest.CaptureFixture[str]) -> Callable[..., Verified]:
    """Runs the command with --format json."""

    def verify(*arguments: str) -> Verified:
        code = run(["verify", "--format", "json", *arguments])
        captured = capsys.readouterr()
        assert captured.err == "", "nothing is said where nobody looks"
        return Verified(code, json.loads(captured.out))

    return verify


@pytest.fixture
def tampered(site: Served, verified: Callable[..., Verified]) -> Callable[..., Verified]:
    """Verifies a form behind a proxy that changes it."""

    def verify(tamper: Tamper, *options: str, path: str = PAGE, below: str = "") -> Verified:
        with tampering_proxy(site.url, tamper, below=below) as proxy:
            return verified(proxy.url() + below + path, "--timeout", "60", *options)

    return verify
