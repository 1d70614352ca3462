"""A report has everything that the results page has, the method, and nothing to press."""

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest

from deniable_analysis import Interval
from deniable_sdk import PublishedSurvey
from deniable_storage.ends import End, Fieldwork
from deniable_web.pages.languages import CODES, catalog
from deniable_web.results.crosstabs import crosstab_view
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from deniable_web.results.questions import question_view
from deniable_web.results.report.page import cover_lines, report_page
from deniable_web.results.summary import summary_view
from hostile_texts import MARKUP, hostile_findings
from results_site import Tables
from sample_definitions import survey, yes_no
from there import there
from web.results.report.conftest import NOW, OPERATOR, report_of

PRESSED = ("button", "form", "input", "select", "nav", "script", "iframe", "link", "img")
IN_ORDER = ("cover", "found", "untold", "questions", "crosstabs", "method", "identity")


class Elements(HTMLParser):
    """The elements of a page: their names, ids and attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the element."""
        self.found.append((tag, dict(attrs)))

    @property
    def ids(self) -> list[str]:
        """All ids."""
        return [given for _, each in self.found if (given := each.get("id"))]


def body(page: str) -> str:
    """What people read of a page: its texts, on one line."""
    main = page.partition("<body")[2]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def problems(page: str) -> list[str]:
    """What is wrong with a report as a file."""
    elements = Elements(page)
    found = [f"an element {tag}" for tag, _ in elements.found if tag in PRESSED]
    for tag, attributes in elements.found:
        found += [f"{tag} with {name}" for name in attributes if name in ("style", "src")]
        target = attributes.get("href") or ""
        if target and target.removeprefix("#") not in elements.ids:
            found.append(f"a link to {target}")
        if tag == "details" and "open" not in attributes:
            found.append("a closed fold")
    text = body(page)
    for authored in (OPERATOR["name"], *MARKUP):
        text = text.replace(authored, "")
    found += ["an empty place"] * bool(re.search(r"\{|\}|\bNone\b", text))
    found += ["an id twice"] * (len(set(elements.ids)) < len(elements.ids))
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("language", CODES)
def test_a_report_has_all_parts_in_order_and_nothing_to_press(
    council_findings: EditionFindings, language: str
) -> None:
    """In every language: the cover, what was found, each question, the method and the digest."""
    page = report_page(report_of(council_findings, language))
    assert problems(page) == []
    ids = Elements(page).ids
    places = [ids.index(name) for name in IN_ORDER]
    assert places == sorted(places)
    text, labels = body(page), Labels.of(council_findings.survey, language)
    own, cover = catalog("report", language), catalog("results", language)
    assert f'dir="{"rtl" if language == "ar" else "ltr"}"' in page
    for shown in (
        labels.text(council_findings.survey.title),
        OPERATOR["name"],
        OPERATOR["purpose"],
        own["method"]["randomized"],
        cover["certainty"]["title"],
        council_findings.estimates.digest,
        *(labels.question(each.id) for each in council_findings.survey.reported),
        *cover["glossary"].values(),
    ):
        assert " ".join(shown.split()) in text
    assert len(summary_view(council_findings, labels).wide) > 3


@pytest.mark.deep
def test_what_is_wrong_with_a_report_is_seen(council_findings: EditionFindings) -> None:
    """A button, a style, a closed fold, a dead link, a place that is not filled in."""
    page = report_page(report_of(council_findings))
    for place, fault, expected in (
        ("</main>", "<button>x</button></main>", "an element button"),
        ("</main>", '<p style="color: red">x</p></main>', "p with style"),
        ("<details open", "<details", "a closed fold"),
        ('href="#term-interval"', 'href="#gone"', "a link to #gone"),
        ("</main>", "<p>{count}</p></main>", "an empty place"),
        ("</main>", '<p id="cover"></p></main>', "an id twice"),
    ):
        assert expected in problems(page.replace(place, fault, 1))


def _between(low: str, high: str) -> str:
    return "no interval" if low == high == "–" else f"{low} to {high}"


def test_the_numbers_are_those_of_the_page(council_findings: EditionFindings) -> None:
    """Each share with its interval, its raw numbers and both parts of its variance; each cell."""
    labels = Labels.of(council_findings.survey, "en")
    tables = Tables(report_page(report_of(council_findings))).found
    for found in council_findings.estimates.questions:
        view = question_view(found, council_findings, labels)
        for chart in (view.of_all, view.mean):
            for row in chart.rows if chart else ():
                name = row.name or "Mean"
                raw = [name, *map(str, row.raw[-6:])]
                assert any(
                    raw == each for table in tables[f"d-{found.question}"] for each in table
                )
        if view.chart:
            shown = [
                [row.name, "", row.value, _between(row.low, row.high)] for row in view.chart.rows
            ]
            assert shown in [table[1:] for table in tables[f"q-{found.question}"]]
    for crosstab in council_findings.estimates.crosstabs:
        crossed = crosstab_view(crosstab, council_findings, labels)
        assert [each.of for each in crossed.tables] == ["all", "rows", "columns"]
        drawn = tables[f"x-{crosstab.block}"]
        for table, expected in zip(drawn, crossed.tables, strict=True):
            cells = [row[-len(crossed.columns) :] for row in table[2:]]
            assert cells == [
                [
                    share if share == "–" else f"{share} {_between(low, high)}"
                    for share, low, high, _ in row
                ]
                for _, row in expected.rows
            ]


@pytest.mark.deep
def test_a_survey_by_invitation_has_its_groups(ward_findings: EditionFindings) -> None:
    """The response of each group and the results by group, without a script."""
    page = report_page(report_of(ward_findings))
    assert problems(page) == []
    tables, text = Tables(page).found, body(page)
    (response,) = tables["response"]
    assert response[0] == ["Group", "Response rate", "Reports", "Invited"]
    assert response[1] == ["Nursing staff", "75.0%", "45", "60"]
    assert response[-1] == ["All invited", "67.5%", "81", "120"]
    assert "81 of 120 invited people took part (68%)." in text
    assert "Collected" not in text
    assert "Differences between groups" in text
    assert "Nursing staff" in {row[0] for table in tables["g-harassed"] for row in table}


def test_without_reports_there_is_the_method_only(council_findings: EditionFindings) -> None:
    """It says that no report has arrived; nothing is estimated."""
    empty = replace(
        council_findings,
        estimates=replace(
            council_findings.estimates,
            reports=0,
            crosstabs=(),
            questions=tuple(
                replace(each, reports=0) for each in council_findings.estimates.questions
            ),
        ),
    )
    page = report_page(report_of(empty))
    assert problems(page) == []
    assert "No report has arrived" in body(page)
    assert not {"found", "questions"} & set(Elements(page).ids)
    assert "method" in Elements(page).ids


def test_no_text_of_an_author_becomes_markup(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Titles and answers that look like formulas or markup are shown as they are."""
    found = hostile_findings(tmp_path_factory.mktemp("hostile") / "store.sqlite")
    page = report_page(report_of(found))
    assert problems(page) == []
    assert all(text in body(page) for text in ("=cmd|' /C calc'!A0", *MARKUP))


@pytest.mark.parametrize("language", CODES)
def test_the_cover_says_how_the_survey_ended(
    council_findings: EditionFindings, language: str
) -> None:
    """When it opened and ended as announced, why it ended, and which intervals follow."""
    texts, files = catalog("report", language)["cover"], catalog("files", language)

    def lines(state: Fieldwork, asked: PublishedSurvey, interval: Interval) -> str:
        estimates = replace(council_findings.estimates, fieldwork=state, interval=interval)
        findings = replace(council_findings, survey=asked, estimates=estimates)
        return "\n".join(cover_lines(findings, Labels.of(asked, language), NOW))

    asked = survey(yes_no("a"), opens="2026-01-05T08:00Z", closes="2026-02-01T18:00Z", epsilon=1)
    window = there(asked.window)
    moment = Labels.of(asked, language).numbers.moment
    opened = texts["opened"].format(moment=moment(there(window.opens)))
    ended = texts["ended"].format(moment=moment(there(window.closes)))
    planned = texts["planned"].format(moment=moment(there(window.closes)))
    as_planned = lines(Fieldwork(End.CLOSES), asked, Interval.WILSON)
    assert as_planned.startswith(f"{opened}\n{ended}\n{files['ends']['closes']}")
    assert files["why"]["planned"] in as_planned
    still_open = lines(Fieldwork(None), asked, Interval.ANYTIME)
    assert planned in still_open
    assert ended not in still_open
    assert files["why"]["watched"] in still_open
    by_hand = lines(Fieldwork(End.HAND), asked, Interval.ANYTIME)
    assert ended not in by_hand
    assert planned not in by_hand
    assert files["ends"]["hand"] in by_hand
