"""The winner of a question, and how likely it is another option."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from scipy import stats

from analysis.enumerated import with_mechanism
from analysis.known.numbers import KnownNumber, known
from analysis.related import MUST, channel_matrix, counted_study
from deniable_analysis.errors import InvalidArgument, NotIdentified, QuestionNotFound
from deniable_analysis.estimate import covariance_matrix
from deniable_analysis.planning import Order, plan_mechanism
from deniable_analysis.relations.winner import possible_winners, wrong_winner
from deniable_sdk.mechanisms import Subset
from deniable_sdk.theory.subset import best_subset
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import choice, multiple, survey
from sampling_checks import ALPHA, SampleRejected, check_binomial

LN3 = Weights(3, 1)


def planned(number: KnownNumber) -> tuple[np.ndarray, np.ndarray, Subset]:
    """The true shares, their covariances and the mechanism of a known number."""
    weights = integer_weights(Fraction(str(number.inputs["eps"])))
    mechanism = Subset(number.domain_size, 1, weights)
    shares = np.array(number.inputs["f"])
    return shares, covariance_matrix(shares, number.inputs["n"], mechanism), mechanism


@pytest.mark.parametrize("number", known("plurality_winner_error"))
def test_the_wrong_winner_is_as_likely_as_known(number: KnownNumber) -> None:
    """The nearest rival's probability, the union of all, and what is between them."""
    shares, covariances, _ = planned(number)
    found = wrong_winner(shares, covariances)
    expected = number.expected
    assert found.leader == 0
    assert found.rivals.max() == pytest.approx(expected["top2_normal"], abs=1e-6)
    assert found.rivals.sum() == pytest.approx(expected["union_bound"], abs=1e-6)
    assert expected["top2_normal"] <= found.probability <= expected["union_bound"]
    assert found.probability == pytest.approx(expected["simulated"], abs=number.tolerance)
    if number.id == "T574":  # the one that the page tells of
        assert round(found.probability, 3) == 0.21


@pytest.mark.parametrize("number", known("n_for_top2_order_95"))
def test_the_plan_for_the_order_of_two_is_the_same_formula(number: KnownNumber) -> None:
    """As many respondents as are known make a wrong order of the first two 5 % likely."""
    inputs = number.inputs
    mechanism = plan_mechanism(inputs["eps"], options=inputs["k"])
    assert mechanism.size == 1
    needed = Order(inputs["f1"], inputs["f2"], probability=0.95).respondents(mechanism)
    assert needed == number.expected
    rest = (1 - inputs["f1"] - inputs["f2"]) / (inputs["k"] - 2)
    shares = [inputs["f1"], inputs["f2"], *[rest] * (inputs["k"] - 2)]
    found = wrong_winner(shares, covariance_matrix(shares, needed, mechanism))
    assert found.rivals[1] == pytest.approx(0.05, abs=1e-4)


@pytest.mark.parametrize("options", [2, 3, 5])
def test_the_bound_is_close_to_the_normal_probability(options: int) -> None:
    """It is never below what the multivariate normal gives, and at most a tenth above."""
    mechanism = best_subset(options, integer_weights(Fraction(1)))
    shares = np.linspace(1.2, 0.8, options) / options
    covariances = covariance_matrix(shares, 2000, mechanism)
    slopes = np.eye(options)[1:] - np.eye(options)[0]
    noise = stats.multivariate_normal(
        np.zeros(options - 1), slopes @ covariances @ slopes.T, seed=1
    )
    exact = 1 - float(noise.cdf(-slopes @ shares))
    found = wrong_winner(shares, covariances).probability
    assert exact - 1e-4 <= found <= 1.1 * exact


def test_simulated_surveys_pick_the_wrong_winner_as_often(random_source: Random) -> None:
    """Of drawn surveys the leader is another option as often as the bound says, or less."""
    (number, *_) = known("plurality_winner_error")[0].values
    hits, surveys = wrong_leaders(number, random_source), 4000
    check_binomial(hits, surveys, number.expected["simulated"])


def test_a_winner_that_counts_only_one_rival_is_caught(random_source: Random) -> None:
    """A probability of half the true one is rejected."""
    (number, *_) = known("plurality_winner_error")[0].values
    hits = wrong_leaders(number, random_source)
    with pytest.raises(SampleRejected):
        check_binomial(hits, 4000, number.expected["top2_normal"] / 2)


def wrong_leaders(number: KnownNumber, source: Random) -> int:
    """In how many of 4,000 drawn surveys another option leads."""
    shares, _, mechanism = planned(number)
    law = channel_matrix(mechanism) @ shares
    generator = np.random.default_rng(source.getrandbits(64))
    counts = generator.multinomial(number.inputs["n"], law, size=4000)
    return int(np.sum(counts.argmax(axis=1) != 0))


CLOSE = [
    pytest.param(np.full(5, 0.2), 500, 1, id="five level"),
    pytest.param(
        np.array([0.26, 0.25, 0.25, 0.24]), 2000, 1, id="four close", marks=pytest.mark.deep
    ),
    pytest.param(np.array([0.34, 0.34, 0.32]), 20_000, 2, id="two level"),
    pytest.param(np.array([0.5, 0.5]), 300, 1, id="two of two", marks=pytest.mark.deep),
    pytest.param(np.full(20, 0.05), 5000, 1, id="twenty level", marks=pytest.mark.deep),
]


def held_and_said(
    shares: np.ndarray, reports: int, epsilon: int, source: Random
) -> tuple[int, float, int]:
    """Of 3,000 surveys: sets that hold the largest, mean posterior, wrong leaders."""
    mechanism = Subset(len(shares), 1, integer_weights(Fraction(epsilon)))
    generator = np.random.default_rng(source.getrandbits(64))
    law = channel_matrix(mechanism) @ shares
    counts = generator.multinomial(reports, law, size=3000)
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    held, said, wrong = 0, 0.0, 0
    for drawn in counts:
        found = (drawn / reports - flip) / (keep - flip)
        covariances = covariance_matrix(found, reports, mechanism)
        held += 0 in possible_winners(found, covariances, 0.95)
        winner = wrong_winner(found, covariances)
        said += winner.probability / len(counts)
        wrong += winner.leader != 0
    return held, said, wrong


@pytest.mark.deep
@pytest.mark.parametrize(("shares", "reports", "epsilon"), CLOSE)
def test_the_possible_winners_hold_the_winner_in_close_races(
    shares: np.ndarray, reports: int, epsilon: int, random_source: Random
) -> None:
    """As often as the confidence or more, where the posterior says much less than errors come."""
    held, said, wrong = held_and_said(shares, reports, epsilon, random_source)
    # Normal noise is an approximation: as elsewhere 1.5 points short is allowed.
    assert stats.binom.sf(held, 3000, 0.935) < 1 - ALPHA
    assert said < wrong / 3000


def test_a_clear_race_leaves_one_and_a_confidence_is_checked() -> None:
    """Far behind is out, level stays, the leader always stays, and 1 is refused."""
    covariances = covariance_matrix([0.4, 0.39, 0.21], 4000, Subset(3, 1, LN3))
    assert possible_winners([0.4, 0.39, 0.21], covariances, 0.95) == (0, 1)
    assert possible_winners([0.6, 0.2, 0.2], covariances, 0.95) == (0,)
    assert possible_winners([0.4, 0.6], covariances[:2, :2], 0.01) == (1,)
    published = with_mechanism(Subset(3, 1, LN3), choice(options=3, **MUST))
    study = counted_study(published, region=[300, 320, 280])
    assert study.winner("region").possible == ("o1", "o0", "o2")
    assert study.winner("region", confidence=0.5).possible != ("o1", "o0", "o2")
    assert "one of o1, o0" in str(study.winner("region"))
    with pytest.raises(InvalidArgument, match="confidence: got 1; allowed"):
        study.winner("region", confidence=1)


def test_a_study_names_its_winner() -> None:
    """The leader, its rivals in order, and the differences with their errors."""
    published = with_mechanism(Subset(3, 1, LN3), choice(options=3, **MUST))
    found = counted_study(published, region=[300, 420, 280]).winner("region")
    assert (found.option, [rival.option for rival in found.rivals]) == ("o1", ["o0", "o2"])
    shares = (np.array([0.3, 0.42, 0.28]) - 0.2) / 0.4
    covariances = covariance_matrix(shares, 1000, Subset(3, 1, LN3))
    apart = np.array([-1.0, 1.0, 0.0])
    nearest = found.rivals[0]
    assert nearest.behind == pytest.approx(apart @ shares)
    assert nearest.standard_error == pytest.approx(np.sqrt(apart @ covariances @ apart))
    assert nearest.probability_ahead == pytest.approx(
        stats.norm.sf(nearest.behind / nearest.standard_error)
    )
    assert str(found).splitlines()[1] == (
        "o1 leads with 0.5500; posterior probability (equal priors) that another option is really "
        f"ahead: {found.probability_wrong:.4g}"
    )
    sure = "with 0.95 confidence, also in a close race, the largest is o1"
    assert str(found).splitlines()[2] == sure
    assert found.to_document()["possible"] == ["o1"]
    assert found.to_document()["rivals"][0]["option"] == "o0"
    assert found.to_frame()["option"].tolist() == ["o0", "o2"]
    (chart,) = found.charts()
    assert [mark.name.split()[0] for mark in chart.marks] == ["o0", "o2"]


def test_no_answer_does_not_stand_for_election() -> None:
    """However many gave no answer, an option wins."""
    published = with_mechanism(Subset(3, 1, LN3), choice(options=2))
    found = counted_study(published, region=[200, 250, 900]).winner("region")
    assert found.option == "o1"
    assert len(found.rivals) == 1


def test_what_has_no_winner_is_refused() -> None:
    """Too few reports, none, multiple choices and unknown questions."""
    published = with_mechanism(Subset(3, 1, LN3), choice(options=3, **MUST))
    with pytest.raises(NotIdentified, match="do not vary enough to say how sure a winner is"):
        counted_study(published, region=[1, 0, 0]).winner("region")
    with pytest.raises(NotIdentified, match="no report of health@1 carries question 'region' yet"):
        counted_study(published).winner("region")
    with pytest.raises(NotIdentified, match=r"question 'drugs' \(multiple\) is randomized by"):
        counted_study(survey(multiple())).winner("drugs")
    with pytest.raises(QuestionNotFound, match="got the question 'colour'"):
        counted_study(published).winner("colour")
