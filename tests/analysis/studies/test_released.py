"""Estimates from releases cover the truth as often as they say, simulated from answers to ends."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from analysis.released import released
from deniable_analysis import Estimates, Interval, Study
from deniable_analysis.estimate.binomial import ALLOWANCE
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.questions import estimate_questions
from deniable_analysis.results.answers import NOT_ASKED_OR_NONE
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from deniable_storage.counts import BlockCounts, SurveyCounts
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from sampled_params import sampled_params
from sampling_checks import SEED, SampleRejected, check_binomial

TRIALS = 300
PEOPLE = 20_000
Answers = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Case:
    """A survey, the answers of everybody who could be asked, and the true values."""

    published: PublishedSurvey
    answers: Answers
    truths: Mapping[str, float]


def _shares(question: str, names: tuple[str, ...], answers: np.ndarray) -> dict[str, float]:
    return {
        f"{question}: {name}": float(np.mean(answers == place)) for place, name in enumerate(names)
    }


def scale_case(generator: np.random.Generator) -> Case:
    """A scale with "no answer", by subset selection."""
    published = survey(scale())
    answers = generator.choice(6, PEOPLE, p=[0.3, 0.3, 0.2, 0.05, 0.05, 0.1])
    truths = _shares("stress", published.questions[0].names, answers)
    truths["stress: mean"] = float(answers[answers < 5].mean() + 1)
    return Case(published, {"stress": answers}, truths)


def number_case(generator: np.random.Generator) -> Case:
    """A skewed number with "no answer"."""
    published = survey(number(highest=10))
    chances = [0.2, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.03, 0.01, 0.01, 0.1]
    answers = generator.choice(12, PEOPLE, p=chances)
    truths = {"visits: no_answer": float(np.mean(answers == 11))}
    truths["visits: mean"] = float(answers[answers < 11].mean())
    return Case(published, {"visits": answers}, truths)


def pooled_case(generator: np.random.Generator) -> Case:
    """A question in two crosstabs, of which each person answers one."""
    asked = yes_no("a", required=True), choice("b", required=True), yes_no("c", required=True)
    published = survey(*asked, crosstabs=[["a", "b"], ["a", "c"]], ask=1)
    a = generator.choice(2, PEOPLE, p=[0.2, 0.8])
    b = generator.choice(3, PEOPLE, p=[0.6, 0.3, 0.1])
    answers = {"a": a, "b": b, "c": (a + generator.choice(2, PEOPLE, p=[0.7, 0.3])) % 2}
    truths: dict[str, float] = {}
    for question in published.questions:
        truths |= _shares(question.id, question.names, answers[question.id])
    return Case(published, answers, truths)


def routed_case(generator: np.random.Generator) -> Case:
    """A question that only those are asked who say yes to another."""
    rule = {"question": "a", "is": "yes"}
    published = survey(yes_no("a", required=True), choice("b", show_if=rule), epsilon=4)
    a = generator.choice(2, PEOPLE, p=[0.4, 0.6])
    b = np.where(a == 0, generator.choice(4, PEOPLE, p=[0.5, 0.2, 0.1, 0.2]), 3)
    names = published.questions[1].names
    of_all = (*names[:-1], NOT_ASKED_OR_NONE)
    truths = {**_shares("a", published.questions[0].names, a), **_shares("b", of_all, b)}
    truths |= {f"among {name}": each for name, each in _shares("b", names, b[a == 0]).items()}
    return Case(published, {"a": a, "b": b}, truths)


def multiple_case(generator: np.random.Generator) -> Case:
    """A multiple choice by sampled bits."""
    published = survey(multiple(options=8, required=True))
    answers = generator.random((PEOPLE, 8)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.0]
    names = published.questions[0].names
    means = answers.mean(axis=0).tolist()
    truths = {f"drugs: {name}": each for name, each in zip(names, means, strict=True)}
    return Case(published, {"drugs": answers}, truths)


def sets_case(generator: np.random.Generator) -> Case:
    """A choice among ten that is reported as a set."""
    published = survey(choice(options=10, required=True), epsilon=1)
    assert published.blocks[0].mechanism.form.shape
    chances = [0.4, 0.2, 0.1, 0.1, 0.05, 0.05, 0.04, 0.03, 0.02, 0.01]
    answers = generator.choice(10, PEOPLE, p=chances)
    truths = _shares("region", published.questions[0].names, answers)
    return Case(published, {"region": answers}, truths)


CASES = {
    "scale": scale_case,
    "number": number_case,
    "pooled": pooled_case,
    "routed": routed_case,
    "multiple": multiple_case,
    "sets": sets_case,
}


def numbers_of(found: Estimates) -> Iterator[tuple[str, float | None, float | None]]:
    """The names and ends of all intervals of estimates."""
    for each in found.questions:
        for option in each.options:
            yield f"{each.question}: {option.option}", option.low, option.high
        if each.mean:
            yield f"{each.question}: mean", each.mean.low, each.mean.high
        for option in each.among.options if each.among else ():
            yield f"among {each.question}: {option.option}", option.low, option.high


def without_noise(counts: SurveyCounts) -> SurveyCounts:
    """The same counts, as if they had no noise; as near as counts of reports can be."""
    return SurveyCounts(
        counts.report_count,
        {
            name: BlockCounts(
                block.report_count,
                {
                    member: min(max(count, 0), block.report_count)
                    for member, count in block.support.items()
                },
            )
            for name, block in counts.blocks.items()
        },
    )


def covered(
    case: Case, people: int, epsilon: Fraction, choice: IntervalChoice, *, forget: bool = False
) -> tuple[Counter[str], Counter[str]]:
    """How many intervals there are of each number, and how often nothing wrong is claimed."""
    generator = np.random.default_rng(SEED)
    told: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for _ in range(TRIALS):
        rows = generator.integers(0, PEOPLE, people)
        drawn = {name: each[rows] for name, each in case.answers.items()}
        study: Study = simulate_survey(case.published, drawn, generator)
        counts = released(case.published, study.count(()), epsilon, generator)
        if forget:
            counts = without_noise(counts)
        found = estimate_questions(case.published, 1, case.published.questions, counts, choice)
        for name, low, high in numbers_of(found):
            # Where the data do not determine a number, no number is claimed, as by (-oo, oo).
            told[name] += low is not None
            is_held = low is None or high is None or low <= case.truths[name] <= high
            held[name] += is_held
    return told, held


def check_coverage(held: Counter[str], confidence: float) -> None:
    """Fail if a number is clearly held less often than 1.5 points below the confidence."""
    allowed = confidence - ALLOWANCE
    for count in held.values():
        if count < allowed * TRIALS:
            check_binomial(count, TRIALS, allowed)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "parameters",
    sampled_params(
        product(CASES, (40, 300, 2000), ("0.1", "0.5", "4"), (0.9, 0.95, 0.99)), every=13
    ),
    ids=str,
)
def test_every_kind_of_estimate_covers_as_often_as_it_says(
    parameters: tuple[str, int, str, float],
) -> None:
    """Shares, means, pooled shares, shares among those asked; few reports, much noise."""
    name, people, epsilon, confidence = parameters
    choice = IntervalChoice(Interval.WILSON, confidence, simultaneous=False)
    case = CASES[name](np.random.default_rng(SEED))
    told, held = covered(case, people, Fraction(epsilon), choice)
    assert told.keys() <= case.truths.keys()
    check_coverage(held, confidence)


@pytest.mark.deep
@pytest.mark.parametrize("name", ["scale", "multiple"])
def test_the_check_sees_if_the_noise_is_forgotten(name: str) -> None:
    """As if the released counts were those of the store, intervals cover far too seldom."""
    choice = IntervalChoice(Interval.WILSON, 0.95, simultaneous=False)
    case = CASES[name](np.random.default_rng(SEED))
    _, held = covered(case, 300, Fraction(1, 10), choice, forget=True)
    with pytest.raises(SampleRejected):
        check_coverage(held, 0.95)


@pytest.mark.parametrize("name", ["scale", pytest.param("routed", marks=pytest.mark.deep)])
def test_anytime_intervals_of_shares_cover(name: str) -> None:
    """Those that hold at every look hold with noise, too; a mean has none."""
    choice = IntervalChoice(Interval.ANYTIME, 0.95, simultaneous=False)
    told, held = covered(CASES[name](np.random.default_rng(SEED)), 300, Fraction(1), choice)
    plain = [count for each, count in told.items() if "among" not in each and "mean" not in each]
    assert plain == [TRIALS] * len(plain)
    assert told["stress: mean"] == 0
    check_coverage(held, 0.95 + ALLOWANCE)


def test_simultaneous_intervals_hold_together() -> None:
    """All shares of a question at once, as often as one alone should be."""
    choice = IntervalChoice(Interval.WILSON, 0.95, simultaneous=True)
    _, held = covered(CASES["scale"](np.random.default_rng(SEED)), 300, Fraction(1), choice)
    check_coverage(held, 1 - 0.05 / 6)
