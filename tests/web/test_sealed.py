"""A sealed survey gives out the number of its reports before its end, and nothing else.

Sites whose respondents gave other answers are asked the same, and answer the same.
"""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.access import EXTENSION
from deniable_collector.clock import utc_now
from deniable_collector.store import Store, add_reports, open_store
from deniable_sdk import randomize
from deniable_storage.ends import End, Fieldwork
from deniable_web.commands import run
from sample_definitions import definition, survey, yes_no
from there import there
from web.access_rights import ANOTHER, DOCUMENT, FACT, IT, ROUTES, WRITTEN, Route
from web.rights_site import open_site

KEYS = {"ask": "all", "at_most_reports": 1_000, "results": "at_end"}
SEALED = {slug: survey(FACT, yes_no(), slug=slug, **KEYS) for slug in (IT, ANOTHER)}
ANSWERS = {"yes": {"asthma": "yes", "decade": "o1"}, "no": {"asthma": "no", "decade": "o3"}}
COUNT = 200
WHO = ("none", "owner of all", "analyst of it", "reader of it")
# What is new in each answer.
VARIES = re.compile(rb'nonce[^"]*"[^"]*"|"now":"[^"]*"|new1[0-9]+')
# Their answers have secrets, draft ids or the number of a request.
OWN = {
    *(("accounts.begin", "POST"), ("accounts.renew", "POST"), ("accounts.add_colleague", "POST")),
    *(("accounts.add_reader", "POST"), ("accounts.replace_secret", "POST")),
    *(("drafts.create_draft", "POST"), ("drafts.list_drafts", "GET"), ("build.drafts", "GET")),
    *(("drafts.newest", "GET"), ("drafts.state", "GET"), ("drafts.document", "GET")),
    *(("drafts.save", "PUT"), ("drafts.versions", "GET"), ("operators.read_metrics", "GET")),
    *(("accounts.colleagues", "GET"), ("accounts.list_colleagues", "GET")),
    *(("results.list_editions", "GET"), ("accounts.trail", "GET")),
}
LAST = {("collector.close", "POST"), ("collector.extend", "POST")}


def answer(store: Store, slug: str, answers: str) -> None:
    """All respondents of a survey answer the same."""
    given = ANSWERS[answers]
    add_reports(store, [randomize(SEALED[slug], given) for _ in range(COUNT)])


@pytest.fixture
def patched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The surveys of the site that is asked are sealed."""
    for slug, published in SEALED.items():
        monkeypatch.setitem(DOCUMENT, slug, published)
        monkeypatch.setitem(WRITTEN, slug, definition(FACT, yes_no(), slug=slug, **KEYS))
    for name in ("read_edition", "read_fieldwork"):
        route = Route({"digest": SEALED[IT].digest})
        monkeypatch.setitem(ROUTES, (f"collector.{name}", "GET"), route)
    groups = ("response", "groups")
    for name in groups:
        monkeypatch.setitem(ROUTES, (f"results_pages.{name}", "GET"), Route())


Said = dict[tuple[str, str, str], tuple[str, bytes]]


def said_by(folder: Path, answers: str) -> Said:
    """What each route says to each kind of token, for two surveys with these answers."""
    found: Said = {}
    folder.mkdir()
    with open_site(folder) as site:
        store = site.app.extensions[EXTENSION].registry
        for slug in SEALED:
            answer(store, slug, answers)
        for name in ROUTES.keys() - LAST:
            for kind in WHO:
                got = site.ask(name, kind)
                assert got.status_code < 500
                found[*name, kind] = got.status, VARIES.sub(b"", got.data)
        assert not there(store.find_survey(IT)).ending.is_given_out
    return found


@pytest.mark.usefixtures("patched")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_no_route_tells_which_answers_were_given(tmp_path: Path) -> None:
    """To nobody, owners included; the routes of results refuse, and say why."""
    yes, no = (said_by(tmp_path / answers, answers) for answers in ANSWERS)
    differing = {key[:2] for key in yes if yes[key] != no[key]}
    assert differing <= OWN
    owner = {key[0]: yes[key] for key in yes if key[2] == "owner of all"}
    for name in ("results.read_results", "results.read_tuples", "results_pages.estimates"):
        status, refusal = owner[name]
        assert status.startswith("403")
        assert b"urn:deniable:problem:results-not-released" in refusal
    status, page = owner["results_pages.content"]
    assert status.startswith("200")
    assert b"nobody sees a result before it has ended" in page
    assert b"Reports so far: 2" in page


Arguments = Callable[[Path], list[str]]
REFUSED: dict[str, Arguments] = {
    "results": lambda _: ["results", IT],
    "report": lambda folder: ["report", IT, "--output", str(folder / "new.html")],
    **{
        f"export {suffix}": lambda folder, suffix=suffix: [  # type: ignore[misc]
            *("export", IT, "--output", str(folder / f"new.{suffix}")),
        ]
        for suffix in ("ndjson", "csv", "parquet", "json", "xlsx", "sav", "dta")
    },
}
SAME: dict[str, Arguments] = {
    "list": lambda _: ["list"],
    "recount": lambda _: ["recount"],
    "audit": lambda _: ["audit"],
    "codebook": lambda folder: ["export", IT, "--output", str(folder / "book.ddi.xml")],
}


@pytest.fixture
def locations(tmp_path: Path) -> dict[str, Path]:
    """A folder with a store for each kind of answers."""
    for answers in ANSWERS:
        folder = tmp_path / answers
        folder.mkdir()
        with closing(open_store(folder / "store.sqlite")) as store:
            store.publish(SEALED[IT])
            answer(store, IT, answers)
    return {answers: tmp_path / answers for answers in ANSWERS}


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED)
def test_commands_refuse_and_write_nothing(
    locations: dict[str, Path], arguments: Arguments, capsys: pytest.CaptureFixture[str]
) -> None:
    """They say that the survey is sealed."""
    folder = locations["yes"]
    before = {path.name for path in folder.iterdir()}
    assert run([*arguments(folder), "--store", str(folder / "store.sqlite")]) == 1
    printed = capsys.readouterr()
    assert (printed.out, "results: at_end" in printed.err) == ("", True)
    left = {path.name for path in folder.iterdir()} - before
    assert {name for name in left if not name.startswith("store.sqlite")} == set()


@pytest.mark.parametrize("arguments", SAME.values(), ids=SAME)
def test_other_commands_print_the_same_whatever_was_answered(
    locations: dict[str, Path], arguments: Arguments, capsys: pytest.CaptureFixture[str]
) -> None:
    """The number of reports is all that they tell."""
    printed = []
    for folder in locations.values():
        assert run([*arguments(folder), "--store", str(folder / "store.sqlite")]) == 0
        found = capsys.readouterr()
        printed.append((found.out + found.err).replace(str(folder), ""))
    assert printed[0] == printed[1]


def test_results_come_at_the_end_for_one_look(locations: dict[str, Path]) -> None:
    """Closing by hand is as good as a date, because nobody could have seen a result."""
    store = locations["yes"] / "store.sqlite"
    assert run(["close", IT, "--store", str(store)]) == 0
    assert run(["results", IT, "--store", str(store)]) == 0
    with closing(open_store(store)) as opened:
        stored = there(opened.find_survey(IT))
        fieldwork = opened.fieldwork(stored, utc_now())
    assert (fieldwork, fieldwork.has_planned_end) == (Fieldwork(End.HAND), True)
