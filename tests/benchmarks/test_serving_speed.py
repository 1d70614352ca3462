"""How many requests a second servers read, all in one run: printed, never asserted."""

import pytest

from load_generator import load
from parsing_server import installed, parsing_server
from sample_definitions import choice, survey, yes_no

pytestmark = pytest.mark.bench

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
ROUNDS = 2


def test_servers_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """An endpoint of Flask that only parses a report, 64 connections, one process."""
    rates: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for server in installed():
            with parsing_server(server) as url:
                found = load(url, PUBLISHED, "singles", "--seconds", "5")
            rates.setdefault(server, []).append(found["rate"])
    best = {server: max(found) for server, found in rates.items()}
    lines = ["requests a second that a Flask endpoint parses, 1 process, 64 connections"]
    lines += [
        f"  {server:10} {rate:8,.0f}  {rate / best['deniable']:.2f} of ours"
        for server, rate in best.items()
    ]
    with capsys.disabled():
        print("\n" + "\n".join(lines))  # noqa: T201 - the result
    assert all(best.values())
