"""Intervals that hold at every look for means of answers that are reported as sets."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import norm

from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.anytime_sets import Sets, anytime_set_mean
from deniable_analysis.estimate.linear import block_contributions
from deniable_analysis.planning import plan_mechanism
from deniable_analysis.planning.mean import mean_unit_variance
from deniable_sdk.mechanisms import OneOf, Subset
from there import there

MISSED = 0.05
Z = float(norm.ppf(1 - MISSED / 2))


def sets_of(mechanism: Subset) -> Sets:
    """How devices draw the sets of a mechanism."""
    return Sets(mechanism.domain_size, mechanism.size, float(mechanism.keep))


def ends(
    mechanism: Subset, counts: Floats, levels: Floats, *, planned: float | None = None
) -> tuple[float | None, float | None]:
    """The ends of the mean of levels; those who have no answer are at NaN."""
    answered = ~np.isnan(levels)
    scores = np.nan_to_num(levels)
    shares = np.asarray(block_contributions(mechanism))
    return anytime_set_mean(
        (shares @ scores, shares @ answered.astype(float)),
        (scores, answered.astype(float)),
        counts,
        (0.0, 1.0),
        MISSED,
        sets=sets_of(mechanism),
        planned=planned,
    )


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_mean_products_are_those_of_all_sets(size: int) -> None:
    """Compared with the sets that contain each true answer, and with those that do not."""
    options, keep = 6, 0.7
    factors = np.exp(np.random.default_rng(1).normal(size=(2, 3, options)))
    found = Sets(options, size, keep).mean_products(factors)
    for answer in range(options):
        with_it, without = (
            np.mean(
                [
                    factors[..., list(members)].prod(axis=-1)
                    for members in combinations(range(options), size)
                    if (answer in members) is is_in
                ],
                axis=0,
            )
            for is_in in (True, False)
        )
        expected = keep * with_it + (1 - keep) * without
        np.testing.assert_allclose(found[..., answer], expected, rtol=1e-12)


@pytest.mark.parametrize(("epsilon", "options"), [(0.5, 5), (0.5, 11), (1, 6), (1, 30), (2, 30)])
def test_they_are_little_wider_than_an_interval_for_one_look(epsilon: float, options: int) -> None:
    """At most 1.9 times, at the planned number 1.6 times; bets on single members lost sqrt(s)."""
    mechanism = plan_mechanism(epsilon, options)
    assert isinstance(mechanism, Subset)
    assert mechanism.size > 1
    assert isinstance(mechanism.domain, OneOf)
    variance = float(mean_unit_variance(mechanism, mechanism.domain))
    shares = np.zeros(options)
    shares[[0, -1]] = 0.5
    rates = float(mechanism.flip) + shares * float(mechanism.keep - mechanism.flip)
    for reports in (1_000, 5_000, 20_000):
        for planned, most in ((None, 1.9), (reports, 1.6)):
            low, high = ends(
                mechanism, reports * rates, np.linspace(0, 1, options), planned=planned
            )
            margin = (there(high) - there(low)) / 2
            assert margin < most * Z * np.sqrt(variance / reports)


def test_ends_are_not_cut_off_where_answers_end() -> None:
    """An estimate beyond the range has an interval around it, whose ends go on smoothly."""
    mechanism = plan_mechanism(1, 6)
    assert isinstance(mechanism, Subset)
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    found = []
    for mean in np.linspace(0.1, -0.2, 31):
        shares = np.array([1 - mean, 0, 0, 0, 0, mean])
        counts = 2_000 * (flip + shares * (keep - flip))
        levels = np.linspace(0, 1, 6)
        contributions = np.asarray(block_contributions(mechanism)) @ levels
        low, high = anytime_set_mean(
            (contributions, np.ones(6)),
            (levels, np.ones(6)),
            counts,
            (float(contributions.min()), float(contributions.max())),
            MISSED,
            sets=sets_of(mechanism),
        )
        assert there(low) < mean < there(high)
        found.append((there(low), there(high)))
    steps = np.diff(np.array(found), axis=0)
    assert (steps < 0).all()
    assert (steps > -0.02).all()


@pytest.mark.deep
@pytest.mark.parametrize("has_no_answer", [False, True])
def test_surveys_miss_at_one_of_many_looks_rarely_enough(has_no_answer: bool) -> None:
    """At most 5 of 100 surveys with 2,000 reports miss at one of 15 looks."""
    options, surveys, looks, step = 6, 100, 200, 10
    mechanism = plan_mechanism(1, options)
    assert isinstance(mechanism, Subset)
    random = np.random.default_rng(20261129)
    levels = np.linspace(0, 1, options)
    if has_no_answer:
        levels = np.append(np.linspace(0, 1, options - 1), np.nan)
    shares = np.array([0.3, 0.0, 0.1, 0.0, 0.2, 0.4])
    truth = np.nansum(levels * shares) / shares[~np.isnan(levels)].sum()
    keep, missed = float(mechanism.keep), 0
    for _ in range(surveys):
        answers = random.choice(options, looks * step, p=shares)
        keys = random.random((len(answers), options))
        # The others by chance; the true answer first, or last.
        keys[np.arange(len(answers)), answers] = np.where(
            random.random(len(answers)) < keep, -1.0, 2.0
        )
        members = np.argsort(keys, axis=1)[:, : mechanism.size]
        has = np.zeros((len(answers), options))
        np.put_along_axis(has, members, 1.0, axis=1)
        counts = has.cumsum(axis=0)[step - 1 :: step]
        missed += is_missed(mechanism, counts, levels, truth)
    assert missed <= 0.05 * surveys


def is_missed(mechanism: Subset, counts: Floats, levels: Floats, truth: float) -> bool:
    """Whether the truth is outside at one of the looks."""
    places = np.unique(np.geomspace(1, len(counts), 15).astype(int)) - 1
    for place in places:
        low, high = ends(mechanism, counts[place], levels)
        if (low is not None and truth < low) or (high is not None and truth > high):
            return True
    return False
