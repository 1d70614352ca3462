"""A reader sees the results of one survey under a condition; before, nothing of its reports."""

import csv
import io
import json
import random
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from deniable_collector.settings import Settings
from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.tokens import AccessToken, Release, Role, digest_of, make_token
from deniable_sdk import PublishedSurvey, randomize
from deniable_web.pages.languages import catalog
from deniable_web.results import studies
from deniable_web.site import create_site
from problem_checks import assert_members
from sample_definitions import scale, survey, yes_no
from ward_site import WARD, ward, ward_rows
from web.results.conftest import Site

SLUG = "asked"
BASE = f"/manage/surveys/{SLUG}/results"
TEXTS = catalog("results", "en")
QUESTIONS = (yes_no("asthma"), scale("stress"))
# What a reader may ask for, and how it is refused before the condition is met.
ROUTES = {
    "state": 200,
    "content": 200,
    "plan": 403,
    "estimates.csv": 403,
    "estimates.json": 403,
    "estimates.xlsx": 403,
    "figures/asthma.svg": 403,
    "report.html": 403,
    "report.pdf": 403,
}


def published(**keys: object) -> PublishedSurvey:
    """A survey of two questions."""
    return survey(*QUESTIONS, slug=SLUG, ask="all", **keys)


def answer(store: Store, asked: PublishedSurvey, count: int, source: random.Random) -> None:
    """Add so many reports."""
    reports = [
        randomize(
            asked,
            {"asthma": source.random() < 0.3, "stress": source.randint(1, 5)},
            read_bytes=source.randbytes,
        )
        for _ in range(count)
    ]
    add_reports(store, reports)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with closing(open_store(tmp_path / "store.sqlite")) as opened:
        yield opened


def reader(store: Store, release: Release, slug: str = SLUG, name: str = "reader") -> Site:
    """A site with a reader's token."""
    token = make_token(Role.READER)
    store.add_token(AccessToken(name, Role.READER, frozenset({slug}), release), digest_of(token))
    return Site(create_site(store, Settings()).test_client(), token, "", store)


def test_nothing_depends_on_reports_before_there_are_enough(tmp_path: Path) -> None:
    """With none and with one too few, each route answers the same bytes; then with results."""
    asked, found = published(), []
    for count in (0, 99):
        with closing(open_store(tmp_path / f"{count}.sqlite")) as store:
            store.publish(asked)
            answer(store, asked, count, random.Random(1))
            site = reader(store, Release(100))
            before = {name: site.get(f"{BASE}/{name}", lang="en") for name in ROUTES}
            assert {name: each.status_code for name, each in before.items()} == ROUTES
            found.append({name: (each.data, *each.headers) for name, each in before.items()})
            answer(store, asked, 100 - count, random.Random(2))
            site = later(site)
            after = [site.get(f"{BASE}/{name}", lang="en") for name in ROUTES]
            assert [each.status_code for each in after] == [200] * len(ROUTES)
            assert "Reports: 100" in site.content(SLUG)
    assert found[0] == found[1]
    refused = json.loads(found[0]["plan"][0])
    assert_members(refused, "results-not-released")
    state = json.loads(found[0]["state"][0])
    assert state == {"is_released": False, "is_closed": False, "state": "open"}
    page = unescape(found[0]["content"][0].decode())
    assert TEXTS["readers"]["title"] in page
    assert TEXTS["readers"]["reports"].format(count="100") in page


def later(site: Site) -> Site:
    """A site that has not counted anything yet, for the same token."""
    return replace(site, client=create_site(site.store, Settings()).test_client())


def test_results_counted_for_others_are_not_shown_before_their_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The condition is about the reports in the results, not about those that came since."""
    monkeypatch.setattr(studies, "REST", 1e9)
    asked = published()
    store.publish(asked)
    answer(store, asked, 99, random.Random(1))
    site = reader(store, Release(100))
    owner = Site.over(store)
    both = Site(site.client, owner.token, "", store)
    assert "Reports: 99" in both.content(SLUG)
    answer(store, asked, 50, random.Random(2))
    assert "Reports: 99" in both.content(SLUG)
    assert TEXTS["readers"]["title"] in unescape(site.content(SLUG))


@pytest.mark.parametrize("release", [Release(), Release(20)])
def test_the_end_releases_results(store: Store, release: Release) -> None:
    """By hand or as planned; a number of reports is a condition of its own."""
    asked = published(at_most_reports=30)
    store.publish(asked)
    answer(store, asked, 19, random.Random(1))
    site = reader(store, release)
    assert TEXTS["readers"]["title"] in unescape(site.content(SLUG))
    answer(store, asked, 11, random.Random(2))
    assert "Reports: 30" in later(site).content(SLUG)


def test_after_closing_means_after_closing(store: Store) -> None:
    """However many reports there are; the page says what it waits for."""
    asked = published()
    store.publish(asked)
    answer(store, asked, 150, random.Random(1))
    site = reader(store, Release())
    assert TEXTS["readers"]["end"] in unescape(site.content(SLUG))
    assert site.get(f"{BASE}/estimates.csv").status_code == 403
    store.close_survey(SLUG)
    assert "Reports: 150" in site.content(SLUG)
    assert site.get(f"{BASE}/estimates.csv").status_code == 200


def test_an_edition_is_not_compared_with_one_that_is_not_shown(store: Store) -> None:
    """Whoever may see both gets the comparison; a reader of the newer one does not."""
    for edition, count in ((1, 99), (2, 150)):
        asked = published(introduction=f"Edition {edition}")
        store.publish(asked)
        answer(store, asked, count, random.Random(edition))
        if edition == 1:
            store.close_survey(SLUG)
    site = reader(store, Release(100))
    assert 'id="comparison"' in Site.over(store).content(SLUG)
    assert 'id="comparison"' not in site.content(SLUG)
    assert site.get(f"{BASE}/estimates.csv", edition="1").status_code == 403
    assert 'id="comparison"' in reader(store, Release(90), name="other").content(SLUG)


def test_few_reports_stay_hidden_after_the_end(store: Store) -> None:
    """A reader who waits for the end sees how many reports came in, and nothing of them."""
    asked = published()
    store.publish(asked)
    answer(store, asked, 19, random.Random(1))
    store.close_survey(SLUG)
    site = reader(store, Release())
    page = unescape(site.content(SLUG))
    assert "Reports: 19" in page
    for question in asked.questions:
        assert str(question.text) in page.split(TEXTS["readers"]["hidden"].format(count="20"))[1]
        assert f"q-{question.id}" not in page
    document = site.get(f"{BASE}/estimates.json").get_json()
    assert (document["reports"], document["questions"]) == (19, [])
    assert site.get(f"{BASE}/figures/asthma.svg").status_code == 404
    report = site.get(f"{BASE}/report.html", lang="en").text
    assert TEXTS["findings"]["none"] in report


def test_a_question_with_few_reports_is_named_without_numbers(store: Store) -> None:
    """On the page, in its report and in its files, which say how many reports each part has."""
    asked = survey(*QUESTIONS, slug=SLUG, ask=1)
    store.publish(asked)
    few = [randomize(asked, {}, blocks=[name]) for name in ["asthma"] * 40 + ["stress"] * 5]
    add_reports(store, few)
    site = reader(store, Release(20))
    texts = TEXTS["readers"]
    for page in (site.content(SLUG), site.get(f"{BASE}/report.html", lang="en").text):
        said = unescape(page)
        assert texts["parts"].format(count="20") in said
        hidden = said.split(texts["hidden"].format(count="20"))[1].split("</ul>")[0]
        assert str(asked.questions[1].text) in hidden
        assert "q-asthma" in said
        assert "q-stress" not in said
    rows = list(
        csv.DictReader(io.StringIO(site.get(f"{BASE}/estimates.csv").data.decode("utf-8-sig")))
    )
    assert [
        (row["kind"], row["reports"], row["note"]) for row in rows if row["question"] == "stress"
    ] == [
        (
            "warning",
            "",
            "fewer than 20 reports are about this question, so it is not shown here",
        )
    ]
    assert {row["reports"] for row in rows if row["question"] == "asthma"} == {"40"}
    document = site.get(f"{BASE}/estimates.json").get_json()
    assert [each["question"] for each in document["questions"]] == ["asthma"]
    assert document["about"]["least"] == 20
    assert "least" not in Site.over(store).get(f"{BASE}/estimates.json").get_json()["about"]
    assert site.get(f"{BASE}/figures/stress.svg").status_code == 404


def test_groups_with_few_reports_count_as_one(store: Store) -> None:
    """Once the survey is closed, each stratum has as many reports as the reader's results."""
    invited = ward()
    store.publish(invited.published)
    store.add_rows({invited.published.digest: ward_rows(invited)})
    site = reader(store, Release(30), WARD)
    base = f"/manage/surveys/{WARD}/results"
    assert site.get(f"{base}/content").status_code == 200
    assert ">45<" not in site.get(f"{base}/response", lang="en").text
    assert site.get(f"{base}/groups").status_code == 409
    store.close_survey(WARD)
    response = site.get(f"{base}/response", lang="en").text
    assert ">45<" in response
    assert "doctors + cleaners" in response
    assert 'data-group="cleaners"' not in response
    page = unescape(site.get(f"{base}/groups", lang="en").text)
    assert TEXTS["readers"]["merged"].format(count="30") in page
    merged = "\u2068doctors + cleaners\u2069"
    assert TEXTS["groups"]["merged"].format(groups=merged) in page
    found = site.get(f"{base}/estimates.json").get_json()["by_group"]
    assert [(each["group"], each["reports"]) for each in found["groups"]] == [
        ("nurses", 45),
        ("doctors + cleaners", 36),
    ]
    asked = site.get(f"{base}/estimates.json", merge="nurses,doctors").get_json()
    assert [each["group"] for each in asked["by_group"]["groups"]] == [
        "nurses + doctors + cleaners"
    ]


def test_nothing_is_shown_by_group_if_all_count_as_one(store: Store) -> None:
    """The page says so; the total is shown."""
    invited = ward()
    store.publish(invited.published)
    store.add_rows({invited.published.digest: ward_rows(invited)})
    store.close_survey(WARD)
    site = reader(store, Release(46), WARD)
    base = f"/manage/surveys/{WARD}/results"
    said = TEXTS["readers"]["alone"].format(count="46")
    for name in ("response", "groups"):
        page = unescape(site.get(f"{base}/{name}", lang="en").text)
        assert said in page
        assert not re.search(r">(45|36|75.0%)<", page)
    assert 'id="by-group"' not in site.content(WARD)
    document = site.get(f"{base}/estimates.json").get_json()
    assert (document["by_group"], document["reports"]) == (None, 81)
    report = unescape(site.get(f"{base}/report.html", lang="en").text)
    assert 'id="by-group"' not in report
    assert 'id="response"' not in report


def test_a_purged_edition_says_so_to_readers(store: Store) -> None:
    """There is nothing to wait for."""
    asked = published()
    store.publish(asked)
    answer(store, asked, 30, random.Random(1))
    store.close_survey(SLUG)
    store.purge_reports(asked.digest)
    page = reader(store, Release(100)).content(SLUG)
    assert TEXTS["content"]["purged"] in unescape(page)
