"""A reader sees the results of one survey under a condition; before, nothing of its reports."""

import json
import random
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


@pytest.mark.deep
def test_readers_see_groups_as_others_do(store: Store) -> None:
    """Once the owner has closed the survey, and not before, whatever the condition is."""
    invited = ward()
    store.publish(invited.published)
    store.add_rows({invited.published.digest: ward_rows(invited)})
    site = reader(store, Release(50), WARD)
    base = f"/manage/surveys/{WARD}/results"
    assert site.get(f"{base}/content").status_code == 200
    assert ">45<" not in site.get(f"{base}/response", lang="en").text
    assert site.get(f"{base}/groups").status_code == 409
    store.close_survey(WARD)
    assert ">45<" in site.get(f"{base}/response", lang="en").text
    assert site.get(f"{base}/groups").status_code == 200


def test_a_purged_edition_says_so_to_readers(store: Store) -> None:
    """There is nothing to wait for."""
    asked = published()
    store.publish(asked)
    answer(store, asked, 30, random.Random(1))
    store.close_survey(SLUG)
    store.purge_reports(asked.digest)
    page = reader(store, Release(100)).content(SLUG)
    assert TEXTS["content"]["purged"] in unescape(page)
