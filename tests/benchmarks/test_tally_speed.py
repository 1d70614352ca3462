"""What keeping a tally costs: printed, never asserted.

Each measurement with a tally is beside one without, in the same run and in turns.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from statistics import median

import pytest

from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey, randomize
from live_server import live_collector
from load_generator import load
from sample_definitions import choice, multiple, survey, yes_no

pytestmark = pytest.mark.bench

TEN = [choice(f"q{place}", options=4) for place in range(10)]
SURVEYS: Mapping[str, PublishedSurvey] = {
    "2 blocks, sets of 14 of 31": survey(
        yes_no(), choice(options=30), ask="all", epsilon="0.5", slug="sets"
    ),
    "10 blocks, sets of 2 of 5": survey(*TEN, epsilon=5, ask="all", slug="ten"),
    "1 of 10 blocks, 5 options": survey(*TEN, epsilon=5, ask=1, slug="one-of-ten"),
    "1 block, a pair of 20 options": survey(multiple(options=20), epsilon=1, slug="pairs"),
}
TURNS = 4
DIFFERENT = 20_000
LINES = 100_000
SECONDS = ("--seconds", "6")
# So many rows in a commit, and how many commits are timed.
COMMITS = {1: 300, 40: 100, 5_000: 6}


def tell(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Print what was measured, past what captures it."""
    with capsys.disabled():
        print(text, flush=True)  # noqa: T201 - the result


def write_reports(path: Path, published: PublishedSurvey, count: int) -> None:
    """Reports of the most common length, a line each; values repeat, and ids do not."""
    drawn = [randomize(published, {}).to_bytes() for _ in range(DIFFERENT)]
    (length, _), *_ = Counter(map(len, drawn)).most_common()
    same = [body for body in drawn if len(body) == length]
    at = same[0].index(b'"report":"') + len(b'"report":"')
    places = {body.index(b'"report":"') + len(b'"report":"') for body in same}
    assert places == {at}
    ids = os.urandom(16 * count).hex().encode()
    with path.open("wb") as file:
        for number in range(count):
            body = same[number % len(same)]
            file.write(body[:at] + ids[32 * number : 32 * number + 32] + body[at + 32 :] + b"\n")


def rates_over_http(
    place: Callable[[str], str], folder: Path, kind: str, published: PublishedSurvey
) -> dict[str, list[tuple[float, float]]]:
    """Reports a second, and a processor's second, with a tally and without, in turns."""
    rates: dict[str, list[tuple[float, float]]] = {"--with": [], "--without-tally": []}
    written = folder / "reports.ndjson"
    count = LINES if kind == "lines" else 120_000
    options = ("--count", str(LINES)) if kind == "lines" else SECONDS
    write_reports(written, published, count)
    for turn in range(TURNS):
        for option, found in list(rates.items())[:: 1 if turn % 2 else -1]:
            name = f"{kind}{turn}{option}"
            path, location = folder / name, place(name)
            chosen = [option] if option == "--without-tally" else []
            with live_collector(
                path, "--location", location, "--threads", "32", *chosen
            ) as collector:
                assert collector.owner("POST", "/api/surveys", published.document).status == 201
                before = collector.worked_s()
                sent = load(collector.url, published, kind, *options, "--written", str(written))
                worked = collector.worked_s() - before
                assert not sent["refused"]
            with closing(open_store(location)) as store:
                (stored,) = store.list_surveys()
                recounted = store.recount(stored)
                assert bool(recounted.differing) == bool(chosen)
            found.append((sent["rate"], recounted.report_count / worked))
    return rates


@pytest.mark.parametrize("kind", ["singles", "lines"])
@pytest.mark.parametrize("label", list(SURVEYS)[:2])
def test_intake_over_http(
    place: Callable[[str], str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    label: str,
    kind: str,
) -> None:
    """Durable reports with many different values, one a request or as lines of one body."""
    kept, bare = rates_over_http(place, tmp_path, kind, SURVEYS[label]).values()
    engine = "PostgreSQL" if place("").startswith("postgresql:") else "SQLite"
    tell(capsys, f"\n{engine}, {kind}, {label}, with a tally and without")
    for index, unit in enumerate(("second", "processor's second")):
        ours, theirs = [rate[index] for rate in kept], [rate[index] for rate in bare]
        ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
        tell(
            capsys,
            f"  {median(ours):9,.0f} {median(theirs):9,.0f} a {unit}: {median(ratios):.2f} "
            f"({min(ratios):.2f} to {max(ratios):.2f})",
        )


# Seconds of each commit of rows that are new, with values that differ.
STORE = """
import json, os, sys, time
from contextlib import closing
from pathlib import Path
sys.path[:0] = json.loads(sys.argv[5])
from without_tally import store_without_tally
from deniable_collector.store import open_store
from deniable_collector.intake.reading import SurveyReader
from deniable_sdk import PublishedSurvey, randomize
location, size, commits, option = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
published = PublishedSurvey.from_bytes(sys.stdin.buffer.read())
reader = SurveyReader(published)
some = [reader.read_known_form(randomize(published, {}).to_bytes())[1:] for _ in range(5_000)]
if option == "without":
    store_without_tally()
took = []
with closing(open_store(location)) as store:
    store.publish(published)
    for commit in range(commits):
        rows = [(os.urandom(16), *some[(commit + n) % len(some)]) for n in range(size)]
        begin = time.perf_counter()
        store.add_rows({published.digest: rows})
        took.append(time.perf_counter() - begin)
print(json.dumps(took))
"""


def seconds_of_commits(
    location: str, published: PublishedSurvey, size: int, option: str
) -> list[float]:
    """How long each commit took, in a process of its own."""
    paths = json.dumps([path for path in sys.path if path])
    arguments = (location, str(size), str(COMMITS[size]), option, paths)
    ran = subprocess.run(
        [sys.executable, "-c", STORE, *arguments],
        input=published.document,
        check=True,
        capture_output=True,
    )
    found: list[float] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("label", SURVEYS)
def test_commits(
    place: Callable[[str], str], capsys: pytest.CaptureFixture[str], label: str
) -> None:
    """Commits alone, without reading reports: what a tally adds to each."""
    engine = "PostgreSQL" if place("").startswith("postgresql:") else "SQLite"
    for size in COMMITS:
        took: dict[str, list[float]] = {"with": [], "without": []}
        for turn in range(TURNS):
            for option in list(took)[:: 1 if turn % 2 else -1]:
                location = place(f"{size}{turn}{option}")
                took[option] += seconds_of_commits(location, SURVEYS[label], size, option)
        kept, bare = (1_000 * median(found) for found in took.values())
        tell(
            capsys,
            f"{engine}, {label}, {size:5,} rows a commit: {kept:7.2f} ms with a tally, "
            f"{bare:7.2f} without; {bare / kept:.2f}",
        )
