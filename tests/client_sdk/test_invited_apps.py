"""Apps in both languages for invited people, at a real issuer and a real collector."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from free_ports import free_port
from live_issuer import AFTER, BEFORE, LiveIssuer, Prepared, live_issuer, prepare
from live_server import LiveCollector, live_collector
from served import publish, rows_by_id

HERE = Path(__file__).parent
PROGRAMS = {
    "python": (sys.executable, "-W", "error", str(HERE / "python/client/invited_app.py")),
    "javascript": ("node", str(HERE / "javascript/client/invited_app.js")),
}
DAY_S = 86_400


class Place(NamedTuple):
    """An issuer and a collector, and a survey with codes."""

    prepared: Prepared
    issuer: LiveIssuer
    collector: LiveCollector

    def app(self, language: str, folder: Path, now_s: float, *does: object) -> str:
        """What the app prints when it does one thing on the device of a folder."""
        folder.mkdir(exist_ok=True)
        arguments = (self.collector.url, folder, now_s, *does)
        command = [*PROGRAMS[language], *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Both servers, while the tokens can be collected."""
    port = free_port()
    store = tmp_path / "collector.sqlite"
    prepared = prepare(tmp_path / "issuer.sqlite", issuer=f"http://127.0.0.1:{port}")
    publish(store, prepared.survey)
    with live_issuer(prepared, port=port) as issuer, live_collector(store) as collector:
        yield Place(prepared, issuer, collector)


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_person_of_a_small_crowd_is_asked_and_then_waits(
    place: Place, language: str, tmp_path: Path
) -> None:
    """Each step is a process of its own: what was collected, and when to send, is on disk."""
    device, now_s = tmp_path / "device", AFTER.timestamp()
    code, other = place.prepared.codes("nurses")[:2]
    assert place.app(language, device, BEFORE.timestamp(), "collect", code) == "nurses"
    place.issuer.collect(place.prepared.survey, other)
    place.issuer.collect(place.prepared.survey, place.prepared.codes("doctors")[0])
    place.issuer.set_clock(AFTER)
    assert place.app(language, device, now_s, "submit") == "few 2 2 0"
    assert place.app(language, device, now_s, "submit", 3) == "few 2 2 0"
    assert place.app(language, device, now_s, "submit", 2) == "waiting"
    assert place.app(language, device, now_s + DAY_S, "flush") == "sent"
    assert len(rows_by_id(place.collector.store, place.prepared.survey)) == 1


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_code_for_another_site_is_not_used_up(language: str, tmp_path: Path) -> None:
    """The device refuses before the issuer signs, so the code is good at its own site."""
    port, now_s = free_port(), BEFORE.timestamp()
    sites = {"nurses": "north", "doctors": "south"}
    prepared = prepare(tmp_path / "issuer.sqlite", issuer=f"http://127.0.0.1:{port}", sites=sites)
    publish(tmp_path / "collector.sqlite", prepared.survey)
    code = prepared.codes("nurses")[0]
    with (
        live_issuer(prepared, port=port) as issuer,
        live_collector(tmp_path / "collector.sqlite") as collector,
    ):
        place = Place(prepared, issuer, collector)
        assert (
            place.app(language, tmp_path / "a", now_s, "collect", code, "south") == "other north"
        )
        assert place.app(language, tmp_path / "b", now_s, "collect", code, "north") == "nurses"


@pytest.mark.parametrize("language", PROGRAMS)
def test_what_the_issuer_does_not_say_holds_nothing_up(
    place: Place, language: str, tmp_path: Path
) -> None:
    """Neither before the counts are public, nor while the issuer cannot be reached."""
    now_s = AFTER.timestamp()
    for name, code in zip(("first", "second"), place.prepared.codes("nurses"), strict=False):
        place.app(language, tmp_path / name, BEFORE.timestamp(), "collect", code)
    assert place.app(language, tmp_path / "first", now_s, "submit") == "waiting"
    place.issuer.kill()
    assert place.app(language, tmp_path / "second", now_s, "submit") == "waiting"
