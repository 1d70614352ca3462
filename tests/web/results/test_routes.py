"""The routes of results: access rights, refusals and downloads."""

import csv
import io
import json
import random
from contextlib import closing
from pathlib import Path

import openpyxl
import pytest
from werkzeug.test import TestResponse

from deniable_analysis import open_study
from deniable_collector.settings import Settings
from deniable_collector.store import add_reports, open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_sdk import randomize
from deniable_web.pages.languages import catalog
from deniable_web.site import create_site
from problem_checks import assert_members
from results_site import EMPTY, FEW, HEALTH, SECOND_REPORTS, STRESS, add_stress, stress
from sample_definitions import survey, yes_no
from web.results.conftest import Site

ROUTES = (
    "/manage/surveys",
    f"/manage/surveys/{HEALTH}/results/state",
    f"/manage/surveys/{HEALTH}/results/content",
    f"/manage/surveys/{HEALTH}/results/plan",
    f"/manage/surveys/{HEALTH}/results/estimates.csv",
    f"/manage/surveys/{HEALTH}/results/figures/health.svg",
)


def assert_problem(answer: TestResponse, name: str) -> None:
    """Nothing, if the answer is the refusal of this name."""
    document = json.loads(answer.data)
    assert_members(document, name)
    assert answer.status_code == document["status"]


@pytest.mark.parametrize("path", ROUTES)
def test_data_take_a_token(sqlite_site: Site, path: str) -> None:
    """Without one there is nothing; an analyst's token is enough."""
    assert_problem(sqlite_site.client.get(path), "token-refused")
    token = make_token(Role.ANALYST)
    sqlite_site.store.add_token(AccessToken("analyst", Role.ANALYST), digest_of(token))
    headers = {"Authorization": f"Bearer {token}"}
    assert sqlite_site.client.get(path, headers=headers).status_code == 200
    sqlite_site.store.remove_token("analyst")


@pytest.mark.parametrize("path", ["/surveys", f"/surveys/{HEALTH}/results"])
def test_pages_hold_nothing_of_a_survey(sqlite_site: Site, path: str) -> None:
    """Anybody may load them: what they show comes with a token only, under the strict policy."""
    page = sqlite_site.client.get(path)
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "physical limitation" not in page.text
    assert "3,000" not in page.text
    assert page.text == sqlite_site.client.get(path.replace(HEALTH, "health")).text


@pytest.mark.parametrize("what", ["state", "content", "plan", "estimates.csv", "figures/a.svg"])
def test_what_is_not_there_is_refused(sqlite_site: Site, what: str) -> None:
    """An unknown survey, and an edition that the survey does not have."""
    unknown = sqlite_site.get(f"/manage/surveys/nothing/results/{what}")
    assert_problem(unknown, "unknown-survey")
    edition = sqlite_site.get(f"/manage/surveys/{STRESS}/results/{what}", edition="3")
    assert_problem(edition, "unknown-survey")


@pytest.mark.parametrize("name", ["estimates.ods", "figures/nothing.svg", "figures/health.gif"])
def test_files_of_other_kinds_are_not_found(sqlite_site: Site, name: str) -> None:
    """There is no such format, or no such question."""
    assert_problem(sqlite_site.get(f"/manage/surveys/{HEALTH}/results/{name}"), "not-found")


def test_an_impossible_choice_is_the_default(sqlite_site: Site) -> None:
    """Whoever edits the address gets the intervals that everybody gets."""
    usual = sqlite_site.content(HEALTH)
    assert sqlite_site.content(HEALTH, confidence="2", interval="none") == usual
    plan = sqlite_site.get(f"/manage/surveys/{HEALTH}/results/plan", margin="1000", lang="en")
    assert "±3.0" in plan.text


def test_the_list_folds_editions_and_links_to_everything(sqlite_site: Site) -> None:
    """Each survey stands once, with its reports and where to go from there."""
    page = sqlite_site.get("/manage/surveys", lang="en").text
    assert [page.count(f'id="survey-{slug}"') for slug in (HEALTH, STRESS, EMPTY, FEW)] == [1] * 4
    assert "Reports: 3,000" in page
    assert f'href="./surveys/{STRESS}/results?lang=en&amp;edition=1"' in page
    for link in (f"/s/{HEALTH}", f"/surveys/{HEALTH}/results", f"/surveys/{HEALTH}/share"):
        assert f'href=".{link}' in page
    texts = catalog("results", "en")["surveys"]
    for key in ("results", "share", "form", "copy"):
        assert f'>{texts[key]}<span class="for-screen-readers">' in page


def test_an_empty_store_leads_to_the_builder_and_a_purged_survey_says_so(tmp_path: Path) -> None:
    """Nobody is left in front of an empty page."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        token = make_token(Role.OWNER)
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
        site = Site(create_site(store, Settings()).test_client(), token, "", store)
        page = site.get("/manage/surveys", lang="en").text
        assert 'href="./new?lang=en"' in page
        texts = catalog("results", "en")
        assert texts["surveys"]["empty_title"] in page
        survey = stress("First")
        store.publish(survey)
        add_stress(store, survey, 40, random.Random(4))
        store.close_survey(STRESS)
        store.purge_reports(survey.digest)
        assert texts["surveys"]["purged"] in site.get("/manage/surveys", lang="en").text
        assert texts["content"]["purged"] in site.content(STRESS)


def test_what_is_shown_as_open_is_open(tmp_path: Path) -> None:
    """Lists and pages say that a survey is not open yet, or closed, as its window says."""
    windows: dict[str, tuple[dict[str, object], str]] = {
        "early": ({"opens": "2095-01-01T00:00Z"}, "not_open"),
        "full": ({"at_most_reports": 1}, "closed"),
        "inside": ({"opens": "2020-01-01T00:00Z"}, "open"),
        "late": ({"closes": "2020-01-01T00:00Z"}, "closed"),
    }
    texts = catalog("results", "en")["surveys"]
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        token = make_token(Role.OWNER)
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
        site = Site(create_site(store, Settings()).test_client(), token, "", store)
        for slug, (window, _) in windows.items():
            published = survey(yes_no(), slug=slug, **window)
            store.publish(published)
            add_reports(store, [randomize(published, {})])
        cards = site.get("/manage/surveys", lang="en").text.split("<article")
        for slug, (_, state) in windows.items():
            (card,) = (card for card in cards if f'id="survey-{slug}"' in card)
            mark = " open" if state == "open" else ""
            badge = f'<span class="badge{mark}">{texts[state]}</span>'
            assert badge in card
            assert badge in site.content(slug)


def test_the_state_is_cheap_and_says_when_to_look_again(sqlite_site: Site) -> None:
    """The number of reports now, and how many a page would tell of."""
    state = json.loads(sqlite_site.get(f"/manage/surveys/{STRESS}/results/state").data)
    assert state == {
        "is_released": True,
        "reports": SECOND_REPORTS,
        "reports_in_words": "1,200",
        "shown": SECOND_REPORTS,
        "is_closed": False,
        "state": "open",
    }


def test_data_files_hold_every_estimate(site: Site) -> None:
    """CSV, JSON and a spreadsheet have the same numbers, named after survey and edition."""
    study = open_study(site.location, HEALTH)
    document = study.estimate(confidence=0.99).to_document()
    base = f"/manage/surveys/{HEALTH}/results/estimates"
    answers = {kind: site.get(f"{base}.{kind}", confidence="0.99") for kind in ("csv", "json")}
    found = json.loads(answers["json"].data)
    assert {name: found[name] for name in document} == document
    assert answers["csv"].headers["Content-Disposition"] == 'attachment; filename="health-1.csv"'
    rows = list(csv.DictReader(io.StringIO(answers["csv"].data.decode("utf-8-sig"))))
    shares = [
        option["share"] for question in document["questions"] for option in question["options"]
    ]
    assert [float(row["estimate"]) for row in rows if row["kind"] == "option"] == shares
    book = openpyxl.load_workbook(
        io.BytesIO(site.get(f"{base}.xlsx", confidence="0.99").data), read_only=True
    )
    _, *cells = book["Estimates"].iter_rows(values_only=True)
    place = list(rows[0]).index("estimate")
    found = [cell[place] for cell in cells if cell[0] == "option"]
    assert found == pytest.approx(shares, abs=1e-12)
    about = {line[0]: line[2] for line in book["About"].iter_rows(values_only=True)}
    assert about["epsilon"] == 2
    assert about["confidence"] == 0.99
    assert about["reports"] == document["reports"]


def test_files_are_in_the_language_of_the_page(sqlite_site: Site) -> None:
    """The texts of questions, and the words of the interface."""
    base = f"/manage/surveys/{STRESS}/results"
    rows = sqlite_site.get(f"{base}/estimates.csv", lang="ar").data.decode("utf-8-sig")
    assert "هل تعرضت للمضايقة؟" in rows
    drawn = sqlite_site.get(f"{base}/figures/harassed.svg", lang="ar").data.decode()
    assert "<!-- هل تعرضت للمضايقة؟ -->" in drawn
    assert "<!-- نعم -->" in drawn


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["health", "doctor_visits", "limitation_x_health"])
def test_figures_say_their_reports_and_epsilon(sqlite_site: Site, name: str) -> None:
    """The same reports give the same SVG; a PNG is one."""
    blocks = {block.id for block in open_study(sqlite_site.location, HEALTH).survey.blocks}
    name = name if name in blocks or "_x_" not in name else next(b for b in blocks if "_x_" in b)
    base = f"/manage/surveys/{HEALTH}/results/figures/{name}"
    drawn = sqlite_site.get(f"{base}.svg")
    assert drawn.mimetype == "image/svg+xml"
    assert drawn.headers["Content-Disposition"] == f'attachment; filename="health-1-{name}.svg"'
    assert b"Epsilon: 2. Lines: 95% intervals." in drawn.data
    assert drawn.data == sqlite_site.get(f"{base}.svg").data
    assert sqlite_site.get(f"{base}.png").data.startswith(b"\x89PNG")
