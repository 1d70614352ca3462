"""What the page for sharing a survey offers, for each state of a survey."""

import html
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from built_fieldwork import MODULUS
from deniable_collector.settings import Settings
from deniable_collector.store import add_reports, open_store
from deniable_sdk import randomize
from deniable_web.pages.languages import CODES, catalog
from deniable_web.site import create_site
from sample_definitions import survey, yes_no

EARLY: dict[str, object] = {"opens": "2095-03-01T12:00Z"}
LINKED = {
    "nurses": {"number": 412, "text": {"en": "Nurses", "de": "Pflege"}},
    "doctors": {"number": 118},
}
OVER: dict[str, object] = {"closes": "2020-01-01T00:00Z"}
# Each survey: its state, whether people are invited, and its window or groups.
SURVEYS: dict[str, tuple[str, bool, dict[str, object]]] = {
    "open": ("open", False, {}),
    "early": ("not_open", False, EARLY),
    "closed": ("closed", False, {}),
    "over": ("ended", False, OVER),
    "full": ("ended", False, {"at_most_reports": 1}),
    "linked": ("open", False, {"groups": LINKED}),
    "invited": ("open", True, {}),
    "invited-early": ("not_open", True, EARLY),
    "invited-over": ("ended", True, OVER),
}
# For everybody: the link, the button that opens the form, the code, both snippets.
FOR_ALL = ('id="link"', 'target="_blank"', 'id="code"', 'id="component"', 'id="frame"')


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A site with a survey in each state."""
    location = Path(tmp_path_factory.mktemp("sharing")) / "store.sqlite"
    with closing(open_store(location)) as store:
        for place, (slug, (_, is_invited, window)) in enumerate(SURVEYS.items()):
            # A key of its own for each survey.
            modulus = MODULUS[:9] + chr(ord("B") + place) + MODULUS[10:]
            groups = {"nurses": {"invited": 412, "modulus": modulus}}
            invited = {"issuer": "https://council.example.org", "groups": groups}
            keys = {"invited": invited} if is_invited else {}
            published = survey(yes_no(), slug=slug, **window, **keys)
            store.publish(published)
            if slug == "full":
                add_reports(store, [randomize(published, {})])
        store.close_survey("closed")
        yield create_site(store, Settings()).test_client()


@pytest.mark.parametrize("slug", SURVEYS)
@pytest.mark.parametrize("language", CODES)
def test_the_page_knows_the_state(client: FlaskClient, slug: str, language: str) -> None:
    """It says whether the survey accepts answers, and offers only what somebody can use."""
    state, is_invited, _ = SURVEYS[slug]
    page = html.unescape(client.get(f"/surveys/{slug}/share?lang={language}").text)
    texts = catalog("builder", language)["share"]
    for other in ("open", "not_open", "closed", "ended"):
        begin = texts[f"state_{other}"].partition("{moment}")[0]
        assert (begin in page) == (other == state)
    is_ahead = state in ("open", "not_open")
    assert ("2095-03-01T12:00:00+00:00" in page) == (state == "not_open")
    assert {part in page for part in FOR_ALL} == {is_ahead and not is_invited}
    assert (texts["invite_text"] in page) == (is_ahead and is_invited)
    assert (f"deniable invite {slug} people.csv" in page) == (is_ahead and is_invited)
    assert f"/surveys/{slug}/results" in page
    assert ('id="close"' in page) == (slug != "closed")


def test_each_group_has_its_own_link(client: FlaskClient) -> None:
    """The page lists the groups with names, numbers and links; other surveys have no such list."""
    page = html.unescape(client.get("/surveys/linked/share?lang=de").text)
    for group, name, people in (("nurses", "Pflege", 412), ("doctors", "doctors", 118)):
        assert f"<bdi>{name}</bdi> ({people} Personen)" in page
        assert f'href="../../s/linked#group={group}"' in page
    assert "#group=" not in client.get("/surveys/open/share").text
