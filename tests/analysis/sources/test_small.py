"""Studies of next to nothing: no report, one, and options that nobody chose."""

from pathlib import Path

import pytest

from analysis.study_files import Row, add_reports, write_store
from deniable_analysis import Interval, open_study
from deniable_sdk import PublishedSurvey, randomize
from sample_definitions import choice, multiple, number, scale, survey, yes_no

EVERY_KIND = survey(
    yes_no(),
    choice(options=4, required=True),
    scale("level", levels=3, required=True),
    scale("mean", levels=4, target="mean"),
    multiple(options=5),
    multiple("few", options=8, at_most=2, mechanism="privset"),
    number(),
    epsilon=6,
    ask=2,
    crosstabs=[["region", "level"]],
)
INTERVALS = [*Interval]


def study_numbers(path: Path, interval: Interval) -> list[float]:
    """Every number that a store's estimates give, after they were printed in every form."""
    found = []
    for simultaneous in (False, True):
        estimates = open_study(path).estimate(interval=interval, simultaneous=simultaneous)
        assert repr(estimates)
        assert len(estimates.to_frame()) > 0
        for question in estimates.questions:
            for option in question.options:
                found += [option.share, option.low, option.high]
            if question.mean:
                found += [question.mean.value, question.mean.low, question.mean.high]
    return [value for value in found if value is not None]


@pytest.mark.parametrize("interval", INTERVALS)
def test_without_reports_nothing_is_estimated(interval: Interval, tmp_path: Path) -> None:
    """Every question of every kind is there and has no numbers."""
    path = tmp_path / "store.sqlite"
    write_store(path, EVERY_KIND)
    assert study_numbers(path, interval) == []
    estimates = open_study(path).estimate()
    assert len(estimates.questions) == 7
    assert len(estimates.crosstabs) == 1
    assert estimates.reports == 0


@pytest.mark.sweep
@pytest.mark.parametrize("interval", INTERVALS)
def test_of_one_report_all_intervals_are_finite(interval: Interval, tmp_path: Path) -> None:
    """A single report of any blocks gives numbers for what it carries, and none is infinite."""
    for number_of in range(12):
        path = tmp_path / f"{number_of}.sqlite"
        write_store(path, EVERY_KIND)
        add_reports(path, EVERY_KIND, [one_report(EVERY_KIND)])
        numbers = study_numbers(path, interval)
        assert numbers
        assert all(abs(value) < 1e6 for value in numbers)


def one_report(published: PublishedSurvey) -> Row:
    """The values of a respondent who answers what is required."""
    return dict(randomize(published, {"region": "o1", "level": 2}).values)


def test_an_option_never_reported_has_the_lowest_share_there_is(tmp_path: Path) -> None:
    """Its raw share is -q / (p - q), below 0, and its interval reaches from there upwards."""
    published = survey(choice(options=4, required=True), epsilon=1)
    (block,) = published.blocks
    path = tmp_path / "store.sqlite"
    write_store(path, published)
    add_reports(path, published, [{"region": 0}] * 50 + [{"region": 1}] * 50)
    never = open_study(path).estimate().questions[0].options[3]
    keep, flip = float(block.mechanism.keep), float(block.mechanism.flip)  # type: ignore[attr-defined]
    assert never.share == pytest.approx(-flip / (keep - flip))
    assert never.low == pytest.approx(never.share)
    assert never.low is not None
    assert never.high is not None
    assert never.high > never.low
    assert never.valid_share == 0
