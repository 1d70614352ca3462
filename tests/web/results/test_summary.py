"""What was found and what cannot be told, in sentences with the numbers of the study."""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from numpy.typing import ArrayLike

from council_site import COUNCIL, council, fill_council
from deniable_analysis import Interval, open_study
from deniable_analysis.planning import planned_estimates
from deniable_analysis.planning.looks import Looks
from deniable_analysis.results import QuestionEstimate, ShareEstimate
from deniable_analysis.simulation import simulate_survey
from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey, compile_survey
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.survey.definition import Definition
from deniable_storage.ends import PLANNED, UNDERWAY, End, Fieldwork
from deniable_web.forecast.advice import USEFUL_MARGIN
from deniable_web.forecast.survey import forecast
from deniable_web.pages.languages import CODES, catalog
from deniable_web.results.ending import interval_reason
from deniable_web.results.findings import ResultChoices, find
from deniable_web.results.labels import Labels
from deniable_web.results.outlook import wanted
from deniable_web.results.summary import SummaryView, summary_view
from results_site import EMPTY, FEW, HEALTH, STRESS
from sample_definitions import choice, definition, number, survey, yes_no
from there import there
from web.results.conftest import Site
from web.results.test_page import plain

COUNT = 1500


@pytest.fixture(scope="module")
def council_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A survey of 15 questions that ended as planned."""
    location = tmp_path_factory.mktemp("council") / "store.sqlite"
    with closing(open_store(location)) as store:
        fill_council(store, council(at_most_reports=COUNT), COUNT)
        yield Site.over(store, str(location))


def findings(page: str) -> dict[str, str]:
    """The sentences of the findings, by question."""
    found = re.findall(r'<li><a class="asks" href="#q-(\w+)".*?</a>(.*?)</li>', page, re.DOTALL)
    return {question: plain(sentence) for question, sentence in found}


def whole(found: ShareEstimate) -> tuple[int, int, int]:
    """A share and its interval as whole percentages, the interval rounded outwards."""
    low, high = 100 * there(found.low), 100 * there(found.high)
    return round(100 * there(found.valid_share)), max(0, int(low // 1)), min(100, -int(-high // 1))


def graded(found: QuestionEstimate) -> str:
    """How precise shares are: within 5 points, or within 10."""
    margins = [(there(each.high) - there(each.low)) / 2 for each in found.options]
    return "Precise." if max(margins) <= 0.05 else "Rough."


def test_each_kind_of_question_has_its_sentence(council_site: Site) -> None:
    """The share of yes, the most common answer, the highest band, and means; and a grade."""
    said = findings(council_site.content(COUNCIL))
    study = open_study(council_site.location, COUNCIL).estimate()
    found = {each.question: each for each in study.questions}
    share, low, high = whole(found["mask"].options[0])
    assert (
        said["mask"]
        == f"About {share} in 100 answered “\u2068Yes\u2069”, between {low} and {high}. "
        f"{graded(found['mask'])}"
    )
    share, low, high = whole(found["mood"].options[2])
    assert said["mood"].startswith(
        f"About {share} in 100 are in the highest band, “\u2068many\u2069”"
    )
    first = max(found["years"].options, key=lambda each: there(each.share))
    share, low, high = whole(first)
    assert said["years"] == (
        "The most common answer is “\u2068less than 2\u2069”: about "
        f"{share} in 100, between {low} and {high}. {graded(found['years'])}"
    )
    mean = there(found["sick"].mean)
    ends = (f"{there(each):.1f}" for each in (mean.low, mean.high))
    assert said["sick"].startswith(
        "The mean is {:.1f} days, between {} and {}.".format(there(mean.value), *ends)
    )
    assert "on a scale from 0 to 10, between" in said["satisfied"]


def test_clear_associations_stand_among_the_findings(council_site: Site) -> None:
    """With a link to their crosstab; others are not there."""
    page = council_site.content(COUNCIL)
    (found,) = re.findall(r'id="found".*?</section>', page, re.DOTALL)
    linked = set(re.findall(r'href="#x-(\w+)"', found))
    articles = re.findall(r'<article[^>]* id="x-(\w+)"(.*?)</article>', page, re.DOTALL)
    clear = {name for name, inner in articles if "associated" in inner}
    assert articles
    assert linked == clear


def test_questions_without_a_finding_are_said_once(council_site: Site) -> None:
    """Those whose margin is above 10 points, with as many respondents as they need."""
    page = council_site.content(COUNCIL)
    study = open_study(council_site.location, COUNCIL).estimate()
    wide = {
        each.question
        for each in study.questions
        if each.among is None
        and each.mean is None
        and max((there(one.high) - there(one.low)) / 2 for one in each.options) > 0.1
    }
    (untold,) = re.findall(r'id="untold".*?</section>', page, re.DOTALL)
    listed = re.findall(r'href="#q-(\w+)"', untold)
    assert wide
    assert wide <= {*listed}
    assert "helped" in listed, "too few were asked it"
    assert {*listed}.isdisjoint(findings(page))
    assert {*listed} | {*findings(page)} == {each.question for each in study.questions}
    needed = int(there(re.search(r"About ([\d,]+) respondents", untold))[1].replace(",", ""))
    assert needed > COUNT
    assert page.count(plain(catalog("results", "en")["untold"]["wide"])[:30]) == 1


def test_contents_lead_to_everything(council_site: Site) -> None:
    """Each link of the page leads to an element of the page or of its frame."""
    page = council_site.content(COUNCIL)
    frame = council_site.client.get(f"/surveys/{COUNCIL}/results").text
    targets = re.findall(r'href="#([\w-]+)"', page)
    assert len({*targets}) > 17
    for target in targets:
        assert f'id="{target}"' in page + frame, target
    for term in re.findall(r'popovertarget="([\w-]+)"', page):
        assert f'id="{term}"' in frame, term


def test_few_reports_find_nothing(sqlite_site: Site) -> None:
    """No sentence, all questions are listed, and charts that show nothing are in folds."""
    page = unescape(sqlite_site.content(FEW))
    texts = catalog("results", "en")
    assert findings(page) == {}
    assert texts["findings"]["none"] in page
    (untold,) = re.findall(r'id="untold".*?</section>', page, re.DOTALL)
    assert re.findall(r'href="#q-(\w+)"', untold) == ["harassed", "stress", "told", "mood"]
    assert page.count(texts["content"]["anyway"]) == page.count('<details id="b-') > 0
    assert 'id="found"' not in sqlite_site.content(EMPTY)


@pytest.mark.deep
def test_nothing_large_is_negative(sqlite_site: Site) -> None:
    """Charts, cells and sentences have possible shares only; raw ones are in the folds."""
    for slug in (HEALTH, STRESS, FEW):
        page = sqlite_site.content(slug).partition('id="comparison"')[0]
        folds = re.compile(r'<details id="x?d-.*?</details>', re.DOTALL)
        assert re.search(r">-\d", "".join(folds.findall(page)))
        assert not re.search(r"(?<![\w-])-\d", plain(folds.sub("", page)))


def summary(survey: PublishedSurvey, answers: Mapping[str, ArrayLike]) -> SummaryView:
    """The summary of simulated respondents with these answers, in English."""
    study = simulate_survey(survey, answers, np.random.default_rng(1))
    return summary_view(find(study, ResultChoices(0.95, None)), Labels.of(survey, "en"))


def test_narrow_intervals_are_said_in_a_thousand() -> None:
    """A share that is known to less than a percentage needs no rounding to one."""
    (found,) = summary(
        survey(yes_no("harassed", required=True), epsilon=4),
        {"harassed": np.repeat([0, 1], [12_400, 87_600])},
    ).findings
    assert found.values["base"] == "1,000"
    low, share, high = (
        int(re.sub(r"\D", "", found.values[key])) for key in ("low", "share", "high")
    )
    assert low <= 124 <= high
    assert low <= share <= high < low + 20


def test_what_may_be_as_common_is_said() -> None:
    """If intervals overlap, the other answer is named; two others are not."""
    asked = survey(choice("area", options=4, required=True), epsilon=4)

    def rivals(*counts: int) -> int:
        (found,) = summary(asked, {"area": np.repeat(range(4), counts)}).findings
        return len(found.rivals)

    assert rivals(3000, 500, 500, 500) == 0
    assert rivals(1500, 1500, 500, 500) == 1
    assert rivals(1500, 1500, 1500, 500) == 2


def test_what_nobody_can_tell_is_said() -> None:
    """At a tiny epsilon no number of respondents is enough; without a report nothing is known."""
    many = [choice(f"q{place}", options=50) for place in range(40)]
    hopeless = summary(
        survey(*many, epsilon=0.01, ask="all"), {each["id"]: [0, 1, 2] for each in many}
    )
    assert [question for question, _ in hopeless.wide] == [each["id"] for each in many]
    assert hopeless.respondents == ""
    empty = summary(survey(yes_no("a"), number("b"), ask=1), {"a": [0], "b": [3]})
    assert len(empty.unreported) == 1


def test_no_number_is_said_of_those_who_were_asked() -> None:
    """No plan knows how many they are; the words say that they need more."""
    router, told = (
        yes_no("harassed"),
        yes_no("told", show_if={"question": "harassed", "is": "yes"}),
    )
    asked = survey(router, told, epsilon=4, ask=1)
    answers = np.arange(4_000) % 10
    found = summary(asked, {"harassed": np.where(answers, 1, 0), "told": np.where(answers, 2, 0)})
    assert [question for question, _ in found.wide] == ["told"]
    assert (found.enough, found.respondents) == (("of_asked",), "")


@pytest.mark.parametrize("part", [0.003, 0.5, 1.2])
@pytest.mark.parametrize("fieldwork", [UNDERWAY, PLANNED])
def test_the_respondents_needed_are_one_number(part: float, fieldwork: Fieldwork) -> None:
    """However many reports there are: that of the outlook, of the plan and of the forecast."""
    written = definition(
        yes_no("harassed"), choice("first"), epsilon=1, ask=1, closes="2090-01-01T00:00Z"
    )
    foretold = forecast(Definition.from_document(written), margin=float(USEFUL_MARGIN)).blocks
    needed = [there(one.respondents_for_margin) for each in foretold for one in each.estimates]
    most = max(needed)
    asked = compile_survey(written)
    answers = np.arange(int(part * most)) % 2
    study = simulate_survey(
        asked, {"harassed": answers, "first": answers}, np.random.default_rng(1)
    )
    labels = Labels.of(asked, "en")
    found = find(replace(study, fieldwork=lambda: fieldwork), ResultChoices(0.95, None))
    planned = [each.cells[0] for each in wanted(found, USEFUL_MARGIN, labels)]
    assert planned == [f"{each:,}" for each in needed]
    told = summary_view(found, labels)
    if part > 1:
        # At one look the intervals are narrow enough by then, as was foretold.
        assert bool(told.wide) is (fieldwork is UNDERWAY)
        assert told.enough == (("every_look",) if told.wide else ())
        assert told.respondents == ""
        return
    assert most <= int(told.respondents.replace(",", "")) <= 1.1 * most
    assert told.enough == ("enough" if fieldwork is PLANNED else "enough_at_end",)


def test_without_an_end_the_respondents_are_those_for_every_look() -> None:
    """With as many, intervals are narrow enough; the outlook and the plan say the same."""
    asked = compile_survey(definition(yes_no("harassed"), choice("first"), epsilon=1, ask=1))
    labels, expected = Labels.of(asked, "en"), []
    for block in asked.blocks:
        for each in planned_estimates(block, Target.SHARES):
            looks = Looks(at_every=True)
            expected.append(looks.respondents_for(each, USEFUL_MARGIN, asked.part(block)))
    for times, is_wide in ((0.5, True), (1.1, False)):
        answers = np.arange(int(times * max(expected))) % 2
        study = simulate_survey(
            asked, {"harassed": answers, "first": answers}, np.random.default_rng(1)
        )
        found = find(replace(study, fieldwork=lambda: UNDERWAY), ResultChoices(0.95, None))
        rows = [each.cells[0] for each in wanted(found, USEFUL_MARGIN, labels)]
        assert rows == [f"{each:,}" for each in expected]
        told = summary_view(found, labels)
        assert (bool(told.wide), told.enough) == (is_wide, ("enough",) if is_wide else ())


@pytest.mark.parametrize(
    ("fieldwork", "interval", "key"),
    [
        (UNDERWAY, Interval.ANYTIME, "open"),
        (Fieldwork(End.HAND, is_given_out=True), Interval.ANYTIME, "hand"),
        (Fieldwork(End.HAND), Interval.WILSON, "unseen"),
        (Fieldwork(End.CLOSES, is_extended=True), Interval.WILSON, "unseen"),
        (Fieldwork(End.MARGIN), Interval.ANYTIME, "margin"),
        (Fieldwork(End.CLOSES, is_extended=True, is_given_out=True), Interval.ANYTIME, "extended"),
        (Fieldwork(None, is_extended=True), Interval.ANYTIME, "extended"),
        (PLANNED, Interval.WILSON, "planned"),
        (Fieldwork(End.CLOSES), Interval.CLOPPER_PEARSON, "planned"),
        (PLANNED, Interval.ANYTIME, "wider"),
        (UNDERWAY, Interval.WILSON, "one_look"),
    ],
)
def test_it_is_said_which_intervals_apply_and_why(
    fieldwork: Fieldwork, interval: Interval, key: str
) -> None:
    """For every look unless the survey ended as planned; a reader's own choice is named."""
    study = simulate_survey(survey(), {"asthma": [0, 1]}, np.random.default_rng(1))
    estimates = replace(study.estimate(), fieldwork=fieldwork, interval=interval)
    assert interval_reason(estimates) == key
    assert all(key in catalog("results", language)["reasons"] for language in CODES)


def test_the_page_says_how_its_survey_ended(council_site: Site, sqlite_site: Site) -> None:
    """In one sentence, after what an interval is."""
    texts = catalog("results", "en")["reasons"]
    assert plain(texts["planned"]) in plain(council_site.content(COUNCIL))
    assert plain(texts["open"]) in plain(sqlite_site.content(STRESS))
    assert plain(texts["unseen"]) in plain(sqlite_site.content(STRESS, edition="1"))
    chosen = plain(sqlite_site.content(STRESS, interval="wilson"))
    assert plain(texts["one_look"]) in chosen
    for key in ("tests", "caution"):
        assert f"The survey has not ended. {texts[key]}" in plain(sqlite_site.content(HEALTH))
        assert texts[key] not in plain(council_site.content(COUNCIL))
