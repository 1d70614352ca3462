"""Intervals of all invited people and of their groups, in simulated surveys."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analysis.invited_groups import Said, grouped, grouped_study, ward_with
from analysis.related import MUST
from deniable_analysis import Study
from deniable_analysis.results import GroupedQuestion
from deniable_analysis.simulation import simulate_block
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Mechanism, OneOf, Piecewise, Subset
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import Document, number, scale, yes_no
from sampled_params import sampled_params
from sampling_checks import ALPHA, SampleRejected, check_binomial, count_check
from there import there


def reported(
    published: PublishedSurvey,
    answers: Mapping[str, NDArray[Any]],
    generator: np.random.Generator,
) -> Study:
    """The study of people of each group who give these answers to the only block."""
    (block,) = published.blocks
    said: dict[str, dict[str, Said]] = {
        name: {block.id: simulate_block(block.mechanism, given, generator).support}
        for name, given in answers.items()
    }
    return grouped_study(published, said)


@pytest.mark.deep
def test_unequal_response_biases_the_plain_share_only(random_source: Random) -> None:
    """Of 3,000 with a share of 0.8 a tenth report, of 1,000 with 0.2 nine tenths do."""
    groups = {"quiet": 3000, "loud": 1000}
    published = ward_with(Subset(2, 1, Weights(19, 1)), yes_no(**MUST), groups=groups)
    generator = np.random.default_rng(random_source.getrandbits(64))
    truth = 0.75 * 0.8 + 0.25 * 0.2
    plain, weighted = 0, 0
    for _ in range(100):
        answers = {
            "quiet": drawn([0.8, 0.2], 3000, 300, generator),
            "loud": drawn([0.2, 0.8], 1000, 900, generator),
        }
        found = reported(published, answers, generator).estimate(by_group=True)
        one, all_of_them = found.questions[0].options[0], grouped_of(found).options[0]
        plain += there(one.low) <= truth <= there(one.high)
        weighted += there(all_of_them.low) <= truth <= there(all_of_them.high)
        assert there(one.share) < 0.5 < there(all_of_them.share)
    assert plain == 0
    check_binomial(weighted, 100, 0.95)


def grouped_of(found: Any) -> GroupedQuestion:
    """The results by group of the first question of estimates."""
    question: GroupedQuestion = there(found.by_group).questions[0]
    return question


def drawn(
    shares: list[float], people: int, reports: int, generator: np.random.Generator
) -> NDArray[np.intp]:
    """The answers of some of the people of a group, who have exactly these shares."""
    counts = np.rint(np.array(shares) * people).astype(int)
    counts[-1] += people - counts.sum()
    answers = np.repeat(np.arange(len(shares)), counts)
    return generator.permutation(answers)[:reports]


QUESTIONS: Mapping[str, tuple[Document, Callable[[Weights], Mechanism]]] = {
    "yes_no": (yes_no(**MUST), lambda weights: Subset(2, 1, weights)),
    "scale": (scale(levels=4), lambda weights: Subset(5, 1, weights)),
    "sets": (scale(levels=4), lambda weights: Subset(5, 2, weights)),
    "number": (number(highest=4), lambda weights: Piecewise(OneOf(5, True), 4, 3, weights)),
    "required": (number(highest=4, **MUST), lambda weights: Piecewise(OneOf(5), 4, 3, weights)),
}
SIZES = {
    "large": ({"a": 1000, "b": 300}, (200, 250)),
    "small": ({"a": 100, "b": 60, "c": 25}, (90, 20, 6)),
}
SURVEYS = 150
KINDS = [(*kind, size) for size in SIZES for kind in [
    ("yes_no", 0.5), ("scale", 1), ("number", 2), ("required", 4), ("sets", 2), ("yes_no", 4),
    ("scale", 4), ("number", 4), ("required", 1), ("sets", 4),
]]  # fmt: skip


@pytest.mark.sweep
@pytest.mark.parametrize("kind", sampled_params(KINDS, 7))
def test_intervals_of_studies_cover(kind: tuple[str, float, str], random_source: Random) -> None:
    """Of groups, of all invited people, of their means: 95 percent hold the truth."""
    name, epsilon, size = kind
    question, randomized = QUESTIONS[name]
    groups, reports = SIZES[size]
    mechanism = randomized(integer_weights(Fraction(str(epsilon))))
    published = ward_with(mechanism, question, groups=groups)
    generator = np.random.default_rng(random_source.getrandbits(64))
    asked = published.blocks[0].domain.size
    shares = {group: generator.dirichlet(np.ones(asked)).tolist() for group in groups}
    hits = np.zeros(2, dtype=int)
    means = 0
    for _ in range(SURVEYS):
        answers = {
            group: drawn(shares[group], groups[group], n, generator)
            for group, n in zip(groups, reports, strict=True)
        }
        found = grouped(reported(published, answers, generator))
        truths = true_values(shares, groups, published)
        last = len(found.options) - 1
        if found.options:
            option = found.options[last]
            hits[0] += there(option.low) <= truths[0] <= there(option.high)
        if found.mean and found.mean.low is not None:
            means += 1
            hits[1] += found.mean.low <= truths[1] <= there(found.mean.high)
    if found.options:
        check_coverage(int(hits[0]), SURVEYS)
    if means:
        check_coverage(int(hits[1]), means)


def true_values(
    shares: Mapping[str, list[float]], groups: Mapping[str, int], published: PublishedSurvey
) -> tuple[float, float]:
    """The share of the last option, and the mean of those who answered, of all people."""
    people = np.concatenate(
        [
            drawn(shares[group], groups[group], groups[group], np.random.default_rng(1))
            for group in groups
        ]
    )
    (question,) = published.questions
    answered = people[people < len(question.names) - question.offers_no_answer]
    lowest = 1 if question.type == "scale" else 0
    return float(np.mean(people == len(question.names) - 1)), float(answered.mean()) + lowest


def check_coverage(hits: int, times: int) -> None:
    """Accept unless 95 % intervals hold the truth in surely fewer than 93.5 % of surveys."""
    count_check()
    if stats.binom.cdf(hits, times, 0.935) < ALPHA:
        raise SampleRejected(f"{hits} of {times} intervals hold the truth")
