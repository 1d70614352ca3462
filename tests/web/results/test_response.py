"""Response rates: invited people, their reports, and who asks the issuer for more."""

from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from deniable_analysis import open_study
from deniable_collector import add_reports
from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from invitations import InvitedSurvey, survey_at_sites
from there import there
from ward_site import PAST, REPORTED, WARD, fill_ward, ward
from web.results.conftest import Site
from web.results.group_pages import OTHER, TEXTS, own, page_tables, part
from web.results.test_page import percent


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


def test_more_reports_than_people_are_said(tmp_path: Path) -> None:
    """Then more tokens were signed; a bar never leaves its cell."""
    invited = {"nurses": 20, "doctors": 40}
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        fill_ward(store, ward(first_key=40, invited=invited), {"nurses": 21, "doctors": 3})
        store.close_survey(WARD)
        markup = unescape(part(Site.over(store), "response"))
    assert TEXTS["response"]["too_many"].format(groups="\u2068Nursing staff\u2069") in markup
    assert 'class="reports-bar" x="0.0%" width="100.0%"' in markup
    assert "105.0%" in markup


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_site_shows_the_response_of_its_own_groups(tmp_path: Path, is_closed: bool) -> None:
    """Whoever is invited at another site reports there; results describe those invited here."""
    invited = survey_at_sites({"nurses": "north", "doctors": "south"}, slug="two", first_key=60)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(invited.published)
        add_reports(store, [invited.report(invited.token("nurses")) for _ in range(30)])
        if is_closed:
            store.close_survey("two")
        site = Site.over(store, settings=Settings(site="north"))
        (table,) = page_tables(part(site, "response", "two"))["part"]
        assert [row[0] for row in table[1:]] == ["nurses", "All invited"]
        assert table[0][-2] == "Invited"
        assert [row[-2] for row in table[1:]] == ["100", "100"]
        if is_closed:
            assert [row[2] for row in table[1:]] == ["30", "30"]
            assert "doctors" not in part(site, "groups", "two")


@pytest.mark.parametrize(
    ("until", "key"), [(PAST, "asking"), ("2095-01-31T18:00Z", "later"), ("", "never")]
)
def test_it_is_said_when_collected_tokens_are_known(tmp_path: Path, until: str, key: str) -> None:
    """The issuer is asked only once it publishes the number."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(ward(first_key=50, until=until).published)
        markup = unescape(part(Site.over(store), "response"))
    said = TEXTS["response"][key].format(moment="January 31, 2095, 18:00 UTC")
    assert said in markup
    assert (" data-ask>" in markup) == (key == "asking")


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
