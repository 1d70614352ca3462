"""What tokens cost a collector, against reports without tokens: printed, never asserted.

Both kinds are sent in the same run, one after the other and again.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean, median
from time import thread_time

import pytest

from deniable_collector.intake.reading import SurveyReader
from deniable_collector.intake.signatures import check_of
from deniable_sdk import PublishedSurvey, randomize
from deniable_sdk.survey.invited import input_of
from deniable_sdk.tokens import verify
from invitations import InvitedSurvey, invited_survey
from live_server import live_collector
from load_generator import load
from sample_definitions import choice, survey, yes_no

pytestmark = pytest.mark.bench

OPEN = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5", slug="open")
INVITED = invited_survey(yes_no(), choice(options=30), ask="all", epsilon="0.5", slug="invited")
TOKENS = 36_000
SECONDS = ("--seconds", "5")
TURNS = 2
CHECKED = 1_000


def bodies(invited: InvitedSurvey, count: int) -> Iterator[bytes]:
    """Reports with the same answers, each on a token of its own."""
    answers = invited.report().values
    for _ in range(count):
        yield invited.report().replace(values=answers).to_bytes()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of reports with tokens; signing them takes longer than checking them."""
    path = tmp_path_factory.mktemp("tokens") / "reports"
    path.write_bytes(b"\n".join(bodies(INVITED, TOKENS)) + b"\n")
    return path


def measure(
    path: Path, published: PublishedSurvey, kind: str, *options: str
) -> tuple[float, float]:
    """Reports a second, and a second of the collector's processor; all must be stored."""
    with live_collector(path, "--threads", "32") as collector:
        assert collector.owner("POST", "/api/surveys", published.document).status == 201
        used = collector.worked_s()
        found = load(collector.url, published, kind, *options)
        worked_s = collector.worked_s() - used
        metrics = collector.send("GET", "/metrics").body.decode()
    assert not found["refused"]
    (line,) = (each for each in metrics.splitlines() if 'outcome="stored"' in each)
    return found["rate"], float(line.rpartition(" ")[2]) / worked_s


@pytest.mark.parametrize("kind", ["singles", "lines"])
def test_durable_reports_with_tokens(
    kind: str, written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Over HTTP and into SQLite, alone or as lines of one body."""
    options = SECONDS if kind == "singles" else ("--count", str(TOKENS))
    plain, with_tokens = [], []
    for turn in range(TURNS):
        plain.append(measure(tmp_path / f"plain-{turn}.sqlite", OPEN, kind, *options))
        with_tokens.append(
            measure(
                tmp_path / f"tokens-{turn}.sqlite",
                INVITED.published,
                kind,
                *(*options, "--written", str(written)),
            )
        )
    rates = [fmean(rate for rate, _ in found) for found in (plain, with_tokens)]
    worked = [fmean(each for _, each in found) for found in (plain, with_tokens)]
    with capsys.disabled():
        print(  # noqa: T201 - the result
            f"\n{kind} into SQLite, a load generator beside them"
            f"\n  without tokens: {rates[0]:,.0f} a second, {worked[0]:,.0f} a processor's second"
            f"\n  with tokens: {rates[1]:,.0f} a second, {worked[1]:,.0f} a processor's second"
            f"\n  ratio {rates[1] / rates[0]:.2f}, of processors {worked[1] / worked[0]:.2f}",
            flush=True,
        )


def each_us(work: Callable[[], object]) -> float:
    """Microseconds of this thread's processor for one of CHECKED."""
    began = thread_time()
    work()
    return (thread_time() - began) / CHECKED * 1e6


def test_what_reading_takes(capsys: pytest.CaptureFixture[str]) -> None:
    """A line with and without a token, and the check of a signature in both ways."""
    plain, invited = SurveyReader(OPEN), SurveyReader(INVITED.published)
    lines = [randomize(OPEN, {}).to_bytes() for _ in range(CHECKED)]
    group = INVITED.group("nurses")
    tokens = [INVITED.token() for _ in range(CHECKED)]
    reports = [INVITED.report(token).to_bytes() for token in tokens]
    signed = [
        (input_of(INVITED.published.digest, group, token.nonce), token.signature)
        for token in tokens
    ]
    fast = check_of(group.modulus)
    works: dict[str, Callable[[], object]] = {
        "a line without a token": lambda: [plain.read_known_form(line) for line in lines],
        "a line with a token": lambda: [invited.read_known_form(line) for line in reports],
        "a signature with cryptography": lambda: [fast(*each) for each in signed],
        "a signature with the SDK": lambda: [verify(group.key, *each) for each in signed],
    }
    took = {name: median(each_us(work) for _ in range(5)) for name, work in works.items()}
    with capsys.disabled():
        print(  # noqa: T201 - the result
            "\n" + "\n".join(f"reading {name}: {us:.1f} µs" for name, us in took.items())
        )
