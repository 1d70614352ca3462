"""What all reports of a closed survey together say, on the page, in files and in reports."""

from html import unescape

import pytest

from deniable_analysis import open_study
from deniable_analysis.privacy import FilePrivacy
from deniable_web.commands import run
from deniable_web.pages.languages import CODES
from deniable_web.pages.numbers import Numbers
from deniable_web.planning.forecast_words import file_in_words
from results_site import FEW, FIRST_REPORTS, HEALTH, STRESS
from ward_site import WARD
from web.results.conftest import Site

FIGURES = [
    FilePrivacy(12_345, 1e-6, 0.0421),
    FilePrivacy(60, 1e-6, 0.872, of_smallest_group=True),
    FilePrivacy(1_000_000, 1e-8, 0.00502),
    FilePrivacy(2, 1e-6, None),
    FilePrivacy(3, 1e-6, None, of_smallest_group=True),
]


@pytest.mark.parametrize("figure", FIGURES)
def test_the_page_and_the_commands_say_the_same(figure: FilePrivacy) -> None:
    """The English sentence of the pages is that of the analysis."""
    assert file_in_words(figure, Numbers("en")) == figure.in_words


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("figure", FIGURES)
def test_the_sentence_is_whole_in_every_language(figure: FilePrivacy, language: str) -> None:
    """It has the reports, and where there is a gain its epsilon and how often that fails."""
    numbers = Numbers(language)
    told = file_in_words(figure, numbers)
    wanted = [numbers.count(figure.reports)]
    if figure.epsilon:
        wanted += [numbers.short(figure.epsilon), numbers.count(figure.one_in)]
    assert all(number in told for number in wanted)
    assert not set(told) & set("{}")


@pytest.mark.parametrize("language", CODES)
def test_the_page_of_a_closed_survey_says_it(sqlite_site: Site, language: str) -> None:
    """Beside epsilon, in the reader's language; an open survey has nothing of it."""
    figure = open_study(sqlite_site.location, f"{STRESS}@1").closed_file()
    assert figure is not None
    assert figure.reports == FIRST_REPORTS
    page = unescape(sqlite_site.content(STRESS, edition="1", lang=language))
    assert file_in_words(figure, Numbers(language)) in page
    for slug in (HEALTH, FEW):
        assert "closed-file" not in sqlite_site.content(slug)


def test_files_and_reports_say_it(sqlite_site: Site) -> None:
    """JSON has the figure and the sentence, and the method of a report the sentence."""
    figure = open_study(sqlite_site.location, f"{STRESS}@1").closed_file()
    assert figure is not None
    route = f"/manage/surveys/{STRESS}/results"
    found = sqlite_site.get(f"{route}/estimates.json", edition="1", lang="en").get_json()
    assert found["closed_file"] == figure.to_document()
    assert found["about"]["closed_file"] == figure.in_words
    assert found["about"]["epsilon"] == 6
    report = sqlite_site.get(f"{route}/report.html", edition="1", lang="en").text
    assert figure.in_words in unescape(report)
    now = sqlite_site.get(f"{route}/estimates.json", lang="en").get_json()
    assert now["closed_file"] is None
    assert "closed_file" not in now["about"]
    report = sqlite_site.get(f"{route}/report.html", lang="en").text
    assert "closed survey" not in unescape(report)


def test_the_table_of_the_command_has_the_sentence_after_it(
    sqlite_site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is for people, as the notes on the columns are."""
    for name, is_told in ((f"{STRESS}@1", True), (STRESS, False)):
        assert run(["results", name, "--store", sqlite_site.location]) == 0
        assert ("reports of the closed survey together" in capsys.readouterr().err) == is_told


def test_the_smallest_group_decides(ward_site: Site) -> None:
    """Doctors sent fewer reports than nurses; who sees no groups gets no figure."""
    page = unescape(ward_site.content(WARD))
    assert "all reports of the closed survey (36 in its smallest group) together" in page
    assert "closed-file" not in ward_site.content("open-ward")
