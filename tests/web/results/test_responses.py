"""What browsers may keep of the results, and in which form they are sent."""

from contextlib import closing
from pathlib import Path

import brotli
import pytest
from werkzeug.test import TestResponse

from deniable_collector.store import open_store
from results_site import EMPTY, HEALTH, STRESS
from ward_site import WARD, fill_ward, ward
from web.results.conftest import Site

CONTENT = "/manage/surveys/{}/results/content"
PARTS = ("content", "response", "groups")


def ask(site: Site, path: str, query: str = "lang=en", **headers: str) -> TestResponse:
    """The response to an owner who sends these headers."""
    sent = {"Authorization": f"Bearer {site.token}", **headers}
    return site.client.get(f"{path}?{query}", headers=sent)


@pytest.mark.parametrize(
    "path",
    [
        "/surveys",
        f"/surveys/{HEALTH}/results",
        "/manage/surveys",
        CONTENT.format(HEALTH),
        f"/manage/surveys/{HEALTH}/results/plan",
        f"/manage/surveys/{HEALTH}/results/estimates.json",
        "/build",
        f"/surveys/{HEALTH}/share",
    ],
)
def test_pages_and_parts_are_compressed_for_who_accepts_it(sqlite_site: Site, path: str) -> None:
    """The same text, in less than half of the bytes; without the header it is plain."""
    plain = ask(sqlite_site, path)
    small = ask(sqlite_site, path, **{"Accept-Encoding": "br, gzip;q=0.5"})
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "br"
    assert brotli.decompress(small.data) == plain.data
    assert 2 * len(small.data) < len(plain.data)
    for response in (plain, small):
        assert "Accept-Encoding" in response.headers["Vary"]
    refused = ask(sqlite_site, path, **{"Accept-Encoding": "gzip;q=0"})
    assert refused.data == plain.data


def test_a_short_response_and_a_picture_stay_as_they_are(sqlite_site: Site) -> None:
    """Compressing them would cost more than it saves."""
    for name in ("state", "figures/health.png", "estimates.xlsx"):
        path = f"/manage/surveys/{HEALTH}/results/{name}"
        response = ask(sqlite_site, path, **{"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in response.headers


def test_an_open_survey_is_kept_by_nobody(sqlite_site: Site) -> None:
    """Nor are the page, the list, the state or a file."""
    for path in (
        CONTENT.format(STRESS),
        CONTENT.format(EMPTY),
        "/manage/surveys",
        f"/surveys/{STRESS}/results",
        f"/manage/surveys/{STRESS}/results/state",
        f"/manage/surveys/{STRESS}/results/estimates.csv",
    ):
        response = ask(sqlite_site, path)
        assert response.headers["Cache-Control"] == "no-store"
        assert "ETag" not in response.headers


def test_a_closed_survey_is_sent_again_only_if_it_changed(sqlite_site: Site) -> None:
    """The reader's browser keeps it and asks with its digest; shared caches keep nothing."""
    path = CONTENT.format(STRESS)
    first = ask(sqlite_site, path, "lang=en&edition=1", **{"Accept-Encoding": "gzip"})
    assert first.headers["Cache-Control"] == "private, no-cache"
    kept = {"If-None-Match": first.headers["ETag"], "Accept-Encoding": "gzip"}
    again = ask(sqlite_site, path, "lang=en&edition=1", **kept)
    assert (again.status_code, again.data) == (304, b"")
    for query in ("lang=de&edition=1", "lang=en&edition=1&confidence=0.9"):
        other = ask(sqlite_site, path, query, **kept)
        assert other.status_code == 200
        assert other.headers["ETag"] != first.headers["ETag"]
    headers = {"If-None-Match": first.headers["ETag"]}
    assert sqlite_site.client.get(f"{path}?lang=en&edition=1", headers=headers).status_code == 401


@pytest.mark.deep
def test_parts_of_a_closed_survey_are_kept_too(tmp_path: Path) -> None:
    """After its reports are deleted, they are sent anew."""
    published = ward(first_key=70)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        fill_ward(store, published)
        store.close_survey(WARD)
        site = Site.over(store)
        base = f"/manage/surveys/{WARD}/results"
        tags = {name: ask(site, f"{base}/{name}").headers["ETag"] for name in PARTS}
        for name, tag in tags.items():
            assert ask(site, f"{base}/{name}", **{"If-None-Match": tag}).status_code == 304
        store.purge_reports(published.published.digest)
        for name in ("content", "response"):
            changed = ask(site, f"{base}/{name}", **{"If-None-Match": tags[name]})
            assert changed.status_code == 200
