"""The page's sentences and charts for questions that only some respondents are asked."""

import csv
import io
import json
import random
import re
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from deniable_analysis import open_study
from deniable_collector.settings import Settings
from deniable_collector.store import add_reports, open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_sdk import PublishedSurvey, compile_survey, randomize
from deniable_web.commands import run
from deniable_web.pages.languages import CODES, catalog
from deniable_web.site import create_site
from results_site import Tables
from sample_definitions import multiple, number, yes_no
from there import there
from web.results.conftest import Site

PEOPLE = 3000
JOINED, APART, LONE = "joined", "apart", "lone"


def routed(slug: str, epsilon: float, **keys: object) -> PublishedSurvey:
    """Three questions for those who were harassed, one of them of several answers."""
    rule = {"question": "harassed", "is": "yes"}
    return compile_survey(
        {
            "title": "Help",
            "slug": slug,
            "epsilon": epsilon,
            "ask": "all",
            "questions": [
                yes_no("harassed", text="Were you harassed?"),
                yes_no("told", text="Did you tell anybody?", show_if=rule),
                multiple("whom", text="Whom?", show_if={"question": "told", "is": "yes"}),
                number("days", 10, text="How many days were you ill?", show_if=rule),
            ],
            **keys,
        }
    )


def _fill(location: str, survey: PublishedSurvey, people: int, source: random.Random) -> None:
    reports = []
    for _ in range(people):
        answers: dict[str, object] = {"harassed": source.random() < 0.4}
        answers["told"] = source.choice([True, True, False, None])
        answers["whom"] = ["o0"]
        answers["days"] = source.randint(2, 4)
        reports.append(randomize(survey, answers, read_bytes=source.randbytes))
    with closing(open_store(location)) as store:
        store.publish(survey)
        add_reports(store, reports)


@pytest.fixture(scope="module")
def routed_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a survey that joins its questions, one that does not, and few reports."""
    location = str(Path(tmp_path_factory.mktemp("routed")) / "store.sqlite")
    source, token = random.Random("routed"), make_token(Role.OWNER)
    joined = routed(JOINED, 10, crosstabs=[["harassed", "told"]], at_most_reports=PEOPLE)
    _fill(location, joined, PEOPLE, source)
    _fill(location, routed(APART, 4), 1500, source)
    _fill(location, routed(LONE, 1), 20, source)
    with closing(open_store(location)) as store:
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
        yield Site(create_site(store, Settings()).test_client(), token, location, store)


def printed(capsys: pytest.CaptureFixture[str], site: Site, slug: str, *arguments: str) -> str:
    """What `deniable results` prints of a survey."""
    assert run(["results", slug, "--store", site.location, *arguments]) == 0
    captured = capsys.readouterr()
    return captured.out + captured.err


@pytest.mark.deep
def test_the_command_says_what_those_who_were_asked_answered(
    capsys: pytest.CaptureFixture[str], routed_site: Site
) -> None:
    """The shares among them stand in a table of their own, or it is said why not."""
    joined = printed(capsys, routed_site, JOINED)
    assert "among those who were asked told (harassed: yes)" in joined
    assert "not asked" in joined
    few = printed(capsys, routed_site, LONE)
    assert "warning: harassed leads to told, and by the reports" in few
    assert "declare crosstabs: [[harassed, told]]" in few
    assert "not asked or no_answer" in few


def test_files_have_a_row_for_each_share_among_those_asked(
    capsys: pytest.CaptureFixture[str], routed_site: Site
) -> None:
    """CSV, JSON and the page's own files have the numbers of the study."""
    found = open_study(routed_site.location, JOINED).among_asked("told")
    path = f"/manage/surveys/{JOINED}/results/estimates"
    texts = [printed(capsys, routed_site, JOINED, "--format", "csv")]
    texts.append(routed_site.get(f"{path}.csv").data.decode("utf-8-sig"))
    for text in texts:
        rows = [row for row in csv.DictReader(io.StringIO(text)) if row["question"] == "told"]
        among = [row for row in rows if row["kind"] == "among_asked"]
        assert [float(row["estimate"]) for row in among] == [each.share for each in found.options]
        of_all = [row["option"] for row in rows if row["kind"] == "option"]
        assert of_all == ["yes", "no", "not asked", "no_answer"]
    document = json.loads(routed_site.get(f"{path}.json").text)
    told = next(each for each in document["questions"] if each["question"] == "told")
    assert told["among_asked"] == found.to_document()
    few = printed(capsys, routed_site, LONE, "--format", "csv")
    untold = [row["note"] for row in csv.DictReader(io.StringIO(few)) if row["kind"] == "untold"]
    assert any("harassed leads to told" in why for why in untold)


def test_the_page_says_what_those_who_were_asked_answered(routed_site: Site) -> None:
    """No headline and no row calls those who were not asked "prefer not to say"."""
    page = routed_site.content(JOINED)
    told = _section(page, "told")
    found = open_study(routed_site.location, JOINED).among_asked("told")
    shares = [each.share for each in found.options]
    assert None not in shares
    shown = [f"{100 * share:z.1f}%" for share in shares if share is not None]
    whole = [f"{100 * share:.0f}%" for share in shares if share is not None]
    assert re.findall(r'class="value"><bdi>(.+?)</bdi>', told) == whole
    finding = page.partition('href="#q-told"')[2].partition("</li>")[0]
    assert f"About <b>{100 * there(shares[0]):.0f}</b> in 100 answered" in finding
    assert "This is among those who were asked." in finding
    assert "Only those who answered “\u2068Yes\u2069” to “\u2068Were you harassed?\u2069”" in told
    assert "associat" not in page, "who is asked the one depends on the other anyway"
    among, of_all = Tables(page).found["d-told"]
    assert [row[0] for row in among[1:]] == ["Yes", "No", "Prefer not to say"]
    assert [row[1] for row in among[1:]] == shown
    assert [row[0] for row in of_all[1:]] == ["Yes", "No", "Not asked", "Prefer not to say"]
    _, apart = Tables(routed_site.content(APART)).found["d-told"]
    assert [row[0] for row in apart[1:]][-1] == "Not asked, or prefer not to say"


def test_a_crosstab_names_those_who_were_not_asked(routed_site: Site) -> None:
    """In its cells nobody can tell them from those who preferred not to say."""
    for heat in Tables(routed_site.content(JOINED)).found["x-harassed_x_told"]:
        assert "Not asked, or prefer not to say" in heat[1] + heat[0]


@pytest.mark.parametrize("language", CODES)
def test_the_page_says_why_nothing_can_be_told(routed_site: Site, language: str) -> None:
    """In every language, with what to declare, beside the intervals from 0 to 100 %."""
    texts = catalog("results", language)["asked"]
    told = unescape(_section(routed_site.content(LONE, lang=language), "told"))
    assert texts["too_few"] in told
    assert texts["join"].format(router="harassed", question="told") in told
    assert texts["below"] in told
    page = unescape(routed_site.content(LONE, lang=language))
    (untold,) = re.findall(r'id="untold".*?</section>', page, re.DOTALL)
    assert 'href="#q-told"' in untold


def _section(page: str, question: str) -> str:
    """What the page says of a question."""
    return page.partition(f'id="q-{question}"')[2].partition("</article>")[0]
