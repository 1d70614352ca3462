"""Results by group of a survey with groups by link, for owners and for readers."""

from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from deniable_analysis import export_parts, open_study
from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.tokens import Release
from deniable_web.pages.languages import CODES, catalog
from linked import linked, reports_of
from web.results.conftest import Site
from web.results.test_readers import reader

WARD = linked()
BASE = "/manage/surveys/ward/results"
ROUTES = ("response", "groups", "content", "report.html", "estimates.json")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with the survey, and no report."""
    with closing(open_store(tmp_path / "store.sqlite")) as opened:
        opened.publish(WARD)
        yield opened


def filled(store: Store, without: int) -> None:
    """Add reports of both groups, and so many without one; and close the survey."""
    add_reports(store, reports_of(WARD, {"nurses": 40, "doctors": 25, None: without}))
    store.close_survey("ward")


@pytest.mark.parametrize("language", CODES)
def test_the_page_says_what_a_link_gives(store: Store, language: str) -> None:
    """Who took part, results by group, and how many reports have none, in every language."""
    filled(store, 30)
    site, texts = Site.over(store), catalog("results", language)
    found = {name: unescape(site.get(f"{BASE}/{name}", lang=language).text) for name in ROUTES}
    assert texts["response"]["what_linked"] in found["response"]
    assert texts["response"]["what_invited"] not in found["response"]
    assert "data-collected" not in found["response"]
    without = texts["groups"]["without"].partition("{count}")[0]
    for name in ("groups", "report.html"):
        assert without in found[name]
        assert "nurses" in found[name]
    assert 'id="by-group"' in found["content"]
    assert site.get("/manage/surveys/ward/collected").status_code == 404


def test_files_have_the_groups_and_the_reports_without_one(store: Store) -> None:
    """The numbers are those of the study."""
    filled(store, 30)
    document = Site.over(store).get(f"{BASE}/estimates.json").get_json()
    groups = document["by_group"]["groups"]
    assert [(each["group"], each["invited"], each["reports"]) for each in groups] == [
        ("nurses", 412, 40),
        ("doctors", 118, 25),
    ]
    assert (document["by_group"]["without_group"], document["reports"]) == (30, 95)


@pytest.mark.parametrize(("without", "is_shown"), [(0, True), (1, False), (19, False), (20, True)])
def test_few_reports_without_a_group_hide_all_groups(
    store: Store, *, without: int, is_shown: bool
) -> None:
    """All reports without those of the groups are as many as the reader's results, or none."""
    filled(store, without)
    site = reader(store, Release(20), "ward")
    document = site.get(f"{BASE}/estimates.json").get_json()
    assert document["reports"] == 65 + without
    assert bool(document["by_group"]) == is_shown
    page = unescape(site.get(f"{BASE}/groups", lang="en").text)
    said = catalog("results", "en")["readers"]["alone"].format(count="20")
    assert (said in page) == (not is_shown)
    assert ("25</td>" in site.get(f"{BASE}/response", lang="en").text) == is_shown


def test_nothing_depends_on_groups_while_the_survey_is_open(store: Store) -> None:
    """The same values with other groups give the same responses."""
    reports = reports_of(WARD, {"nurses": 40})
    add_reports(store, reports)
    site = Site.over(store)
    assert site.get(f"{BASE}/groups").status_code == 409
    page = site.get(f"{BASE}/response", lang="en").text
    assert "412" in page
    assert ">40<" not in page


def test_an_export_in_parts_keeps_the_groups(store: Store, tmp_path: Path) -> None:
    """What is read from the parts is what was read from the store, without a group, too."""
    filled(store, 30)
    location = str(tmp_path / "store.sqlite")
    export_parts(location, tmp_path / "parts", survey="ward")
    found = [
        open_study(place).estimate(by_group=True).to_document()["by_group"]
        for place in (location, str(tmp_path / "parts"))
    ]
    assert found[0] == found[1]
