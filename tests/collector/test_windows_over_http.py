"""Windows as devices and owners meet them: single reports, arrays and lines, and a clock."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from deniable_sdk import PublishedSurvey, Report, randomize
from live_server import ANALYST_TOKEN, Answer, LiveCollector, live_collector
from problem_checks import assert_members, assert_problem
from sample_definitions import survey, yes_no

NDJSON = "application/x-ndjson"
JSON = "application/json"
WINDOW = survey(
    yes_no(), slug="window", opens="2031-03-01T10:00+01:00", closes="2031-03-08T09:00Z"
)
LIMITED = survey(yes_no(), slug="limited", at_most_reports=3)


@dataclass(frozen=True)
class Timed:
    """A collector with a clock that a test sets."""

    collector: LiveCollector
    clock: Path

    def set(self, moment: str) -> None:
        """Make it this time, in UTC."""
        # A new file in place of the old one, so that nobody reads half a moment.
        new = self.clock.with_suffix(".new")
        new.write_text(f"{moment}+00:00")
        new.rename(self.clock)

    def send(self, report: Report) -> Answer:
        """The answer to one report."""
        return self.collector.send("POST", "/api/reports", report.to_bytes())

    def send_together(self, reports: Sequence[Report], media_type: str) -> Answer:
        """The answer to several reports in one body."""
        texts = [report.to_bytes() for report in reports]
        body = b"\n".join(texts) if media_type == NDJSON else b"[" + b",".join(texts) + b"]"
        return self.collector.send("POST", "/api/reports", body, {"Content-Type": media_type})

    def state(self, slug: str) -> tuple[bool, str]:
        """Whether a survey is closed, and the state that analysts are told."""
        answer = self.collector.send(
            "GET",
            f"/api/surveys/{slug}/editions",
            headers={"Authorization": f"Bearer {ANALYST_TOKEN}"},
        )
        (edition,) = answer.document["editions"]
        return edition["is_closed"], edition["state"]


@pytest.fixture(params=["sqlite", "postgres"])
def timed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Timed]:
    """A collector on a store of each kind, a week before its survey opens."""
    clock = tmp_path / "clock"
    clock.write_text("2031-02-22T09:00:00+00:00")
    options = ["--clock", str(clock)]
    if request.param == "postgres":
        options += ["--location", request.getfixturevalue("postgres_server").schema()]
    with live_collector(tmp_path / "store.sqlite", *options) as collector:
        for published in (WINDOW, LIMITED):
            assert collector.owner("POST", "/api/surveys", published.document).status == 201
        yield Timed(collector, clock)


def new(published: PublishedSurvey, count: int) -> list[Report]:
    """Reports of respondents who did not answer."""
    return [randomize(published, {}) for _ in range(count)]


def results(answer: Answer) -> list[int]:
    """The status of each report of a body, after checking the shape of refusals."""
    assert answer.status == 200
    members = answer.document["results"]
    for member in members:
        if member["status"] >= 400:
            shape = {key: value for key, value in member.items() if key not in ("index", "report")}
            assert_members(shape, shape["type"].rpartition(":")[2])
    return [member["status"] for member in members]


def test_before_it_opens_a_report_is_asked_to_wait(timed: Timed) -> None:
    """425 with the moment and the seconds until then, at most a day; nothing is stored."""
    (report,) = new(WINDOW, 1)
    for moment, wait_s in (
        ("2031-02-22T09:00:00", "86400"),
        ("2031-02-28T09:00:00", "86400"),
        ("2031-02-28T09:00:01", "86399"),
        ("2031-03-01T08:59:29.5", "31"),
        ("2031-03-01T08:59:59.999", "1"),
    ):
        timed.set(moment)
        answer = timed.send(report)
        detail = assert_problem(answer, "survey-not-open")
        assert "The survey opens at 2031-03-01T09:00Z and accepts no reports before" in detail
        assert answer.headers["retry-after"] == wait_s
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["access-control-expose-headers"] == "Retry-After"
    assert timed.state("window") == (False, "not_open")
    timed.set("2031-03-01T09:00:00")
    assert timed.send(report).status == 201
    assert timed.state("window") == (False, "open")


@pytest.mark.sweep
@pytest.mark.parametrize("media_type", [JSON, NDJSON])
def test_reports_that_come_together_are_judged_alike(timed: Timed, media_type: str) -> None:
    """425 for each before, 201 within, and after the end 200 for what is there and 410."""
    reports = new(WINDOW, 4)
    timed.set("2031-03-01T08:59:59")
    early = timed.send_together(reports[:2], media_type)
    assert results(early) == [425, 425]
    assert early.document["results"][0]["report"] == reports[0].id
    timed.set("2031-03-08T08:59:59")
    assert results(timed.send_together(reports[:3], media_type)) == [201, 201, 201]
    timed.set("2031-03-08T09:00:00")
    late = timed.send_together(reports, media_type)
    assert results(late) == [200, 200, 200, 410]
    assert "closed at 2031-03-08T09:00Z" in late.document["results"][3]["detail"]


def test_after_its_end_a_survey_knows_what_it_has(timed: Timed) -> None:
    """A stored report is 200 and any other 410; the owner may still close it for good."""
    known, late = new(WINDOW, 2)
    timed.set("2031-03-01T09:00:00")
    assert timed.send(known).status == 201
    timed.set("2031-03-08T09:00:00")
    assert timed.send(known).status == 200
    detail = assert_problem(timed.send(late), "survey-closed")
    assert detail == (
        "The survey closed at 2031-03-08T09:00Z, and does not have this report; discard it."
    )
    assert timed.state("window") == (False, "over")
    closed = timed.collector.owner("POST", "/api/surveys/window/close")
    assert (closed.document["is_closed"], closed.document["state"]) == (True, "closed")
    assert timed.send(known).status == 200
    assert "accepts no more reports" in assert_problem(timed.send(late), "survey-closed")
    assert timed.state("window") == (True, "closed")


def test_a_survey_that_ended_before_is_not_published(timed: Timed) -> None:
    """Nobody could answer it; one that was published in time may be published again."""
    timed.set("2031-03-08T09:00:00")
    assert timed.collector.owner("POST", "/api/surveys", WINDOW.document).status == 200
    late = survey(yes_no(), slug="late", closes="2031-03-08T09:00Z")
    answer = timed.collector.owner("POST", "/api/surveys", late.document)
    assert assert_problem(answer, "survey-closed") == (
        "Not published: closes: is past (2031-03-08T09:00Z), so nobody could answer this survey; "
        "choose a later moment."
    )


def test_a_clock_that_goes_back_loses_nothing(timed: Timed) -> None:
    """What was acknowledged stays acknowledged; what was not has to wait."""
    known, new_one = new(WINDOW, 2)
    timed.set("2031-03-02T09:00:00")
    assert timed.send(known).status == 201
    timed.set("2031-02-02T09:00:00")
    assert timed.send(known).status == 200
    assert_problem(timed.send(new_one), "survey-not-open")
    timed.set("2031-03-02T09:00:00")
    assert timed.send(new_one).status == 201


@pytest.mark.sweep
@pytest.mark.parametrize("media_type", [JSON, NDJSON])
def test_a_full_survey_says_so(timed: Timed, media_type: str) -> None:
    """The request that fills it is stored whole; later ones are 410, known reports 200."""
    reports = new(LIMITED, 6)
    assert timed.send(reports[0]).status == 201
    assert timed.state("limited") == (False, "open")
    assert results(timed.send_together(reports[1:4], media_type)) == [201, 201, 201]
    assert timed.state("limited") == (False, "full")
    detail = assert_problem(timed.send(reports[4]), "survey-closed")
    assert detail == (
        "The survey closed with its 3 reports, the most that it accepts, and does not have this "
        "one; discard it."
    )
    assert results(timed.send_together(reports[2:], media_type)) == [200, 200, 410, 410]
    assert timed.send(reports[0]).status == 200
