"""The share at or above a cut-off, or below it: values, intervals, populations, refusals."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from analysis.enumerated import with_mechanism
from analysis.related import counted_study
from analysis.scored import BANDS, NUMBER, OPEN, SUMS, assert_covers, study_of
from deniable_analysis import Study, share_above, share_below
from deniable_analysis.errors import InvalidArgument, NotIdentified, QuestionNotFound
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights
from sample_definitions import number, survey, yes_no
from sampled_params import sampled_params
from score_samples import score
from there import there

OPEN_NUMBER = survey({**SUMS, "required": False}, epsilon=1)
RARE_BANDS = survey(score(), epsilon=4)
RARE_NUMBER = survey({**SUMS, "required": False}, epsilon=4)


def drawn(
    asked: PublishedSurvey, shares: Sequence[float], seed: int, respondents: int
) -> Iterator[Study]:
    """Simulated studies of respondents who are drawn from these shares."""
    generator = np.random.default_rng(seed)
    while True:
        answers = generator.choice(len(shares), respondents, p=shares)
        yield simulate_survey(asked, {"mood": answers}, generator)


def test_share_above_is_the_sum_of_the_bands() -> None:
    """And its interval that of the merged options, as nobody may leave it open."""
    study = study_of(BANDS, [0] * 600 + [1] * 300 + [2] * 100, 5)
    options = {each.option: each.share for each in study.estimate("mood").questions[0].options}
    above = share_above(study, "mood", "mild")
    both = [there(options[name]) for name in ("mild", "marked")]
    assert above.share.share == pytest.approx(sum(both))
    assert (above.interval, above.answers) == ("wilson", "mild or above")


@pytest.mark.parametrize(
    ("asked", "answers", "cutoff"),
    [(BANDS, 3, "mild"), (OPEN, 4, "marked"), (NUMBER, 10, 4), (OPEN_NUMBER, 11, 4)],
    ids=["bands", "bands with no answer", "a number", "a number with no answer"],
)
def test_shares_above_and_below_complement_each_other(
    asked: PublishedSurvey, answers: int, cutoff: Any
) -> None:
    """Both sum to 1, and so do the opposite ends of their intervals."""
    study = study_of(asked, list(range(answers)) * 100, 6)
    above = share_above(study, "mood", cutoff).share
    below = share_below(study, "mood", cutoff).share
    assert there(above.share) + there(below.share) == pytest.approx(1)
    assert there(above.low) + there(below.high) == pytest.approx(1)
    assert there(above.high) + there(below.low) == pytest.approx(1)
    assert there(above.low) < there(above.share) < there(above.high)
    assert above.standard_error == pytest.approx(there(below.standard_error))


def test_a_cutoff_between_two_numbers_is_that_of_the_next() -> None:
    """WHO-5 is counted in steps of 4, and its cut-off is 50."""
    who5 = number("who5", min=0, max=100, step=4, required=True)
    asked = survey(who5, epsilon=4)
    generator = np.random.default_rng(3)
    study = simulate_survey(asked, {"who5": generator.integers(26, size=2_000)}, generator)
    at_50, at_52 = share_below(study, "who5", 50), share_below(study, "who5", "52")
    assert at_50.share.share == at_52.share.share
    assert (at_50.answers, at_52.answers) == ("below 50", "below 52")
    assert there(at_50.share.low) < 0.5 < there(at_50.share.high)


REACH = 1.959963984540054


def test_no_answer_gets_the_interval_of_a_score_test() -> None:
    """Its ends are those ratios whose distance is 1.96 standard errors, if they are true."""
    mechanism = Subset(4, 1, Weights(3, 1))
    counts = [300, 150, 90, 160]
    study = counted_study(with_mechanism(mechanism, score()), mood=counts)
    found = share_above(study, "mood", "mild")
    flip, spread, reports = 1 / 6, 1 / 3, sum(counts)
    low, mild, marked, _ = (np.array(counts) / reports - flip) / spread
    for ratio in (there(found.share.low), there(found.share.high)):
        answered = low + mild + marked
        near = answered + (0.5 - answered) * REACH**2 / (reports + REACH**2)
        part = ratio * near
        tested = np.array([near - part, part / 2, part / 2, 1 - near])
        weights = (np.array([0, 1, 1, 0]) - ratio * np.array([1, 1, 1, 0])) / spread
        rates = flip + spread * tested
        variance = (rates @ weights**2 - (rates @ weights) ** 2) / reports
        distance = mild + marked - ratio * answered
        assert abs(distance) == pytest.approx(REACH * variance**0.5)
    assert found.interval == "score"


def test_several_blocks_have_a_score_interval_too() -> None:
    """With many reports from two crosstabs it is nearly the normal one of the pooled shares."""
    asked = survey(
        score(),
        yes_no("help", required=True),
        yes_no("told", required=True),
        epsilon=4,
        crosstabs=[["mood", "help"], ["mood", "told"]],
    )
    generator = np.random.default_rng(8)
    answers = {
        "mood": generator.choice(4, 20_000, p=[0.5, 0.2, 0.2, 0.1]),
        "help": generator.integers(2, size=20_000),
        "told": generator.integers(2, size=20_000),
    }
    above = share_above(simulate_survey(asked, answers, generator), "mood", "mild")
    share, error = there(above.share.share), there(above.share.standard_error)
    assert above.interval == "score"
    assert there(above.share.low) == pytest.approx(share - 1.96 * error, abs=error / 20)
    assert there(above.share.high) == pytest.approx(share + 1.96 * error, abs=error / 20)
    assert abs(share - 4 / 9) < 4 * error


# A survey, the shares of its options, a cut-off, the first option that reaches it, respondents.
CASES: Mapping[str, tuple[PublishedSurvey, list[float], Any, int, int]] = {
    "rare": (RARE_BANDS, [0.784, 0.098, 0.018, 0.1], "marked", 2, 100),
    "bands": (BANDS, [0.6, 0.3, 0.1], "marked", 2, 500),
    "rare number": (RARE_NUMBER, [0.147] * 6 + [0.0045] * 4 + [0.1], 6, 6, 100),
    "number": (NUMBER, [0.3, 0.2, 0.1, 0.1, *[0.05] * 6], 6, 6, 300),
    "number with no answer": (OPEN_NUMBER, [0.3, *[0.1] * 3, *[0.05] * 6, 0.1], 4, 4, 300),
    "no answer": (OPEN, [0.5, 0.2, 0.2, 0.1], "mild", 1, 500),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", sampled_params(CASES))
def test_shares_above_cover(name: str) -> None:
    """The interval contains the true share among those who answer as often as it says.

    The rare ones cover 85 percent if the variance is the estimated one.
    """
    asked, shares, cutoff, first, respondents = CASES[name]
    options = len(shares) - (not asked.questions[-1].required)
    truth = sum(shares[first:options]) / sum(shares[:options])
    hits, source = 0, drawn(asked, shares, 11, respondents)
    for _ in range(200):
        above = share_above(next(source), "mood", cutoff).share
        hits += there(above.low) <= truth <= there(above.high)
    assert_covers(hits, 200)


@pytest.mark.deep
@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 4])
@pytest.mark.parametrize("is_number", [False, True])
@pytest.mark.parametrize("truth", [0.02, 0.1, 0.5])
def test_shares_of_those_who_answered_cover(epsilon: float, is_number: bool, truth: float) -> None:
    """With one in ten silent: bands of 100 and of 1,000 respondents, numbers of 100.

    Where the reports do not show that anybody answered, or the interval has no
    ends, no value is excluded.
    """
    asked = survey({**SUMS, "required": False} if is_number else score(), epsilon=epsilon)
    below, above = (6, 4) if is_number else (2, 1)
    shares = [0.9 * (1 - truth) / below] * below + [0.9 * truth / above] * above + [0.1]
    for respondents in (100,) if is_number else (100, 1_000):
        source = drawn(asked, shares, 12, respondents)
        excluded = 0
        for _ in range(300):
            with suppress(NotIdentified):
                found = share_above(next(source), "mood", 6 if is_number else "marked").share
                if found.low is not None:
                    excluded += not found.low <= truth <= there(found.high)
        assert_covers(300 - excluded, 300)


@pytest.mark.parametrize(
    ("asked", "cutoff"),
    [(BANDS, "mild"), (OPEN, "mild"), (NUMBER, 4)],
    ids=["bands", "open", "number"],
)
def test_a_population_shortens_the_interval(asked: PublishedSurvey, cutoff: Any) -> None:
    """The sampling part is multiplied by (N - n) / (N - 1), and the mechanism part is not."""
    study = study_of(asked, [0, 1, 2] * 200, 7)
    every = share_above(study, "mood", cutoff)
    school = share_above(study, "mood", cutoff, population=800)
    before, after = every.share, school.share
    assert there(after.sampling_variance) == pytest.approx(
        there(before.sampling_variance) * 200 / 799
    )
    assert there(after.mechanism_variance) == pytest.approx(there(before.mechanism_variance))
    assert there(after.high) - there(after.low) < there(before.high) - there(before.low)
    assert school.interval == every.interval
    with pytest.raises(InvalidArgument, match="got a population of 599 for 600 reports"):
        share_below(study, "mood", cutoff, population=599)


def test_reports_that_hardly_show_an_answer_leave_everything_open() -> None:
    """If those who answered may be none, the ratio to them may be anything from 0 to 1."""
    mechanism = Subset(4, 1, Weights(3, 1))
    study = counted_study(with_mechanism(mechanism, score()), mood=[18, 17, 17, 48])
    found = share_above(study, "mood", "mild").share
    assert found.share is not None
    assert (found.low, found.high, found.standard_error) == (0, 1, None)


@pytest.mark.parametrize(
    ("asked", "cutoff", "message"),
    [
        (OPEN, "no_answer", "got the cut-off 'no_answer'; allowed are mild, marked: all but"),
        (OPEN, "minimal", "got the cut-off 'minimal'; allowed are mild, marked: all but"),
        (NUMBER, 0, "got the cut-off '0'; allowed are 1, 2, 3, 4, 5, ...: all but"),
        (NUMBER, 9.5, "got the cut-off '9.5'; allowed are 1, 2, 3, 4, 5, ...: all but"),
    ],
)
def test_what_everybody_or_nobody_reaches_is_refused(
    asked: PublishedSurvey, cutoff: Any, message: str
) -> None:
    """Of both sides of the cut-off."""
    study = study_of(asked, [0, 1, 2] * 100, 1)
    for share in (share_above, share_below):
        with pytest.raises(NotIdentified, match=message):
            share(study, "mood", cutoff)
        with pytest.raises(QuestionNotFound, match="got the option 'severe'"):
            share(study, "mood", "severe")
