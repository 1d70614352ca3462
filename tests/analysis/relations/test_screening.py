"""Scores as screenings: the share above a cut-off, prevalence, a mean beside a norm."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from deniable_analysis import (
    InvalidDesign,
    NotIdentified,
    Study,
    compare_with_norm,
    screened_prevalence,
    share_above,
)
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from sample_definitions import survey, yes_no
from sampled_params import sampled_params
from score_samples import score

BANDS = survey(score(required=True), epsilon=1)
OPEN = survey(score(), epsilon=2)
SUMS = {key: value for key, value in score(required=True).items() if key != "cutoffs"}
NUMBER = survey(SUMS, epsilon=2)
OPEN_NUMBER = survey({**SUMS, "required": False}, epsilon=1)


def study_of(asked: PublishedSurvey, answers: Sequence[int], seed: int) -> Study:
    """A simulated study of these true answers."""
    return simulate_survey(asked, {"mood": np.array(answers)}, np.random.default_rng(seed))


def drawn(asked: PublishedSurvey, shares: Sequence[float], seed: int) -> Iterator[Study]:
    """Simulated studies of respondents who are drawn from these shares."""
    generator = np.random.default_rng(seed)
    while True:
        answers = generator.choice(len(shares), 1_500, p=shares)
        yield simulate_survey(asked, {"mood": answers}, generator)


def assert_covers(hits: int, times: int, nominal: float = 0.95) -> None:
    """At least nominal - 1.5 points, as far as so many trials can tell."""
    assert binomtest(hits, times, nominal - 0.015, alternative="less").pvalue > 1e-4, hits


def test_share_above_is_the_sum_of_the_bands() -> None:
    """And its interval that of the merged options, as nobody may leave it open."""
    study = study_of(BANDS, [0] * 600 + [1] * 300 + [2] * 100, 5)
    options = {each.option: each.share for each in study.estimate("mood").questions[0].options}
    above = share_above(study, "mood", "mild")
    both = [share for name in ("mild", "marked") if (share := options[name]) is not None]
    assert len(both) == 2
    assert above.above.share == pytest.approx(sum(both))
    assert above.interval == "wilson"


@pytest.mark.parametrize(
    ("asked", "shares", "cutoff", "first"),
    [
        (BANDS, [0.6, 0.3, 0.1], "marked", 2),
        (OPEN, [0.5, 0.2, 0.2, 0.1], "mild", 1),
        (NUMBER, [0.3, 0.2, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05], 6, 6),
        (OPEN_NUMBER, [0.3, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.1], 4, 4),
    ],
    ids=["bands", "bands with no answer", "a number", "a number with no answer"],
)
def test_shares_above_cover(
    asked: PublishedSurvey, shares: list[float], cutoff: Any, first: int
) -> None:
    """The interval contains the true share among those who answer as often as it says."""
    options = len(shares) - (not asked.questions[-1].required)
    truth = sum(shares[first:options]) / sum(shares[:options])
    hits, source = 0, drawn(asked, shares, 11)
    for _ in range(300):
        above = share_above(next(source), "mood", cutoff).above
        assert above.low is not None
        assert above.high is not None
        hits += above.low <= truth <= above.high
    assert_covers(hits, 300)


def test_means_of_a_score_cover() -> None:
    """That of a sum, reported as a number."""
    shares = [0.3, 0.2, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05]
    truth, hits, source = float(np.arange(10) @ shares), 0, drawn(NUMBER, shares, 3)
    for _ in range(300):
        compared = compare_with_norm(next(source), "mood", mean=truth, sd=2.5)
        hits += compared.low <= 0 <= compared.high
    assert_covers(hits, 300)


def test_known_rates_give_rogan_and_gladens_prevalence() -> None:
    """(p + Sp - 1) / (Se + Sp - 1), with the interval of p turned round by the same."""
    study = study_of(BANDS, [0] * 600 + [1] * 300 + [2] * 100, 5)
    above = share_above(study, "mood", "mild").above
    found = screened_prevalence(study, "mood", "mild", sensitivity=0.9, specificity=0.8)
    assert above.share is not None
    assert above.standard_error is not None
    assert found.value == pytest.approx((above.share - 0.2) / 0.7)
    reach = 1.959963984540054 * above.standard_error
    assert found.low == pytest.approx((above.share - reach - 0.2) / 0.7)
    assert found.high == pytest.approx((above.share + reach - 0.2) / 0.7)


@pytest.mark.parametrize("rates", sampled_params(product((0.02, 0.2, 0.6), (40, 200)), 3))
def test_prevalence_covers_with_rates_that_were_measured(rates: tuple[float, int]) -> None:
    """The interval carries the errors of the reports and of both rates."""
    prevalence, persons = rates
    generator = np.random.default_rng(8)
    se, sp, hits = 0.85, 0.9, 0
    positive = prevalence * se + (1 - prevalence) * (1 - sp)
    source = drawn(BANDS, [1 - positive, positive / 2, positive / 2], 9)
    for _ in range(300):
        measured = [(int(generator.binomial(persons, rate)), persons) for rate in (se, sp)]
        found = screened_prevalence(
            next(source), "mood", "mild", sensitivity=measured[0], specificity=measured[1]
        )
        hits += found.low <= prevalence <= found.high
    assert_covers(hits, 300)


def test_a_norm_is_compared_in_both_units() -> None:
    """The difference over its standard error decides; the standardized one is over the norm's."""
    study = study_of(NUMBER, [3] * 1000, 4)
    found = compare_with_norm(study, "mood", mean=2, sd=4)
    mean = study.estimate("mood").questions[0].mean
    assert mean is not None
    assert mean.value is not None
    assert found.difference == pytest.approx(mean.value - 2)
    assert found.standardized[0] == pytest.approx(found.difference / 4)
    assert found.p_value < 1e-3
    for form in (found, share_above(study, "mood", 3)):
        assert len(form.to_frame()) == 1
        assert str(form)
        assert form.to_document()["question"] == "mood"


def test_scores_are_outcomes_and_predictors_of_regressions() -> None:
    """A band like any other closed question."""
    asked = survey(
        score(required=True),
        yes_no("help", required=True),
        epsilon=4,
        crosstabs=[["mood", "help"]],
    )
    generator = np.random.default_rng(2)
    mood = generator.choice(3, 3_000, p=[0.5, 0.3, 0.2])
    helped = (generator.random(3_000) < np.array([0.2, 0.5, 0.8])[mood]).astype(int)
    study = simulate_survey(asked, {"mood": mood, "help": 1 - helped}, generator)
    found = study.regress("help ~ mood")
    assert found.coefficients
    assert study.regress("mood ~ help").coefficients


@pytest.mark.parametrize(
    ("rates", "message"),
    [
        ({"sensitivity": 1.5, "specificity": 0.9}, "sensitivity: got 1.5; allowed is a number"),
        ({"sensitivity": 0.9, "specificity": (5, 4)}, r"specificity: got \(5, 4\); allowed"),
        ({"sensitivity": 0.5, "specificity": 0.5}, "no better than a coin"),
    ],
)
def test_what_is_no_rate_is_refused(rates: dict[str, Any], message: str) -> None:
    """With what was got and what is allowed."""
    study = study_of(BANDS, [0, 1, 2] * 100, 1)
    with pytest.raises(InvalidDesign, match=message):
        screened_prevalence(study, "mood", "mild", **rates)


def test_rates_of_few_persons_give_no_interval() -> None:
    """A screening that may be no better than a coin says so."""
    study = study_of(BANDS, [0, 1, 2] * 100, 1)
    with pytest.raises(NotIdentified, match="not known well enough"):
        screened_prevalence(study, "mood", "mild", sensitivity=(2, 3), specificity=(2, 3))


def test_what_has_no_mean_or_no_such_cutoff_is_refused() -> None:
    """Bands have no mean, and "no answer" is no cut-off."""
    study = study_of(OPEN, [0, 1, 2, 3] * 100, 1)
    with pytest.raises(NotIdentified, match="has no mean"):
        compare_with_norm(study, "mood", mean=1, sd=1)
    with pytest.raises(NotIdentified, match="got the cut-off 'no_answer'; allowed are mild"):
        share_above(study, "mood", "no_answer")
    with pytest.raises(NotIdentified, match="got the cut-off 'minimal'; allowed are mild, marked"):
        share_above(study, "mood", "minimal")
    with pytest.raises(InvalidDesign, match="standard deviation 0; allowed are two numbers"):
        compare_with_norm(study, "mood", mean=1, sd=0)
