"""The analyst's routes: their counts, their access rights and their refusals."""

import http.client
import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from analysis.kinds import KINDS
from deniable_collector import Settings, create_collector, open_store
from deniable_collector.results_api import MOST_TUPLES
from deniable_collector.store import add_reports
from deniable_sdk import Report, randomize
from deniable_sdk.canonical import JSON
from deniable_storage import sqlite
from live_server import (
    ANALYST_TOKEN,
    OWNER_TOKEN,
    Answer,
    LiveCollector,
    give_tokens,
    live_collector,
)
from problem_checks import assert_problem, assert_safe_headers
from sample_definitions import survey, yes_no

EMPTY = survey(yes_no(), slug="empty")
ANALYST = {"Authorization": f"Bearer {ANALYST_TOKEN}"}
ROUTES = ("editions", "results", "tuples?blocks=order")


def reports() -> list[Report]:
    """Reports of every kind of value."""
    read_bytes = random.Random(7).randbytes
    given = {"order": "yes", "region": "o1"}
    return [randomize(KINDS, given, read_bytes=read_bytes) for _ in range(300)]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveCollector]:
    """A running collector with an edition of each kind, the first one closed."""
    path = tmp_path_factory.mktemp("results") / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(survey(yes_no("order"), slug="kinds"))
        store.close_survey("kinds")
        store.publish(KINDS)
        add_reports(store, reports())
        store.publish(EMPTY)
    with live_collector(path) as running:
        yield running


def ask(collector: LiveCollector, path: str) -> Answer:
    """The answer to the analyst."""
    return collector.send("GET", f"/api/surveys/{path}", headers=ANALYST)


def said(block: str) -> Counter[object]:
    """What the reports say of a block, by its things."""
    found: Counter[object] = Counter()
    for value in (report.values.get(block) for report in reports()):
        for member in value if isinstance(value, list) else [value] if value is not None else []:
            found[json.dumps(member)] += 1
    return found


def test_results_are_the_counts_of_every_block(filled: LiveCollector) -> None:
    """Of every kind of value, each thing is counted as often as reports say it."""
    answer = ask(filled, "kinds/results")
    assert answer.status == 200
    assert_safe_headers(answer)
    assert answer.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in answer.headers
    document = answer.document
    assert [block["block"] for block in document["blocks"]] == [block.id for block in KINDS.blocks]
    assert {key: document[key] for key in ("slug", "edition", "digest", "is_closed")} == {
        "slug": "kinds",
        "edition": 2,
        "digest": KINDS.digest,
        "is_closed": False,
    }
    assert document["reports"] == 300
    for block in document["blocks"]:
        counted = {json.dumps(thing): count for thing, count in block["support"]}
        assert counted == said(block["block"])
        assert block["reports"] == sum(block["block"] in report.values for report in reports())
        assert block["support"] == sorted(block["support"])


def test_some_blocks_and_an_earlier_edition_can_be_asked_for(filled: LiveCollector) -> None:
    """Blocks come in the order of the query; an edition is named by its number."""
    named = ask(filled, "kinds/results?blocks=order,region").document
    assert [block["block"] for block in named["blocks"]] == ["order", "region"]
    none = ask(filled, "kinds/results?blocks=").document
    assert (none["reports"], none["blocks"]) == (300, [])
    first = ask(filled, "kinds/results?edition=1").document
    assert (first["edition"], first["is_closed"], first["reports"]) == (1, True, 0)
    assert first["blocks"] == [{"block": "order", "reports": 0, "support": []}]


def test_editions_are_listed(filled: LiveCollector) -> None:
    """Every edition of the slug, with its digest and whether it is closed."""
    document = ask(filled, "kinds/editions").document
    assert document["slug"] == "kinds"
    assert [edition["edition"] for edition in document["editions"]] == [1, 2]
    first, second = document["editions"]
    assert (first["is_closed"], first["state"]) == (True, "closed")
    assert second == {
        "edition": 2,
        "digest": KINDS.digest,
        "is_closed": False,
        "state": "open",
        "ended_by": None,
        "is_extended": False,
        "intervals": "anytime",
    }


@pytest.mark.parametrize("blocks", ["order", "region,order", "drugs,visits,order"])
def test_tuples_are_of_reports_that_carry_all_blocks(blocks: str, filled: LiveCollector) -> None:
    """Each different tuple of values is counted once, with how many reports have it."""
    names = blocks.split(",")
    expected: Counter[str] = Counter(
        json.dumps([report.values[name] for name in names])
        for report in reports()
        if all(name in report.values for name in names)
    )
    assert expected
    document = ask(filled, f"kinds/tuples?blocks={blocks}").document
    assert document["blocks"] == names
    found: dict[str, JSON] = {json.dumps(row[:-1]): row[-1] for row in document["tuples"]}
    assert len(found) == len(document["tuples"])
    assert found == expected


@pytest.mark.parametrize("route", ROUTES)
def test_only_analysts_and_owners_are_served(route: str, filled: LiveCollector) -> None:
    """No token and wrong ones are refused in the same words; an owner's opens all."""
    owner = {"Authorization": f"Bearer {OWNER_TOKEN}"}
    assert filled.send("GET", f"/api/surveys/kinds/{route}", headers=owner).status == 200
    details = set()
    for token in (
        None,
        "",
        "wrong",
        OWNER_TOKEN[:-1],
        ANALYST_TOKEN[:-1],
        f"{ANALYST_TOKEN[:-1]}x",
    ):
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = filled.send("GET", f"/api/surveys/kinds/{route}", headers=headers)
        details.add(assert_problem(answer, "token-refused"))
        assert answer.headers["www-authenticate"] == "Bearer"
    assert details == {
        "Send the analyst's token in the header Authorization: Bearer, never in an address."
    }
    joint = "&" if "?" in route else "?"
    in_address = f"/api/surveys/kinds/{route}{joint}token={ANALYST_TOKEN}"
    assert_problem(filled.send("GET", in_address), "token-refused")


@pytest.mark.parametrize("route", ROUTES)
def test_without_a_token_nobody_is_served(route: str, tmp_path: Path) -> None:
    """A collector without an analyst's token says what to use instead."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        client = create_collector(store, Settings()).test_client()
        response = client.get(f"/api/surveys/kinds/{route}", headers=ANALYST)
    assert response.status_code == 403
    assert response.get_json()["type"].endswith("token-not-configured")
    assert "`deniable token make analyst NAME`" in response.get_json()["detail"]


def test_unknown_surveys_and_blocks_are_refused(filled: LiveCollector) -> None:
    """A slug, an edition and a block that are not there each get their problem."""
    for path in ("other/results", "other/editions", "other/tuples?blocks=order"):
        assert_problem(ask(filled, path), "unknown-survey")
    for edition in ("3", "0", "x", "01", ""):
        assert_problem(ask(filled, f"kinds/results?edition={edition}"), "unknown-survey")
    for path in (
        "results?blocks=secret",
        "tuples?blocks=order,secret",
        "tuples",
        "tuples?blocks=",
    ):
        detail = assert_problem(ask(filled, f"kinds/{path}"), "unknown-block")
        assert "region, order, drugs, visits" in detail
        assert "secret" not in detail


def test_too_many_tuples_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rather than filling its memory, the collector says what serves better."""
    monkeypatch.setattr("deniable_collector.results_api.MOST_TUPLES", 5)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(KINDS)
        add_reports(store, reports())
        give_tokens(store)
        client = create_collector(store, Settings()).test_client()
        refused = client.get("/api/surveys/kinds/tuples?blocks=region,order", headers=ANALYST)
        served = client.get("/api/surveys/kinds/tuples?blocks=order", headers=ANALYST)
    assert refused.get_json()["type"].endswith("too-many-tuples")
    assert "analyse an export of the survey" in refused.get_json()["detail"]
    assert served.status_code == 200
    assert MOST_TUPLES > 1000


def test_ranges_of_reports_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in ranges of 7, of all and of exactly as many as there are, counts are the same."""
    found = []
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        stored = store.publish(KINDS).stored
        add_reports(store, reports())
        for rows in (7, 150, 300, 301, 10_000):
            monkeypatch.setattr(sqlite, "rows_of_chunk", lambda _, rows=rows: rows)
            found.append(store.look(stored, KINDS.blocks))
    assert found[0].report_count == 300
    assert all(counts == found[0] for counts in found)


def test_reports_are_taken_while_results_are_read(filled: LiveCollector) -> None:
    """Results asked for in between show the reports that were answered with 201."""
    more = [randomize(EMPTY, {}) for _ in range(5)]
    for count, report in enumerate(more, start=1):
        sent = filled.send(
            "POST", "/api/reports", report.to_bytes(), {"Content-Type": "application/json"}
        )
        assert sent.status == http.client.CREATED
        assert ask(filled, "empty/results").document["reports"] == count


def test_no_token_is_written_down(filled: LiveCollector) -> None:
    """Neither the store nor the log holds a token after all these requests."""
    ask(filled, "kinds/results")
    files = [path for path in filled.store.parent.iterdir() if path.is_file()]
    assert filled.log in files
    assert all(ANALYST_TOKEN.encode() not in path.read_bytes() for path in files)
