"""Results by site: each site's own numbers, and how much the sites differ."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.study_files import add_reports, counted, write_store
from deniable_analysis import Study, open_sites, open_study
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.heterogeneity import common_variances, random_effects
from deniable_sdk import PublishedSurvey, randomize
from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.window import Window
from sample_definitions import number, survey, yes_no
from there import there

ASKED = survey(yes_no("order", required=True), epsilon=1, at_most_reports=100)
SUPPORT = {"north": (60, 140), "east": (150, 150), "south": (90, 60)}


def opened(
    folder: Path, published: PublishedSurvey, sites: Mapping[str, Sequence[Mapping[str, JSON]]]
) -> Study:
    """The study of sites with these reports."""
    for name, reports in sites.items():
        write_store(folder / f"{name}.sqlite", published)
        if reports:
            add_reports(folder / f"{name}.sqlite", published, reports)
    return open_sites({name: folder / f"{name}.sqlite" for name in sites})


@pytest.fixture
def three(tmp_path: Path) -> Study:
    """Three sites that differ, of a survey that ended as planned."""
    return opened(
        tmp_path, ASKED, {name: counted("order", counts) for name, counts in SUPPORT.items()}
    )


def test_each_site_has_its_own_numbers(three: Study) -> None:
    """Those that the site's own study has."""
    found = there(three.estimate(by_site=True).by_site)
    assert found.sites == ("north", "east", "south")
    (question,) = found.questions
    for name, place in (("north", 0), ("east", 1), ("south", 2)):
        (alone,) = three.sites[name].estimate().questions
        for share, option in zip(question.shares, alone.options, strict=True):
            site = share.sites[place]
            assert (site.site, site.reports) == (name, sum(SUPPORT[name]))
            assert (site.value, site.low, site.high) == (option.share, option.low, option.high)


def test_what_all_are_expected_to_send_is_no_plan_for_a_site(three: Study) -> None:
    """The intervals of sites stay as they are."""
    survey = three.survey.replace(window=Window(respondents=1_000_000))
    plain, planned = (
        study.estimate(by_site=True, interval="anytime").by_site
        for study in (three, replace(three, survey=survey))
    )
    assert planned == plain


def test_differences_are_those_of_the_random_effects(three: Study) -> None:
    """From the counts, with variances at the common share."""
    (block,) = ASKED.blocks
    mechanism = block.mechanism
    assert isinstance(mechanism, Subset)
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    support = [first for first, _ in SUPPORT.values()]
    reports = [sum(counts) for counts in SUPPORT.values()]
    shares = [(one / n - flip) / (keep - flip) for one, n in zip(support, reports, strict=True)]
    variances = common_variances(support, reports, [keep] * 3, [flip] * 3)
    expected = random_effects(shares, variances, 0.95)
    (question,) = there(three.estimate("order", by_site=True).by_site).questions
    found = question.shares[0]
    assert found.q == pytest.approx(expected.q, rel=1e-12)
    assert found.tau == pytest.approx(expected.tau, rel=1e-12)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert there(found.p_value) < 1e-6
    assert not found.why
    # The second of two answers differs as the first does.
    assert question.shares[1].q == pytest.approx(expected.q, rel=1e-9)


def test_what_cannot_be_compared_says_why(tmp_path: Path) -> None:
    """One site with reports, and sites whose reports are all the same."""
    alone = opened(tmp_path, ASKED, {"north": counted("order", (3, 4)), "south": []})
    (question,) = there(alone.estimate(by_site=True).by_site).questions
    assert all("fewer than two sites" in each.why for each in question.shares)
    assert [each.value is None for each in question.shares[0].sites] == [False, True]
    (tmp_path / "none").mkdir()
    none = opened(tmp_path / "none", ASKED, {"north": [], "south": []})
    (question,) = there(none.estimate(by_site=True).by_site).questions
    assert all("fewer than two sites" in each.why for each in question.shares)
    (tmp_path / "same").mkdir()
    same = opened(
        tmp_path / "same",
        ASKED,
        {"north": counted("order", (3, 0)), "south": counted("order", (4, 0))},
    )
    (question,) = there(same.estimate(by_site=True).by_site).questions
    assert all("no variance" in each.why for each in question.shares)
    assert question.shares[0].q is None


def test_means_are_compared_with_the_variances_of_all_reports(
    tmp_path: Path, random_source: random.Random
) -> None:
    """A number has shares of no answer, and a mean."""
    published = survey(number("visits", max=4), epsilon=6, at_most_reports=100)
    sites = {
        name: [
            dict(
                randomize(
                    published,
                    {"visits": random_source.randint(0, most)},
                    read_bytes=random_source.randbytes,
                ).values
            )
            for _ in range(80)
        ]
        for name, most in (("a", 2), ("b", 4))
    }
    study = opened(tmp_path, published, sites)
    (question,) = there(study.estimate(by_site=True).by_site).questions
    means = [there(each.estimate().questions[0].mean) for each in study.sites.values()]
    found = there(question.mean)
    assert [each.value for each in found.sites] == [each.value for each in means]
    # Both sites have as many reports, so each has twice the variance of all together.
    together = there(study.estimate().questions[0].mean)
    refused = [each.estimate().questions[0].options[0].share for each in study.sites.values()]
    answered = 1 - np.array([there(share) for share in refused])
    variances = 2 * there(together.variance) * (answered.mean() / answered) ** 2
    expected = random_effects([there(each.value) for each in means], variances, 0.95)
    assert found.q == pytest.approx(expected.q, rel=1e-12)


def test_a_study_of_one_place_has_no_sites(three: Study, tmp_path: Path) -> None:
    """The message says how to open several."""
    with pytest.raises(InvalidArgument, match="open several as one study"):
        open_study(tmp_path / "north.sqlite").estimate(by_site=True)
    with pytest.raises(InvalidArgument, match="by_site"):
        three.estimate(by_site="yes")  # type: ignore[arg-type]
    assert three.estimate().by_site is None


def test_results_by_site_can_be_read_and_written(three: Study) -> None:
    """As text, as JSON, as data frames, and as forest plots."""
    found = three.estimate(by_site=True)
    said = str(found)
    assert "order (yes_no) by site" in said
    assert "yes: north" in said
    assert "tau" in said
    document = json.loads(json.dumps(found.to_document()))["by_site"]
    assert document["sites"] == list(SUPPORT)
    assert document["questions"][0]["shares"][0]["name"] == "yes"
    by_site = there(found.by_site)
    assert len(by_site.to_frame()) == 6
    assert list(by_site.differences_to_frame()["name"]) == ["yes", "no"]
    forest, _ = by_site.charts()
    assert [mark.name for mark in forest.marks] == [
        "north (200)",
        "east (300)",
        "south (150)",
        "mean of the sites",
    ]


def test_an_open_survey_warns_about_differences(tmp_path: Path) -> None:
    """They are for one look, whatever the intervals of the sites are for."""
    watched = survey(yes_no("order", required=True), epsilon=1)
    study = opened(
        tmp_path, watched, {"a": counted("order", (60, 140)), "b": counted("order", (90, 60))}
    )
    sites, warning = there(study.estimate(by_site=True).by_site).warnings
    assert "cannot be told apart" in sites
    assert "one look" in warning
