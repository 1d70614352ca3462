"""docs/SDK_PYTHON.md says what is true, and its examples run."""

import logging
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import deniable_sdk
from deniable_collector.store import open_store
from deniable_sdk import Client
from deniable_sdk.client import errors
from doc_pages import DOCS
from free_ports import free_port
from live_issuer import Prepared, live_issuer, prepare
from live_server import LiveCollector, live_collector
from sample_definitions import scale, survey

PAGE = (DOCS / "SDK_PYTHON.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COLLECTOR = "https://surveys.example.org"


@pytest.fixture(scope="module")
def invited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared]:
    """A survey by invitation whose issuer runs."""
    path, port = tmp_path_factory.mktemp("issuer") / "issuer.sqlite", free_port()
    prepared = prepare(path, issuer=f"http://127.0.0.1:{port}", epsilon=1)
    with live_issuer(prepared, port=port):
        yield prepared


@pytest.fixture(scope="module")
def collector(
    tmp_path_factory: pytest.TempPathFactory, invited: Prepared
) -> Iterator[LiveCollector]:
    """A real collector with the surveys of the page."""
    store: Path = tmp_path_factory.mktemp("page") / "store.sqlite"
    with closing(open_store(store)) as opened:
        for slug in ("stress", "sleep"):
            opened.publish(survey(scale(), slug=slug, epsilon=1))
        opened.publish(invited.survey)
    with live_collector(store) as running:
        yield running


def test_every_example_runs(
    collector: LiveCollector,
    invited: Prepared,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The page's code runs from top to bottom, on a real collector."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    names: dict[str, Any] = {"ask": lambda question: question.names[0], "agrees": bool}
    names["code"] = invited.codes("nurses")[0]
    level = logging.getLogger("deniable_sdk").level
    assert len(BLOCKS) >= 7
    assert sum("spent.words" in block for block in BLOCKS) == 1
    try:
        for block in BLOCKS:
            exec(compile(block.replace(COLLECTOR, collector.url), "page", "exec"), names)  # noqa: S102
            if "spent.words" in block:
                told = capsys.readouterr().out
                assert told.splitlines()[1] in " ".join(PAGE.split())
            if "client" in names and names["client"]._ended is None:
                names["client"].flush()
    finally:
        logging.getLogger("deniable_sdk").setLevel(level)
        names["client"].shut_down()


def test_the_page_names_everything_there_is() -> None:
    """Every public call of a client, and every error of the tree, is in the page."""
    calls = [name for name in vars(Client) if not name.startswith("_")]
    for name in calls:
        assert f"client.{name}" in PAGE, name
    tree = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    assert len(tree) >= 10
    for name in tree:
        assert f"`{name}`" in PAGE, name
    assert set(tree) - {"StorageBusy", "StorageDamaged"} <= set(deniable_sdk.__all__)
