"""Publishing, reading and closing surveys over real HTTP."""

import sqlite3
from contextlib import closing
from pathlib import Path

import brotli
import pytest

from deniable_sdk import PublishedSurvey
from live_server import ANALYST_TOKEN, OWNER_TOKEN, LiveCollector, live_collector
from problem_checks import assert_problem, assert_safe_headers
from sample_definitions import choice, survey, yes_no


def test_a_published_survey_is_served_byte_for_byte(collector: LiveCollector) -> None:
    """Devices get exactly the published bytes, by slug and by digest."""
    published = survey(yes_no(text="Äther 🧪?"), slug="exact")
    answer = collector.owner("POST", "/api/surveys", published.document)
    assert answer.status == 201
    assert answer.document == {
        "status": 201,
        "slug": "exact",
        "edition": 1,
        "digest": published.digest,
        "is_closed": False,
        "state": "open",
        "ended_by": None,
        "is_extended": False,
        "intervals": "anytime",
    }
    newest = collector.send("GET", "/api/surveys/exact")
    named = collector.send("GET", f"/api/surveys/by-digest/{published.digest}")
    assert newest.body == named.body == published.document
    assert PublishedSurvey.from_bytes(newest.body, digest=published.digest) == published
    assert newest.headers["content-type"] == "application/json"
    assert newest.headers["cache-control"] == "no-store"
    assert named.headers["cache-control"] == "public, max-age=31536000, immutable"
    for got in (answer, newest, named):
        assert_safe_headers(got)


def test_a_survey_travels_compressed_where_that_is_understood(collector: LiveCollector) -> None:
    """The bytes inside are exactly the published ones."""
    published = survey(yes_no(), slug="packed")
    collector.owner("POST", "/api/surveys", published.document)
    path = f"/api/surveys/by-digest/{published.digest}"
    packed = collector.send("GET", path, headers={"Accept-Encoding": "br, gzip"})
    plain = collector.send("GET", path, headers={"Accept-Encoding": "gzip;q=0"})
    assert packed.headers["content-encoding"] == "br"
    assert brotli.decompress(packed.body) == plain.body == published.document
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


def test_publishing_again_conflicting_closing_and_the_next_edition(
    collector: LiveCollector,
) -> None:
    """The life of a slug: published, published again, taken, closed, renewed."""
    first = survey(yes_no(), slug="renewed")
    second = survey(yes_no(), choice(), slug="renewed")
    assert collector.owner("POST", "/api/surveys", first.document).status == 201
    assert collector.owner("POST", "/api/surveys", first.document).status == 200
    taken = collector.owner("POST", "/api/surveys", second.document)
    assert "Edition 1 of renewed is open" in assert_problem(taken, "survey-conflict")
    for _ in range(2):
        closed = collector.owner("POST", "/api/surveys/renewed/close")
        assert (closed.status, closed.document["is_closed"]) == (200, True)
    renewed = collector.owner("POST", "/api/surveys", second.document)
    assert (renewed.status, renewed.document["edition"]) == (201, 2)
    assert collector.send("GET", "/api/surveys/renewed").body == second.document
    old = collector.send("GET", f"/api/surveys/by-digest/{first.digest}")
    assert old.body == first.document


@pytest.mark.parametrize("path", ["/api/surveys/nothing", "/api/surveys/by-digest/" + "0" * 64])
def test_an_unknown_survey_is_not_found(collector: LiveCollector, path: str) -> None:
    """Neither an unknown slug nor an unknown digest is anything."""
    assert_problem(collector.send("GET", path), "unknown-survey")


def test_closing_an_unknown_survey_is_not_found(collector: LiveCollector) -> None:
    """The owner learns that the slug is wrong."""
    assert_problem(collector.owner("POST", "/api/surveys/nothing/close"), "unknown-survey")


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        f"Bearer {OWNER_TOKEN}x",
        f"Bearer {OWNER_TOKEN[:-1]}",
        f"Bearer {OWNER_TOKEN[:-1]}x",
        f"Bearer {ANALYST_TOKEN}",
        f"Basic {OWNER_TOKEN}",
        OWNER_TOKEN,
        "Bearer \xff\xfe",
    ],
)
@pytest.mark.parametrize("path", ["/api/surveys", "/api/surveys/guarded/close"])
def test_only_the_owners_token_opens_the_owners_routes(
    collector: LiveCollector, path: str, authorization: str | None
) -> None:
    """No token, a wrong one and the analyst's are refused in the same words."""
    headers = {} if authorization is None else {"Authorization": authorization}
    body = survey(yes_no(), slug="guarded").document
    answer = collector.send("POST", path, body, headers)
    detail = assert_problem(answer, "token-refused")
    assert detail.startswith("Send the owner's token in the header Authorization: Bearer")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert collector.send("GET", "/api/surveys/guarded").status == 404


def test_without_a_token_the_owners_routes_are_shut(store_path: Path) -> None:
    """A collector without a token points to the command line, whatever is sent."""
    with live_collector(store_path, "--without-tokens") as collector:
        for path in ("/api/surveys", "/api/surveys/health/close"):
            answer = collector.owner("POST", path, survey(yes_no()).document)
            detail = assert_problem(answer, "token-not-configured")
            assert "`deniable token make owner NAME`" in detail
            assert "`deniable publish`" in detail


def test_a_survey_that_another_program_reads_is_to_be_closed_again(tmp_path: Path) -> None:
    """The owner is not told "closed" while the file tells who came first."""
    path = tmp_path / "store.sqlite"
    made = survey(yes_no())
    with (
        live_collector(path, "--busy-timeout", "0.05") as collector,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        collector.owner("POST", "/api/surveys", made.document)
        other.execute("BEGIN")
        other.execute("SELECT * FROM surveys").fetchall()
        unfinished = collector.owner("POST", "/api/surveys/health/close")
        detail = assert_problem(unfinished, "store-unavailable")
        assert "order in which the reports arrived (another program is reading" in detail
        assert "close the survey again" in detail
        other.execute("ROLLBACK")
        closed = collector.owner("POST", "/api/surveys/health/close")
        assert (closed.status, closed.document["is_closed"]) == (200, True)


def test_an_illegal_survey_is_refused_with_what_is_wrong(collector: LiveCollector) -> None:
    """A survey that claims less than it takes is not published."""
    honest = survey(yes_no(), slug="claims").document
    lying = honest.replace(b'"epsilon":"2"', b'"epsilon":"1"')
    answer = collector.owner("POST", "/api/surveys", lying)
    assert "claims epsilon 1 and takes" in assert_problem(answer, "invalid-survey")
    pretty = collector.owner("POST", "/api/surveys", honest.replace(b":", b": ", 1))
    assert "not in canonical form" in assert_problem(pretty, "invalid-survey")
    assert collector.send("GET", "/api/surveys/claims").status == 404


def test_a_survey_comes_as_json(collector: LiveCollector) -> None:
    """A survey under another media type is refused."""
    headers = {"Authorization": f"Bearer {OWNER_TOKEN}", "Content-Type": "text/plain"}
    answer = collector.send("POST", "/api/surveys", survey(yes_no()).document, headers)
    assert "application/json" in assert_problem(answer, "unsupported-media-type")


def test_health_is_told(collector: LiveCollector) -> None:
    """A collector whose store answers is well."""
    answer = collector.send("GET", "/healthz")
    assert (answer.status, answer.document) == (200, {"status": "ok"})
    assert_safe_headers(answer)


def test_head_and_options_are_answered(collector: LiveCollector) -> None:
    """HEAD is GET without a body; OPTIONS names the methods."""
    collector.owner("POST", "/api/surveys", survey(yes_no(), slug="heads").document)
    get, head = (collector.send(method, "/api/surveys/heads") for method in ("GET", "HEAD"))
    assert head.body == b""
    varying = {"date"}
    assert {k: v for k, v in head.headers.items() if k not in varying} == {
        k: v for k, v in get.headers.items() if k not in varying
    }
    options = collector.send("OPTIONS", "/api/surveys/heads")
    assert set(options.headers["allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
    assert collector.send("HEAD", "/healthz").status == 200


def test_pages_of_any_origin_may_take_part_but_not_publish(collector: LiveCollector) -> None:
    """What a device needs is shared with every origin, without credentials."""
    origin = {"Origin": "https://clinic.example"}
    preflight = collector.send(
        "OPTIONS", "/api/reports", headers={**origin, "Access-Control-Request-Method": "POST"}
    )
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert preflight.headers["access-control-allow-headers"] == "Content-Type"
    assert "POST" in preflight.headers["access-control-allow-methods"]
    refused = collector.send("POST", "/api/reports", [1], origin)
    unknown = collector.send("GET", "/api/surveys/nothing", headers=origin)
    for answer in (preflight, refused, unknown):
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert "access-control-allow-credentials" not in answer.headers
    for method, path in (
        ("OPTIONS", "/api/surveys"),
        ("POST", "/api/surveys"),
        ("GET", "/healthz"),
    ):
        kept = collector.send(method, path, headers=origin)
        assert "access-control-allow-origin" not in kept.headers
        assert kept.headers["cross-origin-resource-policy"] == "same-origin"
