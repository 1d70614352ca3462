"""What a guesser learns, against the enumerated channels and known numbers."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deniable_analysis.errors import InvalidArgument, UnsupportedMechanism
from deniable_analysis.planning import plan_mechanism
from deniable_analysis.privacy import (
    belief_bounds,
    guess_with_report,
    guess_without_report,
    most_detected,
    tell_apart_error,
)
from deniable_sdk import theory
from deniable_sdk.mechanisms import Mechanism, OneOf, SampledBits, SomeOf, Subset
from deniable_sdk.weights import Weights
from mechanism_grid import name, piecewises, privsets, sampled_bits
from planning_channels import WEIGHTS, subsets
from sampled_params import sampled_params

_ALL = json.loads((Path(__file__).parents[1] / "known" / "planning_anchors.json").read_text())
EVERY: list[Mechanism] = [
    *subsets(5),
    *sampled_bits(3, WEIGHTS),
    *privsets(4, WEIGHTS[1:3]),
    *piecewises(5, WEIGHTS),
]


def known(anchor: str) -> list[Any]:
    """The parameters of a test: inputs and result of every known number of this name."""
    found = [
        pytest.param(entry["inputs"], entry["expected"], id=entry["id"])
        for entry in _ALL
        if entry["name"] == anchor
    ]
    assert found
    return found


def ratio(epsilon: float) -> Fraction:
    """e^epsilon as devices have it."""
    return plan_mechanism(epsilon).weights.ratio


@pytest.mark.parametrize("mechanism", sampled_params(EVERY, 3), ids=name)
def test_the_guess_is_the_enumerated_one(mechanism: Mechanism) -> None:
    """A guesser who takes the likeliest answer of every output is right as often as stated."""
    rows = theory.channel(mechanism).values()
    largest = sum((max(row) for row in rows), Fraction())
    answers = len(list(mechanism.domain.answers()))
    assert guess_with_report(mechanism) == largest / answers
    assert guess_without_report(mechanism.domain) == Fraction(1, answers)


@pytest.mark.parametrize("mechanism", sampled_params(EVERY, 3), ids=name)
def test_a_report_never_helps_more_than_epsilon_allows(mechanism: Mechanism) -> None:
    """With a report the guess is better, and at most ratio / (ratio + answers - 1) good."""
    spent = math.prod((weights.ratio for weights in mechanism.spends), start=Fraction(1))
    without = guess_without_report(mechanism.domain)
    bound = spent / (spent + mechanism.domain.size - 1)
    assert without < guess_with_report(mechanism) <= bound


@pytest.mark.parametrize(("inputs", "expected"), known("attack_success_uniform_prior"))
def test_known_guesses(inputs: dict[str, float], expected: dict[str, float]) -> None:
    """Subset selection's known rates of a guesser, without and with the report."""
    mechanism = plan_mechanism(inputs["eps"], int(inputs["k"]))
    assert float(guess_with_report(mechanism)) == pytest.approx(expected["SS"], abs=1e-9)
    assert float(guess_without_report(mechanism.domain)) == pytest.approx(expected["random"])


@pytest.mark.parametrize(("inputs", "expected"), known("posterior_bounds"))
def test_known_beliefs(inputs: dict[str, float], expected: dict[str, float]) -> None:
    """The known bounds of what can be believed after a report."""
    belief = belief_bounds(inputs["prior"], ratio(inputs["eps"]))
    assert float(belief.low) == pytest.approx(expected["lower"], abs=1e-9)
    assert float(belief.high) == pytest.approx(expected["upper"], abs=1e-9)
    assert float(belief.prior) == inputs["prior"]


@pytest.mark.parametrize(("inputs", "expected"), known("bayes_error_equal_priors"))
def test_known_errors_of_the_best_test(inputs: dict[str, float], expected: float) -> None:
    """The known error of telling two answers apart, 1 / (e^epsilon + 1)."""
    assert float(tell_apart_error(ratio(inputs["eps"]))) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("mechanism", EVERY[::5], ids=name)
def test_no_output_moves_a_belief_beyond_its_bounds(mechanism: Mechanism) -> None:
    """Every posterior about every answer is within the bounds, and Warner's attain them."""
    spent = math.prod((weights.ratio for weights in mechanism.spends), start=Fraction(1))
    for prior in (Fraction(1, 100), Fraction(1, 2)):
        bounds = belief_bounds(prior, spent)
        posteriors = [
            prior * mine / (prior * mine + (1 - prior) * other)
            for row in theory.channel(mechanism).values()
            for mine in set(row)
            for other in set(row)
        ]
        assert bounds.low <= min(posteriors)
        assert max(posteriors) <= bounds.high
        if isinstance(mechanism, Subset):
            assert (min(posteriors), max(posteriors)) == (bounds.low, bounds.high)


@pytest.mark.parametrize("mechanism", EVERY[::5], ids=name)
def test_no_test_of_two_answers_errs_less(mechanism: Mechanism) -> None:
    """The best test of any two answers errs at least as often as stated; Warner's exactly so."""
    spent = math.prod((weights.ratio for weights in mechanism.spends), start=Fraction(1))
    rows = list(theory.channel(mechanism).values())
    count = len(rows[0])
    errors = [
        sum((min(row[one], row[other]) for row in rows), Fraction()) / 2
        for one in range(count)
        for other in range(one)
    ]
    assert min(errors) >= tell_apart_error(spent)
    if count == 2 and isinstance(mechanism, Subset):
        assert errors == [tell_apart_error(spent)]


def test_large_domains_take_no_enumeration() -> None:
    """A thousand options to choose any of have a guess, far below any that could be seen."""
    mechanism = SampledBits(SomeOf(1000, 1000), 1, Weights(3, 1))
    assert guess_with_report(mechanism) == Fraction(3, 2) / 2**1000
    assert guess_without_report(OneOf(1000, offers_no_answer=True)) == Fraction(1, 1001)


def test_a_prior_is_a_probability() -> None:
    """A belief of more than 1 is refused."""
    with pytest.raises(InvalidArgument, match=r"prior: got 10; allowed is a share from 0 to 1"):
        belief_bounds(10, Fraction(3))


def test_an_unknown_mechanism_has_no_guess() -> None:
    """What is no published mechanism is refused, not guessed at."""
    message = r"got something of the type SomeOf; allowed are the mechanisms of a published survey"
    with pytest.raises(UnsupportedMechanism, match=message):
        guess_with_report(SomeOf(3, 1))  # type: ignore[arg-type]  # that is what is refused


def test_what_is_no_domain_has_no_guess() -> None:
    """A number of options is no domain, and the message says what is one."""
    with pytest.raises(UnsupportedMechanism, match=r"^domain: got something of the type int; all"):
        guess_without_report(3)  # type: ignore[arg-type]  # that is what is refused


@pytest.mark.parametrize("ratio", [0.5, 0, float("inf"), None])
def test_a_report_reveals_at_least_nothing(ratio: Any) -> None:
    """A ratio below 1, or none, is refused wherever it is asked for."""
    calls: list[Callable[[], object]] = [
        lambda: belief_bounds(0.1, ratio),
        lambda: tell_apart_error(ratio),
        lambda: most_detected(0.1, ratio),
    ]
    for call in calls:
        with pytest.raises(
            InvalidArgument, match=r"^ratio: got .*; allowed is e\^epsilon as a num"
        ):
            call()


@pytest.mark.parametrize(("inputs", "expected"), known("max_TPR_at_FPR_0.05"))
def test_known_chances_of_detection(inputs: dict[str, Any], expected: float) -> None:
    """What a test with 5 % false alarms finds at most is the known part."""
    assert float(most_detected(0.05, ratio(inputs["eps"]))) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("mechanism", sampled_params(EVERY, 3), ids=name)
def test_no_report_is_a_better_test_than_the_bound(mechanism: Mechanism) -> None:
    """Every set of outputs, likeliest first, finds each answer at most as often as bounded."""
    spent = math.prod((weights.ratio for weights in mechanism.spends), start=Fraction(1))
    rows = [*theory.channel(mechanism).values()]
    for one, other in ((0, 1), (1, 0), (0, len(rows[0]) - 1)):
        found = wrong = Fraction(0)
        for row in sorted(rows, key=lambda row: row[other] / row[one]):
            found, wrong = found + row[one], wrong + row[other]
            assert found <= most_detected(min(wrong, Fraction(1)), spent)


def test_a_part_of_false_alarms_is_a_part() -> None:
    """More false alarms than all are refused."""
    with pytest.raises(InvalidArgument, match=r"^false_alarms: got 5; allowed is a share from 0"):
        most_detected(5, Fraction(3))
