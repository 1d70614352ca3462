"""A reader sees no part of the results with few reports, in no response, and no difference of two.

Each case has two stores that differ only in the randomized values of a few reports. Whatever a
reader asks for, both sites answer the same bytes; an owner gets other numbers.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from deniable_collector.permissions import access_of
from deniable_collector.settings import Settings
from deniable_collector.store import Store, open_store
from deniable_collector.store.base import row_of
from deniable_collector.tokens import AccessToken, Release, Role, digest_of, make_token
from deniable_sdk import PublishedSurvey, Report, randomize
from deniable_web.results.files import DATA
from deniable_web.results.report.page import REPORTS
from deniable_web.site import create_site
from invitations import InvitedSurvey, key, modulus
from sample_definitions import multiple, survey, yes_no
from web.results.conftest import Site

LEAST = 20
SLUG = "asked"
BASE = f"/manage/surveys/{SLUG}/results"
# What is asked for at each route.
PATHS = {
    "state": ["state"],
    "content": ["content"],
    "response": ["response"],
    "groups": ["groups"],
    "plan": ["plan"],
    "estimates": [f"estimates.{suffix}" for suffix in DATA],
    "report": [f"report.{suffix}" for suffix in REPORTS],
    "figure": [f"figures/{name}.svg" for name in ("a", "b", "a_x_b")],
}
READERS = {Role.READER, Role.ANALYST, Role.OWNER}
# Takes seconds, and is made of the other report.
SLOW = "report.pdf"
MERGING = ("groups", "estimates.csv")
MERGES = ("doctors,board", "nurses,doctors", "board")


def test_each_route_of_readers_is_asked(tmp_path: Path) -> None:
    """A new route that opens results to readers is here, or this fails."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        app = create_site(store, Settings.from_environment({}))
        endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
        opened = {each for each in endpoints if access_of(app, each).roles == READERS}
    assert opened == {f"results_pages.{name}" for name in PATHS}


@dataclass(frozen=True)
class Case:
    """Two ways in which the reports of a survey may have come out."""

    reports: tuple[Sequence[Report], Sequence[Report]]
    editions: Sequence[PublishedSurvey]


def drawn(asked: PublishedSurvey, count: int, seed: str, blocks: Sequence[str]) -> list[Report]:
    """Reports of respondents who did not answer, all with the same blocks."""
    source = random.Random(seed)
    return [randomize(asked, {}, blocks=blocks, read_bytes=source.randbytes) for _ in range(count)]


def twice(asked: PublishedSurvey, few: Sequence[str], many: Sequence[str], count: int = 5) -> Case:
    """Forty reports have some blocks, and a few have others, with other values in each store."""
    shown = drawn(asked, 40, "shown", many)
    one, other = (drawn(asked, count, seed, few) for seed in ("one", "other"))
    return Case(([*shown, *one], [*shown, *other]), [asked])


def of_invited() -> Case:
    """A person of the smallest group and one of another group have each other's report."""
    keys = {name: key(place) for place, name in enumerate(("nurses", "doctors", "board"))}
    groups = {
        name: {"invited": count, "modulus": modulus(keys[name])}
        for name, count in (("nurses", 25), ("doctors", 30), ("board", 3))
    }
    people = {"issuer": "https://council.example.org", "small_groups": True, "groups": groups}
    asked = survey(yes_no("a", required=True), yes_no("b"), slug=SLUG, ask="all", invited=people)
    source, invited = random.Random(1), InvitedSurvey(asked, keys)
    reports = [
        randomize(
            asked,
            {"a": source.random() < 0.5},
            read_bytes=source.randbytes,
            token=invited.token(group, source.randbytes),
        )
        for group, count in (("nurses", 22), ("doctors", 25), ("board", 1))
        for _ in range(count)
    ]
    *others, last = reports
    place = next(i for i, each in enumerate(others) if each.values["a"] != last.values["a"])
    changed = [*others]
    changed[place] = others[place].replace(token=last.token)
    exchanged = [*changed, last.replace(token=others[place].token)]
    return Case((reports, exchanged), [asked])


def of_editions() -> Case:
    """The later edition has enough reports of each question, and the earlier one has not."""
    questions = yes_no("a"), yes_no("b")
    first, second = (
        survey(*questions, slug=SLUG, ask=1, introduction=text) for text in ("One", "Two")
    )
    case = twice(first, ["b"], ["a"])
    later = [report for name in "ab" for report in drawn(second, 40, name, [name])]
    one, other = ([*reports, *later] for reports in case.reports)
    return Case((one, other), [first, second])


def of_crosstabs() -> Case:
    """One question is in two crosstabs, of which few reports have one."""
    questions = [yes_no(name) for name in "abc"]
    crosstabs = [["a", "b"], ["a", "c"]]
    asked = survey(*questions, slug=SLUG, crosstabs=crosstabs, ask=1)
    return twice(asked, ["a_x_b"], ["a_x_c"])


def of_bits() -> Case:
    """All reports have a question, and few of them a bit of each option."""
    asked = survey(multiple("b", 30, at_most=30), yes_no("a"), slug=SLUG, ask=1, epsilon=1)
    assert asked.block("b").mechanism.name == "sampled_bits"
    return twice(asked, ["b"], ["a"], 50)


def of_routes() -> Case:
    """Few were asked the question that leads to another one."""
    follow_up = yes_no("a", show_if={"question": "b", "is": "yes"})
    return twice(survey(yes_no("b"), follow_up, slug=SLUG, ask=1), ["b"], ["a"])


CASES = {
    "the group of one person": of_invited,
    "a question that few were asked": lambda: twice(
        survey(yes_no("a"), yes_no("b"), slug=SLUG, ask=1), ["b"], ["a"]
    ),
    "a crosstab that few were asked": of_crosstabs,
    "options of which few reports have a bit": of_bits,
    "a router that few were asked": of_routes,
    "an earlier edition": of_editions,
}


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    """Two ways in which reports may have come out that a reader cannot tell apart."""
    return CASES[request.param]()


def site_of(
    store: Store,
    editions: Sequence[PublishedSurvey],
    reports: Sequence[Report],
    token: AccessToken,
) -> Site:
    """A site whose editions are closed, with these reports and a token."""
    for asked in editions:
        store.publish(asked)
        rows = [row_of(report, asked) for report in reports if report.survey == asked.digest]
        store.add_rows({asked.digest: rows})
        store.close_survey(SLUG)
    secret = make_token(token.role)
    store.add_token(token, digest_of(secret))
    return Site(create_site(store, Settings()).test_client(), secret, "", store)


ASKED = [
    *((path, {}) for paths in PATHS.values() for path in paths if path != SLOW),
    *((path, {"merge": merge}) for path in MERGING for merge in MERGES),
]
Response = tuple[int, bytes]


def both(
    tmp_path: Path,
    case: Case,
    token: AccessToken,
    asked: Sequence[tuple[str, Mapping[str, str]]] = ASKED,
) -> Iterator[tuple[str, Response, Response]]:
    """Each request that a reader may make, and the responses of the two sites of a case."""
    found = []
    for place, reports in enumerate(case.reports):
        with closing(open_store(tmp_path / f"{place}.sqlite")) as store:
            site = site_of(store, case.editions, reports, token)
            answers = [site.get(f"{BASE}/{path}", **query) for path, query in asked]
            found.append([(answer.status_code, answer.data) for answer in answers])
    for (path, query), one, other in zip(asked, *found, strict=True):
        yield f"{path} {query.get('merge', '')}".strip(), one, other


READER = AccessToken("reader", Role.READER, frozenset({SLUG}), Release(LEAST))


def test_no_response_depends_on_small_parts(tmp_path: Path, case: Case) -> None:
    """Byte for byte, on every page and in every file, however groups are merged."""
    found = {path: (one, other) for path, one, other in both(tmp_path, case, READER)}
    assert [path for path, (one, other) in found.items() if one != other] == []
    statuses = {path: status for path, ((status, _), _) in found.items()}
    assert set(statuses.values()) <= {200, 404}
    for path in ("content", "estimates.csv", "report.html", "figures/a.svg"):
        assert statuses[path] == 200


def test_others_see_all_parts(tmp_path: Path, case: Case) -> None:
    """Without a smallest number a report tells both sites apart."""
    owner = AccessToken("owner", Role.OWNER)
    ((_, one, other),) = both(tmp_path, case, owner, [("report.html", {})])
    assert one[0] == other[0] == 200
    assert one[1] != other[1]
