"""Until when a survey is open, and what its owner changed."""

import json
import random
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from deniable_collector.clock import utc_now
from deniable_collector.store import add_reports, open_store
from deniable_sdk import randomize
from deniable_web.pages.languages import CODES, catalog
from sample_definitions import survey, yes_no
from web.results.conftest import Site
from web.results.test_page import plain

LATER, MUCH_LATER = "2095-03-01T12:00Z", datetime(2096, 3, 1, 12, tzinfo=UTC)
WINDOWS: dict[str, dict[str, object]] = {
    "ever": {},
    "early": {"opens": LATER},
    "until": {"closes": LATER},
    "moved": {"closes": LATER},
    "counted": {"at_most_reports": 50},
    "more": {"at_most_reports": 50},
    "over": {"closes": "2020-01-01T00:00Z"},
}
SAID = {
    "early": "The survey opens on March 1, 2095, 12:00 UTC.",
    "until": "The survey is open until March 1, 2095, 12:00 UTC.",
    "moved": "The owner extended this survey until March 1, 2096, 12:00 UTC.",
    "more": "The owner extended this survey to 90 reports.",
}


@pytest.fixture(scope="module")
def ending_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A survey for each window, with a few reports where it accepts some."""
    location = Path(tmp_path_factory.mktemp("endings")) / "store.sqlite"
    source = random.Random("endings")
    with closing(open_store(location)) as store:
        for slug, window in WINDOWS.items():
            published = survey(yes_no(), slug=slug, **window)
            store.publish(published)
            add_reports(store, [randomize(published, {}, read_bytes=source.randbytes)])
        store.extend("moved", utc_now(), closes=MUCH_LATER)
        store.extend("more", utc_now(), at_most_reports=90)
        yield Site.over(store, str(location))


@pytest.mark.parametrize("slug", WINDOWS)
def test_the_end_is_said(ending_site: Site, slug: str) -> None:
    """A moment in UTC, which the script replaces by the reader's own, or nothing."""
    page = plain(ending_site.content(slug))
    for other, sentence in SAID.items():
        assert (sentence in page) == (other == slug), other


@pytest.mark.parametrize("slug", WINDOWS)
def test_only_an_end_that_is_ahead_is_counted_down(ending_site: Site, slug: str) -> None:
    """The script counts from what the page says, without a request."""
    page = ending_site.content(slug)
    ahead = {"until": "2095-03-01T12:00:00+00:00", "moved": "2096-03-01T12:00:00+00:00"}
    assert ('data-closes="' in page) == (slug in ahead)
    assert f'data-closes="{ahead.get(slug, "")}' in page or slug not in ahead


@pytest.mark.parametrize("slug", WINDOWS)
def test_only_a_survey_that_takes_answers_has_a_link_to_its_form(
    ending_site: Site, slug: str
) -> None:
    """On the page of results and in the list of surveys."""
    is_ahead = slug != "over"
    link = f'/s/{slug}"'
    assert (link in ending_site.content(slug)) == is_ahead
    assert (link in ending_site.get("/manage/surveys").text) == is_ahead


@pytest.mark.parametrize("language", CODES)
def test_an_extended_survey_says_so_in_each_language(ending_site: Site, language: str) -> None:
    """Once with the end, and once with what follows for the intervals."""
    page = plain(ending_site.content("moved", lang=language))
    texts = catalog("results", language)
    assert plain(texts["ending"]["extended"]).partition("{moment}")[0] in page
    assert plain(texts["reasons"]["extended"]) in page


def test_a_closed_extended_survey_still_says_so(tmp_path: Path) -> None:
    """Whoever reads the results later learns it too."""
    published = survey(yes_no(), closes=LATER)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(published)
        add_reports(store, [randomize(published, {})])
        store.extend("health", utc_now(), closes=MUCH_LATER)
        store.close_survey("health")
        site = Site.over(store)
        page = site.content("health")
        assert SAID["moved"] in plain(page)
        assert "data-closes" not in page
        state = json.loads(site.get("/manage/surveys/health/results/state").data)
        assert (state["state"], state["is_closed"]) == ("closed", True)
        store.purge_reports(published.digest)
        assert SAID["moved"] not in plain(site.content("health"))
