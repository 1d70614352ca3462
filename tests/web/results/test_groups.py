"""Results by group: the numbers of the study after closing, and nothing by group before."""

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path

import openpyxl
import pytest

from deniable_analysis import Estimates, OptionEstimate, open_study
from deniable_collector.settings import Settings
from deniable_collector.store import Store, open_store
from deniable_collector.store.sqlite import SqliteStore
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_web.pages.languages import CODES, catalog
from deniable_web.results import groups
from deniable_web.results.results_cache import Merge
from deniable_web.site import create_site
from invitations import InvitedSurvey
from postgres_server import PostgresServer
from problem_checks import assert_members
from results_site import Tables
from sample_definitions import survey, yes_no
from there import there
from ward_site import INVITED, PAST, REPORTED, WARD, fill_ward, ward, ward_rows
from web.results.conftest import Site
from web.results.test_page import percent, row

OPEN, OTHER = "open-ward", "other"
NAMES = {
    "nurses": "Nursing staff",
    "all invited": "All invited",
    "all reports": "All reports",
    "yes": "Yes",
    "no": "No",
    "no_answer": "Prefer not to say",
    "1": "1 – none",
    "5": "5 – unbearable",
}
TEXTS = catalog("results", "en")
BY_GROUP = re.compile(r"results/(response|groups|estimates)|group=")


@pytest.fixture(scope="module")
def closed_ward() -> InvitedSurvey:
    """The survey that is closed."""
    return ward()


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def ward_site(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    closed_ward: InvitedSurvey,
    postgres_server: PostgresServer,
) -> Iterator[Site]:
    """A closed survey by invitation, an open one, and one that everybody may answer."""
    location = str(tmp_path_factory.mktemp("ward") / "store.sqlite")
    if request.param == "postgres":
        location = postgres_server.schema()
    with closing(open_store(location)) as store:
        fill_ward(store, closed_ward)
        store.close_survey(WARD)
        fill_ward(store, ward(OPEN, first_key=10))
        store.publish(survey(yes_no(), slug=OTHER))
        yield site_over(store, location)


def site_over(store: Store, location: str = "") -> Site:
    """A site over an open store, with an owner's token."""
    token = make_token(Role.OWNER)
    store.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
    return Site(create_site(store, Settings()).test_client(), token, location, store)


def ask(site: Site, route: str) -> bytes:
    """The response to a request with its query."""
    response = site.client.get(route, headers={"Authorization": f"Bearer {site.token}"})
    return bytes(response.data)


def part(site: Site, name: str, slug: str = WARD, **query: object) -> str:
    """A part of a survey's page, in English if nothing else is said."""
    headers = {"Authorization": f"Bearer {site.token}"}
    path = f"/manage/surveys/{slug}/results/{name}"
    answer = site.client.get(path, query_string={"lang": "en", **query}, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text


def page_tables(markup: str) -> dict[str, list[list[list[str]]]]:
    """The tables of a part, by the id of their fold."""
    return Tables(f"<section id='part'>{markup}</section>").found


def own(name: str) -> str:
    """What the page calls a group or an option."""
    return " + ".join(NAMES.get(each, each) for each in name.split(" + "))


def signed(number: float) -> str:
    """A number with its sign, as the English page has it."""
    return f"{number:z.1f}" if round(number, 1) == 0 else f"{number:+.1f}"


def expected_shares(found: Estimates, question: int) -> list[list[str]]:
    """The rows of a question's table of shares, of the study's numbers."""
    grouped, plain = there(found.by_group).questions[question], found.questions[question]
    rows = []
    for index, option in enumerate(plain.options):
        sides: list[tuple[str, OptionEstimate]] = [
            *((name, each.options[index]) for name, each in grouped.groups),
            ("all invited", grouped.options[index]),
            ("all reports", option),
        ]
        for name, share in sides:
            numbers = [own(name), *"––––––"] if share.share is None else row(own(name), share)
            first = [own(option.option)] if name == sides[0][0] else []
            rows.append([*first, *numbers])
    return rows


@pytest.mark.parametrize("merge", [(), (("doctors", "cleaners"),)], ids=["apart", "merged"])
def test_tables_by_group_are_the_studys(ward_site: Site, merge: Merge) -> None:
    """Shares of each group, of all invited people and of all reports; means; differences."""
    study = open_study(ward_site.location, WARD)
    found = study.estimate(by_group=True, merge=merge, confidence=0.99)
    query = {"merge": ",".join(merge[0])} if merge else {}
    tables = page_tables(part(ward_site, "groups", confidence="0.99", **query))
    for index, grouped in enumerate(there(found.by_group).questions):
        shares, *others = tables[f"gd-{grouped.question}"]
        assert shares[1:] == expected_shares(found, index)
        differences = [
            [
                own(each.name) if each.name != "mean" else TEXTS["content"]["mean"],
                *map(own, each.groups),
            ]
            for each in grouped.differences
        ]
        assert [line[:3] for line in others[-1][1:]] == differences
        said = [signed(100 * there(each.difference)) for each in grouped.differences]
        is_share = [each.name != "mean" for each in grouped.differences]
        shown = [line[5] for line in others[-1][1:]]
        assert [one for one, fits in zip(shown, is_share, strict=True) if fits] == [
            one for one, fits in zip(said, is_share, strict=True) if fits
        ]
        tests = [there(each.adjusted_p_value) for each in grouped.differences]
        assert [line[-1] for line in others[-1][1:]] == [
            "<0.001" if each < 0.001 else f"{each:.3f}" for each in tests
        ]
    means = tables["gd-stress"][1][1:]
    grouped = there(found.by_group).questions[1]
    values = [*(mean.value for _, mean in grouped.means()), there(found.questions[1].mean).value]
    assert [line[1] for line in means] == [
        "–" if each is None else f"{each:.2f}" for each in values
    ]
    assert means[-1][0] == "All reports"


def test_response_rates_are_the_studys(ward_site: Site) -> None:
    """Invited people, reports and their ratio; whoever is missing is named."""
    found = open_study(ward_site.location, WARD).estimate(by_group=True)
    markup = part(ward_site, "response")
    (table,) = page_tables(markup)["part"]
    rates = [*there(found.by_group).responses, there(found.response)]
    assert table[0] == ["Group", "Response rate", "Reports", "Invited", "Collected"]
    assert table[1:] == [
        [own(each.name), percent(each.rate), str(each.reports), str(each.invited), "–"]
        for each in rates
    ]
    assert [each.reports for each in rates] == [*REPORTED.values(), 0, sum(REPORTED.values())]
    assert "No report from: \u2068cleaners\u2069." in unescape(markup)


def test_missing_and_merged_groups_are_named(ward_site: Site) -> None:
    """There is no number for all invited people without them, and there is one once merged."""
    apart = unescape(part(ward_site, "groups"))
    assert TEXTS["groups"]["missing"].format(groups="\u2068cleaners\u2069") in apart
    merged = unescape(part(ward_site, "groups", merge="doctors,cleaners"))
    assert "\u2068cleaners\u2069." not in merged
    sentence = TEXTS["groups"]["merged"].format(groups="\u2068doctors + cleaners\u2069")
    assert sentence in merged
    assert merged.count(" checked>") == 2
    for wrong in ("doctors,doctors", "doctors,nobody", ""):
        assert unescape(part(ward_site, "groups", merge=wrong)) == apart


def test_groups_of_an_open_survey_are_refused(ward_site: Site) -> None:
    """The refusal says to close it; its page says when groups appear."""
    answer = ward_site.get(f"/manage/surveys/{OPEN}/results/groups")
    assert answer.status_code == 409
    assert_members(json.loads(answer.data), "survey-not-closed")
    response = part(ward_site, "response", OPEN)
    (table,) = page_tables(response)["part"]
    assert table[0] == ["Group", "Invited", "Collected"]
    people = [*INVITED.items(), ("all invited", sum(INVITED.values()))]
    assert table[1:] == [[own(name), str(count), "–"] for name, count in people]
    assert TEXTS["response"]["closing"] in unescape(response)
    assert 'id="by-group"' not in ward_site.content(OPEN)
    assert 'id="by-group"' in ward_site.content(WARD)


ROUTES = (
    "/manage/surveys",
    *(
        f"/manage/surveys/{WARD}/results/{name}"
        for name in (
            "state",
            "content",
            "response",
            "groups",
            "plan",
            "estimates.csv",
            "estimates.json",
            "figures/harassed.svg",
        )
    ),
    f"/api/surveys/{WARD}/editions",
    f"/api/surveys/{WARD}/results",
    f"/api/surveys/{WARD}/results?group=nurses",
    f"/api/surveys/{WARD}/tuples?blocks=harassed",
    f"/api/surveys/{WARD}/tuples?blocks=harassed&group=nurses",
)


def test_nothing_depends_on_groups_before_closing(tmp_path: Path) -> None:
    """With the same reports from other groups, every response is the same until then."""
    published, found = ward(first_key=20), {}
    for name in ("", "nurses"):
        rows = ward_rows(published, stored_as=name)
        with closing(open_store(tmp_path / f"{name or 'own'}.sqlite")) as store:
            store.publish(published.published)
            store.add_rows({published.published.digest: rows})
            site = site_over(store)
            before = [ask(site, route) for route in ROUTES]
            assert not any(b"group_option" in each or b'by_group": {' in each for each in before)
            store.close_survey(WARD)
            found[name] = before, [ask(site, route) for route in ROUTES]
    one, other = found.values()
    assert one[0] == other[0]
    differ = {
        route for route, *both in zip(ROUTES, one[1], other[1], strict=True) if len({*both}) > 1
    }
    assert differ == {route for route in ROUTES if BY_GROUP.search(route)}


def test_files_have_the_groups_of_a_closed_survey(ward_site: Site) -> None:
    """CSV, JSON and a spreadsheet: shares, means and differences, with merged groups."""
    merge = (("doctors", "cleaners"),)
    found = open_study(ward_site.location, WARD).estimate(by_group=True, merge=merge)
    files = {
        kind: ward_site.get(
            f"/manage/surveys/{WARD}/results/estimates.{kind}", merge="doctors,cleaners"
        )
        for kind in ("csv", "json", "xlsx")
    }
    assert json.loads(files["json"].data) == found.to_document()
    rows = list(csv.DictReader(io.StringIO(files["csv"].text)))
    (share,) = (each for each in rows if each["option"] == "all invited: yes")
    weighted = there(found.by_group).questions[0]
    assert float(share["estimate"]) == there(weighted.options[0].share)
    (pair,) = (each for each in rows if each["option"] == "nurses - doctors + cleaners: yes")
    assert pair["kind"] == "group_difference"
    difference = weighted.differences[0]
    assert float(pair["estimate"]) == there(difference.difference)
    assert float(pair["adjusted_p_value"]) == there(difference.adjusted_p_value)
    book = openpyxl.load_workbook(io.BytesIO(files["xlsx"].data), read_only=True)
    about = {str(name): value for name, value in book["about"].iter_rows(values_only=True)}
    assert about["invited"] == sum(INVITED.values())
    assert about["response_rate"] == pytest.approx(81 / 120)
    cells = [line[0] for line in book["estimates"].iter_rows(values_only=True)]
    assert cells.count("group_difference") == len(
        [each for question in there(found.by_group).questions for each in question.differences]
    )


def test_each_group_is_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other intervals, merged groups and files cost no further look at the reports."""
    counted: list[tuple[str, bool]] = []
    count = SqliteStore.count_values

    def watched(
        self: SqliteStore, stored: object, blocks: object, group: str | None = None
    ) -> object:
        if group is not None:
            counted.append((group, bool(blocks)))
        return count(self, stored, blocks, group)  # type: ignore[arg-type]

    monkeypatch.setattr(SqliteStore, "count_values", watched)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        fill_ward(store, ward(first_key=30))
        store.close_survey(WARD)
        site = site_over(store)
        for query in ({}, {"confidence": "0.9"}, {"merge": "nurses,doctors"}):
            part(site, "response", **query)
            part(site, "groups", **query)
            part(site, "estimates.csv", **query)
    assert sorted(counted) == sorted(
        (group, whole) for group in INVITED for whole in (False, True)
    )


def test_more_reports_than_people_are_said(tmp_path: Path) -> None:
    """Then more tokens were signed; a bar never leaves its cell."""
    invited = {"nurses": 20, "doctors": 40}
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        fill_ward(store, ward(first_key=40, invited=invited), {"nurses": 21, "doctors": 3})
        store.close_survey(WARD)
        markup = unescape(part(site_over(store), "response"))
    assert TEXTS["response"]["too_many"].format(groups="\u2068Nursing staff\u2069") in markup
    assert 'class="reports-bar" x="0.0%" width="100.0%"' in markup
    assert "105.0%" in markup


@pytest.mark.parametrize(
    ("until", "key"), [(PAST, "asking"), ("2095-01-31T18:00Z", "later"), ("", "never")]
)
def test_it_is_said_when_collected_tokens_are_known(tmp_path: Path, until: str, key: str) -> None:
    """The issuer is asked only once it publishes the number."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(ward(first_key=50, until=until).published)
        markup = unescape(part(site_over(store), "response"))
    said = TEXTS["response"][key].format(moment="January 31, 2095, 18:00 UTC")
    assert said in markup
    assert (" data-ask>" in markup) == (key == "asking")


def test_a_purged_survey_has_no_groups(tmp_path: Path) -> None:
    """Its people were invited; nothing of their reports is left."""
    published = ward(first_key=60)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        fill_ward(store, published)
        store.close_survey(WARD)
        site = site_over(store)
        assert ">36<" in part(site, "response")
        store.purge_reports(published.published.digest)
        markup = part(site, "response")
        assert ">36<" not in markup
        assert TEXTS["response"]["closing"] not in unescape(markup)
        assert 'id="by-group"' not in site.content(WARD)
        assert site.get(f"/manage/surveys/{WARD}/results/groups").status_code == 409


def test_many_rows_are_a_table_only(ward_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chart of hundreds of rows shows nobody anything."""
    assert 'class="chart"' in part(ward_site, "groups")
    monkeypatch.setattr(groups, "MOST_CHARTED", 5)
    markup = part(ward_site, "groups")
    assert 'class="valid"' not in markup
    assert page_tables(markup)["gd-harassed"]


def test_a_token_for_other_surveys_sees_nothing(ward_site: Site) -> None:
    """Neither in the list nor in any part; and a survey for everybody has no groups."""
    token = make_token(Role.ANALYST)
    access = AccessToken("analyst", Role.ANALYST, frozenset({OTHER}))
    ward_site.store.add_token(access, digest_of(token))
    limited = Site(ward_site.client, token, ward_site.location, ward_site.store)
    for name in ("response", "groups", "content", "estimates.json"):
        answer = limited.get(f"/manage/surveys/{WARD}/results/{name}")
        assert answer.status_code == 404
        assert b"nurses" not in answer.data
    assert WARD not in limited.get("/manage/surveys").text
    for name in ("response", "groups"):
        assert limited.get(f"/manage/surveys/{OTHER}/results/{name}").status_code == 404
    assert 'id="response"' not in limited.content(OTHER)
    ward_site.store.remove_token("analyst")


def test_only_the_frame_may_ask_the_issuer(ward_site: Site, closed_ward: InvitedSurvey) -> None:
    """It has nothing but public texts, and only our pages may contain it."""
    frame = ward_site.client.get(f"/collected/{closed_ward.published.digest}")
    policy = frame.headers["Content-Security-Policy"]
    assert "connect-src 'self' https://council.example.org/api/;" in policy
    assert policy.endswith("frame-ancestors 'self'")
    for path in ("/surveys", f"/surveys/{WARD}/results"):
        policy = ward_site.client.get(path).headers["Content-Security-Policy"]
        assert "connect-src 'self';" in policy
        assert policy.endswith("frame-ancestors 'none'")
    other = there(ward_site.store.find_survey(OTHER)).survey.digest
    for digest in (other, "0" * 64):
        assert ward_site.client.get(f"/collected/{digest}").status_code == 404


@pytest.mark.parametrize("language", CODES)
def test_every_language_has_all_parts(ward_site: Site, language: str) -> None:
    """No place is left unfilled, no style stands in an attribute, and names are the survey's."""
    for slug, name in ((WARD, "response"), (WARD, "groups"), (OPEN, "response")):
        markup = part(ward_site, name, slug, lang=language)
        assert "{" not in markup
        assert "style=" not in markup
        assert ("طاقم التمريض" if language == "ar" else "Nursing staff") in markup
