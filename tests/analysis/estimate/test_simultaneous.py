"""All intervals of a question hold at once as often as they say, in simulated surveys."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analysis.exact_coverage import ends_of
from analysis.known.numbers import KnownNumber, known
from deniable_analysis import Channel, Interval, IntervalRule
from deniable_analysis.planning import plan_mechanism
from deniable_analysis.simulation import simulate_values
from deniable_sdk.mechanisms import Subset
from sampling_checks import ALPHA, SEED, count_check

SURVEYS = 1500
NOMINAL = 0.95
FLAT, STEEP, ONE = "flat", "steep", "one"


def counts_of_surveys(
    mechanism: Subset,
    shares: NDArray[np.float64],
    report_count: int,
    surveys: int,
    generator: np.random.Generator,
) -> NDArray[np.int_]:
    """Supporting reports (surveys, options) of surveys of so many respondents each."""
    options = mechanism.domain_size
    answers = generator.choice(options, size=surveys * report_count, p=shares)
    values = simulate_values(mechanism, answers, generator).reshape(surveys, -1)
    cells = np.arange(surveys)[:, None] * options + values
    counted = np.bincount(cells.ravel(), minlength=surveys * options)
    return counted.reshape(surveys, options)


def hits(
    mechanism: Subset,
    shares: NDArray[np.float64],
    counts: NDArray[np.int_],
    report_count: int,
    rule: IntervalRule,
) -> int:
    """In how many surveys every interval holds its true share."""
    low, high = ends_of(report_count, Channel.of(mechanism).rounded(), rule)
    return int(np.sum(np.all((low[counts] <= shares) & (shares <= high[counts]), axis=1)))


def shares_of(shape: str, options: int) -> NDArray[np.float64]:
    """True shares: all alike, each half of the one before, or one option with all."""
    if shape == FLAT:
        return np.full(options, 1 / options)
    parts = 0.5 ** np.arange(options) if shape == STEEP else np.eye(options)[0]
    return np.asarray(parts / parts.sum())


def check_at_least(found: int, trials: int, rate: float) -> None:
    """Fail if so few hits, at this rate or a larger one, are too unlikely."""
    count_check()
    assert stats.binomtest(found, trials, rate, alternative="less").pvalue >= ALPHA


def check_as_often(found: int, trials: int, known_rate: float, known_trials: int) -> None:
    """Fail if two simulations of one rate differ too much."""
    count_check()
    known_hits = round(known_rate * known_trials)
    table = np.array([[found, trials - found], [known_hits, known_trials - known_hits]])
    assert stats.fisher_exact(table).pvalue >= ALPHA


@pytest.mark.sweep
@pytest.mark.parametrize("number", known("simultaneous_coverage_95_wilson_mapped"))
def test_known_joint_coverages(number: KnownNumber) -> None:
    """All intervals hold as often as in an independent simulation of 20,000 surveys."""
    options, report_count = number.domain_size, number.inputs["n"]
    mechanism = Subset(options, number.inputs["d"], plan_mechanism(number.epsilon).weights)
    sure = {
        "unadjusted": IntervalRule(),
        "Bonferroni": IntervalRule(comparisons=options),
        "Sidak": IntervalRule(confidence=NOMINAL ** (1 / options)),
    }
    shares = np.array(number.inputs["f"])
    generator = np.random.default_rng(SEED)
    counts = counts_of_surveys(mechanism, shares, report_count, SURVEYS, generator)
    found = hits(mechanism, shares, counts, report_count, sure[number.inputs["adjust"]])
    check_as_often(found, SURVEYS, number.expected, 20_000)


@pytest.mark.sweep
@pytest.mark.parametrize("interval", Interval)
@pytest.mark.parametrize("shape", [FLAT, STEEP, ONE])
@pytest.mark.parametrize(("epsilon", "options"), [(1, 5), (4, 20)])
def test_all_intervals_hold_at_once(
    epsilon: float, options: int, shape: str, interval: Interval
) -> None:
    """In surveys of 200 the intervals of a question together hold as often as they say."""
    check_jointly(epsilon, options, 200, shape, interval)


@pytest.mark.deep
@pytest.mark.parametrize("interval", Interval)
@pytest.mark.parametrize("shape", [FLAT, STEEP, ONE])
@pytest.mark.parametrize("report_count", [100, 300, 1000, 3000])
@pytest.mark.parametrize("options", [3, 5, 10, 50])
@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 4])
def test_all_intervals_hold_at_once_in_every_survey(
    epsilon: float, options: int, report_count: int, shape: str, interval: Interval
) -> None:
    """The same over the whole range."""
    check_jointly(epsilon, options, report_count, shape, interval)


@pytest.mark.deep
@pytest.mark.parametrize("shape", [FLAT, STEEP, ONE])
@pytest.mark.parametrize("options", [5, 50])
@pytest.mark.parametrize("epsilon", [0.5, 4])
def test_all_intervals_hold_at_once_in_large_surveys(
    epsilon: float, options: int, shape: str
) -> None:
    """The same with 10,000 reports."""
    check_jointly(epsilon, options, 10_000, shape, Interval.WILSON, surveys=400)


def check_jointly(
    epsilon: float,
    options: int,
    report_count: int,
    shape: str,
    interval: Interval,
    *,
    surveys: int = SURVEYS // 2,
) -> None:
    """Fail if the simultaneous intervals clearly hold less often than they say."""
    mechanism, shares = plan_mechanism(epsilon, options), shares_of(shape, options)
    generator = np.random.default_rng(SEED)
    counts = counts_of_surveys(mechanism, shares, report_count, surveys, generator)
    rule = IntervalRule(interval, comparisons=options)
    found = hits(mechanism, shares, counts, report_count, rule)
    check_at_least(found, surveys, NOMINAL)


def test_intervals_one_by_one_do_not_hold_at_once() -> None:
    """The check tells intervals that are not widened."""
    mechanism, shares = plan_mechanism(1, 5), shares_of(FLAT, 5)
    generator = np.random.default_rng(SEED)
    counts = counts_of_surveys(mechanism, shares, 200, SURVEYS // 2, generator)
    found = hits(mechanism, shares, counts, 200, IntervalRule())
    with pytest.raises(AssertionError, match="BinomTestResult"):
        check_at_least(found, SURVEYS // 2, NOMINAL)
