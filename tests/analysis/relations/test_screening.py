"""Scores and questions as screenings: prevalence, and a mean beside a norm."""

import json
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from analysis.odd_arguments import ODD
from analysis.related import counted_study, yes_no_study
from analysis.scored import BANDS, NUMBER, OPEN, assert_covers, study_of
from deniable_analysis import compare_with_norm, screened_prevalence, share_above, share_below
from deniable_analysis.errors import InvalidArgument, NotIdentified, QuestionNotFound
from deniable_analysis.estimate.choice import critical_value
from deniable_analysis.relations.screening import prevalence_interval
from deniable_analysis.results.screening import Rate
from deniable_analysis.simulation import simulate_survey
from deniable_sdk.weights import Weights
from sample_definitions import choice, survey, yes_no
from score_samples import score
from there import there

LN55 = Weights(55, 1)


def test_known_rates_give_rogan_and_gladens_prevalence() -> None:
    """(p + Sp - 1) / (Se + Sp - 1), and the ends of p are transformed likewise."""
    study = study_of(BANDS, [0] * 600 + [1] * 300 + [2] * 100, 5)
    for interval in ("wilson", "clopper-pearson"):
        above = share_above(study, "mood", "mild", interval=interval).share
        found = screened_prevalence(
            study, "mood", above="mild", sensitivity=0.9, specificity=0.8, interval=interval
        )
        assert found.value == pytest.approx((there(above.share) - 0.2) / 0.7)
        assert found.low == pytest.approx((there(above.low) - 0.2) / 0.7)
        assert found.high == pytest.approx((there(above.high) - 0.2) / 0.7)
        assert found.positive.interval == interval


def test_low_scores_may_be_the_cases() -> None:
    """A screening that is positive below a cut-off is that of the others with exchanged rates."""
    study = study_of(BANDS, [0] * 300 + [1] * 300 + [2] * 400, 5)
    below = screened_prevalence(
        study, "mood", below="marked", sensitivity=(80, 100), specificity=(90, 100)
    )
    healthy = screened_prevalence(
        study, "mood", above="marked", sensitivity=(90, 100), specificity=(80, 100)
    )
    assert below.positive.share.share == share_below(study, "mood", "marked").share.share
    assert below.value == pytest.approx(1 - healthy.value)
    assert below.low == pytest.approx(1 - healthy.high)
    assert below.high == pytest.approx(1 - healthy.low)


def test_a_question_may_be_the_screening() -> None:
    """A rapid test: 300 of 1,000 reports say yes, at epsilon ln 3."""
    found = screened_prevalence(
        yes_no_study(300, 700), "asthma", positive="yes", sensitivity=0.95, specificity=0.98
    )
    share = there(found.positive.share.share)
    assert share == pytest.approx((0.3 - 0.25) / 0.5)
    assert found.value == pytest.approx((share - 0.02) / 0.93)
    assert found.positive.answers == "yes"


def test_several_answers_may_be_positive() -> None:
    """The share of their sum, among those who answered."""
    study = counted_study(survey(choice("test", 3), epsilon=2), test=[500, 200, 100, 60])
    both = screened_prevalence(study, "test", positive=["o2", "o1"], sensitivity=1, specificity=1)
    first = screened_prevalence(study, "test", positive="o0", sensitivity=1, specificity=1)
    assert both.positive.answers == "o1 or o2"
    assert both.value == pytest.approx(1 - first.value)
    assert both.positive.interval == "score"


@pytest.mark.deep
@pytest.mark.parametrize("rates", list(product((0.02, 0.2, 0.6), (40, 200))))
def test_prevalence_covers_with_rates_that_were_measured(rates: tuple[float, int]) -> None:
    """The interval carries the errors of the reports and of both rates; one in ten is silent."""
    prevalence, persons = rates
    generator = np.random.default_rng(8)
    se, sp, hits = 0.85, 0.9, 0
    positive = prevalence * se + (1 - prevalence) * (1 - sp)
    shares = [0.9 * (1 - positive), 0.45 * positive, 0.45 * positive, 0.1]
    for _ in range(300):
        answers = generator.choice(4, 500, p=shares)
        measured = [(int(generator.binomial(persons, rate)), persons) for rate in (se, sp)]
        found = screened_prevalence(
            simulate_survey(OPEN, {"mood": answers}, generator),
            "mood",
            above="mild",
            sensitivity=measured[0],
            specificity=measured[1],
        )
        hits += found.low <= prevalence <= found.high
    assert_covers(hits, 300)


def test_prevalence_of_a_population_covers() -> None:
    """400 of 500 people, of whom exactly 100 have the condition; false results vary among them."""
    asked = survey(yes_no("test", required=True), epsilon=4)
    generator = np.random.default_rng(21)
    ill = np.repeat([True, False], [100, 400])
    hits, hits_without = 0, 0
    for _ in range(400):
        positive = np.where(ill, generator.random(500) < 0.8, generator.random(500) < 0.1)
        answers = 1 - generator.permutation(positive)[:400].astype(int)
        study = simulate_survey(asked, {"test": answers}, generator)
        found = screened_prevalence(
            study, "test", positive="yes", sensitivity=0.8, specificity=0.9, population=500
        )
        hits += found.low <= 0.2 <= found.high
        share = found.positive.share
        low, high = ((there(end) - 0.1) / 0.7 for end in (share.low, share.high))
        hits_without += low <= 0.2 <= high
    assert_covers(hits, 400)
    assert binomtest(hits_without, 400, 0.935, alternative="less").pvalue < 1e-4


@pytest.mark.deep
def test_false_results_vary_among_those_who_would_answer() -> None:
    """All of 500 people, half of whom say nothing, so that only 250 were screened."""
    asked = survey(yes_no("test"), epsilon=4)
    generator = np.random.default_rng(22)
    ill, silent = np.repeat([True, False], [50, 200]), np.full(250, 2)
    hits, hits_of_all = 0, 0
    for _ in range(400):
        positive = np.where(ill, generator.random(250) < 0.8, generator.random(250) < 0.1)
        answers = generator.permutation(np.concatenate((1 - positive.astype(int), silent)))
        study = simulate_survey(asked, {"test": answers}, generator)
        found = screened_prevalence(
            study, "test", positive="yes", sensitivity=0.8, specificity=0.9, population=500
        )
        hits += found.low <= 0.2 <= found.high
        assert found.positive.answered == pytest.approx(0.5, abs=0.2)
        share = found.positive.share
        ends = (there(share.share), there(share.low), there(share.high))
        rates = Rate(value=0.8), Rate(value=0.9)
        low, high = there(prevalence_interval(ends, *rates, critical_value(0.95), 500))
        hits_of_all += low <= 0.2 <= high
    assert_covers(hits, 400)
    assert hits > hits_of_all


@pytest.mark.parametrize(
    "rate", [(np.int64(88), np.int32(100)), [88, 100], np.float32(0.88), np.float64(0.88), 0.88]
)
def test_rates_may_be_any_kind_of_number(rate: Any) -> None:
    """Those of numpy too; what was measured is printed."""
    found = screened_prevalence(
        yes_no_study(500, 500), "asthma", positive="yes", sensitivity=rate, specificity=1
    )
    assert found.sensitivity.value == pytest.approx(0.88)
    is_measured = found.to_document()["sensitivity"]["hits"] == 88
    assert ("sensitivity 0.88 (88 of 100), specificity 1;" in found.title) is is_measured
    json.dumps(found.to_document())


def test_an_impossible_prevalence_has_a_valid_one_beside_it() -> None:
    """The raw value stays negative in every form, and the valid one is 0."""
    found = screened_prevalence(
        yes_no_study(260, 740), "asthma", positive="yes", sensitivity=0.9, specificity=0.9
    )
    assert found.value == pytest.approx((0.02 - 0.1) / 0.8)
    assert found.low < found.value < found.high
    assert found.to_document()["value"] == found.value
    assert found.to_document()["valid_value"] == 0
    assert found.to_frame()["valid_value"].tolist() == [0]
    assert str(found).splitlines()[1].split() == ["prevalence", "low", "high", "valid"]
    assert str(found).splitlines()[2].split()[::3] == ["-0.1000", "0.0000"]
    (chart,) = found.charts()
    assert chart.marks[0].value == found.value
    sure = screened_prevalence(
        yes_no_study(740, 260), "asthma", positive="yes", sensitivity=0.9, specificity=0.9
    )
    assert sure.value > 1
    assert sure.valid_value == 1


def test_reports_that_all_agree_have_an_interval() -> None:
    """Wilson's interval has a length where the estimated variance is 0."""
    found = screened_prevalence(
        yes_no_study(0, 40, LN55), "asthma", positive="yes", sensitivity=1, specificity=1
    )
    assert found.low < 0 < found.high < 0.15


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


def test_a_mean_of_a_population_is_compared_as_estimate_has_it() -> None:
    """The interval is that of the mean, less the norm."""
    study = study_of(NUMBER, [1, 3, 8] * 200, 4)
    found = compare_with_norm(study, "mood", mean=2, sd=4, population=700)
    mean = there(study.estimate("mood", population=700).questions[0].mean)
    assert found.low == pytest.approx(there(mean.low) - 2)
    every = compare_with_norm(study, "mood", mean=2, sd=4)
    assert every.low < found.low
    with pytest.raises(InvalidArgument, match="got a population of 599 for 600 reports"):
        compare_with_norm(study, "mood", mean=2, sd=4, population=599)


@pytest.mark.deep
def test_means_of_a_score_cover() -> None:
    """That of a sum, reported as a number."""
    shares = [0.3, 0.2, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05]
    truth, hits, generator = float(np.arange(10) @ shares), 0, np.random.default_rng(3)
    for _ in range(300):
        answers = generator.choice(10, 1_500, p=shares)
        study = simulate_survey(NUMBER, {"mood": answers}, generator)
        compared = compare_with_norm(study, "mood", mean=truth, sd=2.5)
        hits += compared.low <= 0 <= compared.high
    assert_covers(hits, 300)


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
        ({"sensitivity": (50, 100), "specificity": (40, 100)}, "no better than a coin"),
    ],
)
def test_what_is_no_rate_is_refused(rates: dict[str, Any], message: str) -> None:
    """With what was got and what is allowed."""
    study = study_of(BANDS, [0, 1, 2] * 100, 1)
    with pytest.raises(InvalidArgument, match=message):
        screened_prevalence(study, "mood", above="mild", **rates)


def test_rates_of_few_persons_give_no_interval() -> None:
    """A screening that may be no better than a coin says so; one measured better does not."""
    study = study_of(BANDS, [0, 1, 2] * 100, 1)
    for hits, persons in ((2, 3), (16, 30), (50, 90)):
        rates: dict[str, Any] = {"sensitivity": (hits, persons), "specificity": (hits, persons)}
        with pytest.raises(NotIdentified, match="their sum may be 1; measure them on more"):
            screened_prevalence(study, "mood", above="mild", **rates)
    found = screened_prevalence(
        study, "mood", above="mild", sensitivity=(600, 900), specificity=(450, 900)
    )
    assert found.low < found.value < found.high


@pytest.mark.parametrize(
    ("positive", "message"),
    [
        ({}, "got no positive answers; allowed is exactly one of above=CUTOFF, below=CUTOFF"),
        ({"above": "mild", "below": "mild"}, "got above and below; allowed is exactly one"),
        ({"below": "mild", "positive": "mild"}, "got below and positive; allowed is exactly"),
    ],
)
def test_it_must_be_clear_what_is_positive(positive: dict[str, Any], message: str) -> None:
    """One rule, and not two."""
    study = study_of(BANDS, [0, 1, 2] * 100, 1)
    with pytest.raises(InvalidArgument, match=message):
        screened_prevalence(study, "mood", sensitivity=0.9, specificity=0.9, **positive)


def test_positive_answers_are_some_options() -> None:
    """Not all, none, "no answer", or options of another question."""
    study = study_of(OPEN, [0, 1, 2, 3] * 100, 1)
    rates: dict[str, Any] = {"sensitivity": 0.9, "specificity": 0.9}
    for wrong in ("no_answer", [], ["minimal", "mild", "marked"], ["mild", "no_answer"]):
        with pytest.raises(NotIdentified, match="allowed are some of minimal, mild, marked"):
            screened_prevalence(study, "mood", positive=wrong, **rates)
    with pytest.raises(QuestionNotFound, match="got the option 'severe'"):
        screened_prevalence(study, "mood", positive=["mild", "severe"], **rates)
    for odd in ODD.values():
        if odd is not None:
            with pytest.raises((QuestionNotFound, NotIdentified)):
                screened_prevalence(study, "mood", positive=odd, **rates)


def test_what_has_no_mean_or_no_norm_is_refused() -> None:
    """Bands have no mean, and a norm varies."""
    study = study_of(OPEN, [0, 1, 2, 3] * 100, 1)
    with pytest.raises(NotIdentified, match="has no mean"):
        compare_with_norm(study, "mood", mean=1, sd=1)
    with pytest.raises(InvalidArgument, match="standard deviation 0; allowed are two numbers"):
        compare_with_norm(study, "mood", mean=1, sd=0)
