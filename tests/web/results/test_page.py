"""Every number on the page comes from the study, and is rounded once."""

import dataclasses
import re
from fractions import Fraction
from html import unescape

import pytest

from deniable_analysis import Interval, compare, open_study
from deniable_analysis.estimate.choice import critical_value
from deniable_analysis.planning import planned_estimates
from deniable_analysis.planning.looks import Looks
from deniable_analysis.results import ShareEstimate
from deniable_sdk.mechanisms.base import Target
from deniable_web.pages.languages import catalog
from deniable_web.pages.numbers import Numbers
from deniable_web.results.certainty import SplitView, mean_split
from deniable_web.results.glossary import TERM
from results_site import EMPTY, FEW, HEALTH, STRESS, Tables
from sampled_params import sampled_params
from there import there
from web.results.conftest import Site


def percent(share: float | None) -> str:
    """A share as the English page has it."""
    assert share is not None
    return f"{100 * share:z.1f}%"


def deviation(variance: float | None) -> str:
    """The root of a part of a variance in points, as the English page has it."""
    assert variance is not None
    return "<0.0" if variance < 0 else f"{100 * variance**0.5:.1f}"


def row(name: str, found: ShareEstimate) -> list[str]:
    """The row of a share in its table."""
    shares = (found.share, found.low, found.high, found.valid_share)
    parts = (found.mechanism_variance, found.sampling_variance)
    return [name, *map(percent, shares), *map(deviation, parts)]


def plain(markup: str) -> str:
    """A text without its marks for terms, or the text of markup."""
    words = TERM.sub(r"\1", re.sub(r"<[^>]*>", "", unescape(markup)))
    return " ".join(words.split())


def own(name: str) -> str:
    """What the page calls an option of the health survey."""
    return {"yes": "Yes", "no": "No", "no_answer": "Prefer not to say"}.get(name, name)


@pytest.mark.parametrize("confidence", sampled_params([0.9, 0.95, 0.99], 3))
@pytest.mark.parametrize("interval", sampled_params([Interval.WILSON, Interval.CLOPPER_PEARSON]))
def test_tables_of_shares_are_the_studys(
    site: Site, confidence: float, interval: Interval
) -> None:
    """Raw share, interval, valid share and both deviations, of options and of cells."""
    page = site.content(HEALTH, confidence=str(confidence), interval=interval.value)
    tables = Tables(page).found
    estimates = open_study(site.location, HEALTH).estimate(
        confidence=confidence, interval=interval
    )
    for question in estimates.questions:
        header, *rows = tables[f"d-{question.question}"][0]
        assert header[1:5] == ["Raw share", "From", "To", "Adjusted"]
        assert rows == [row(own(each.option), each) for each in question.options]
    (crosstab,) = estimates.crosstabs
    _, *rows = tables[f"xd-{crosstab.block}"][0]
    assert rows == [row(" · ".join(map(own, each.options)), each) for each in crosstab.cells]


def test_means_quartiles_and_tests_are_the_studys(site: Site) -> None:
    """With as many decimals as the standard error has two digits of."""
    page = site.content(HEALTH)
    study, tables = open_study(site.location, HEALTH), Tables(page).found
    (found,) = study.estimate("doctor_visits").questions
    mean = found.mean
    assert mean is not None
    assert mean.value is not None
    assert mean.low is not None
    assert mean.high is not None
    assert tables["d-doctor_visits"][1][1][1:4] == [
        f"{each:.1f}" for each in (mean.value, mean.low, mean.high)
    ]
    quantiles = study.quantiles("doctor_visits").quantiles
    assert tables["d-doctor_visits"][2][1:] == [
        [f"{each.probability:.0%}", each.value, each.low, each.high] for each in quantiles
    ]
    spread = tables["d-doctor_visits"][3][1:]
    assert spread[0][0] == "0–1"
    assert spread[-1][0] == "76–77"
    assert found.distribution is not None
    assert spread[0][1] == percent(sum(found.distribution.shares[:2]))
    test = study.independence("health", "limitation")
    p_value = "<0.001" if test.p_value < 0.001 else f"{test.p_value:.3f}"
    assert (
        f"chi-squared {test.statistic:.1f}, degrees of freedom {test.degrees_of_freedom}, "
        f"p {p_value}" in unescape(page)
    )


def test_the_parts_of_the_uncertainty_are_told_apart(site: Site) -> None:
    """Each part is what the margin would be without the other; one not known is not told."""
    (found,) = open_study(site.location, STRESS).estimate("stress").questions
    worst = max(found.options, key=lambda each: there(each.standard_error))
    error = there(worst.standard_error)
    reach = critical_value(0.95)
    assert worst.mechanism_variance is not None
    assert worst.sampling_variance is not None
    texts = catalog("results", "en")["certainty"]
    sentence = plain(texts["split"]).format(
        margin=f"±{100 * reach * error:.1f}",
        mechanism=f"{100 * reach * worst.mechanism_variance**0.5:.1f}",
        sampling=f"{100 * reach * worst.sampling_variance**0.5:.1f}",
    )
    page = plain(site.content(STRESS))
    assert sentence in page
    (mood,) = open_study(site.location, STRESS).estimate("mood").questions
    mean = there(mood.mean)
    of_mean = plain(texts["split_mean"]).format(
        margin=f"±{reach * there(mean.standard_error):.2f}",
        mechanism=f"{reach * there(mean.mechanism_variance) ** 0.5:.2f}",
        sampling=f"{reach * there(mean.sampling_variance) ** 0.5:.2f}",
    )
    assert of_mean in page
    blind = dataclasses.replace(mean, mechanism_variance=None, sampling_variance=None)
    untold = mean_split(blind, 0.95, Numbers("en"))
    assert untold == SplitView(f"±{reach * there(mean.standard_error):.2f}")


def test_editions_are_compared(site: Site) -> None:
    """The newer less the earlier, with the interval and p-value of the comparison."""
    page = site.content(STRESS)
    studies = [open_study(site.location, f"{STRESS}@{edition}") for edition in (2, 1)]
    found = compare(studies[0], studies[1], "harassed")
    rows = Tables(page).found["cd-harassed"][0][1:]
    names = ["Yes", "No", "Prefer not to say"]
    for name, given, each in zip(names, rows, found.options, strict=True):
        moved = [f"{100 * there(value):+.1f}" for value in (each.difference, each.low, each.high)]
        p_value = there(each.adjusted_p_value)
        shown = "<0.001" if p_value < 0.001 else f"{p_value:.3f}"
        assert given == [name, percent(each.first), percent(each.second), *moved, shown]
    assert "Compared with edition 1" in page
    first = site.content(STRESS, edition="1")
    assert "Compared with" not in first
    assert "Reports: 800" in first


def test_the_outlook_is_what_planning_says(site: Site) -> None:
    """Margins now, with twice and four times the reports, and respondents for margins."""
    study = open_study(site.location, HEALTH)
    (block,) = (each for each in study.survey.blocks if each.id == "deductible_plan")
    (planned,) = planned_estimates(block, Target.SHARES)
    (found,) = study.estimate("deductible_plan").questions
    # The survey has no end of its own.
    looks, part = Looks(at_every=True), study.survey.part(block)
    margins = [
        f"±{100 * looks.margin(planned, times * found.reports, part):.1f}" for times in (1, 2, 4)
    ]
    respondents = [
        f"{looks.respondents_for(planned, Fraction(points, 100), part):,}" for points in (5, 3, 1)
    ]
    rows = Tables(site.content(HEALTH)).found["outlook-table"][0]
    name = "Does your insurance plan have a deductible? share of an answer"
    assert [name, *margins, *respondents] in rows
    plan = site.get(f"/manage/surveys/{HEALTH}/results/plan", margin="3", lang="en").text
    assert respondents[1] in plan
    assert "±3.0" in plan


def test_no_report_is_said_once(site: Site) -> None:
    """The page then has no chart, and the accuracy of future reports."""
    empty = site.content(EMPTY)
    assert catalog("results", "en")["content"]["none_title"] in empty
    assert '<table class="chart' not in empty
    assert Tables(empty).found["outlook-table"][0][2][1:4] == ["–", "–", "–"]


@pytest.mark.parametrize("slug", [HEALTH, STRESS, FEW, EMPTY])
@pytest.mark.parametrize("language", sampled_params(["en", "de", "es", "zh", "ar"], 4))
def test_every_language_has_the_whole_page(sqlite_site: Site, slug: str, language: str) -> None:
    """No place is left unfilled, and no style stands in an attribute."""
    page = sqlite_site.content(slug, lang=language)
    assert "{" not in page
    assert "style=" not in page
    titles = {"ar": "الضغط في العمل"}
    assert slug == HEALTH or titles.get(language, "Stress at work") in page
