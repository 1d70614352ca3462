"""Planned margins hold the truth as often as they say, in surveys that devices answer."""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from deniable_analysis.planning import margin_of_reports, planned_estimates
from deniable_analysis.planning.designs import worst_share
from deniable_sdk import PublishedSurvey, compile_survey, randomize
from deniable_sdk.canonical import encode
from deniable_sdk.mechanisms import OneOf, Piecewise, PrivSet, SampledBits, Subset
from deniable_sdk.mechanisms.base import Target
from planning_channels import mean_parts, share_part
from sample_definitions import definition
from sampling_checks import SampleRejected, check_binomial

SURVEYS = 100
RESPONDENTS = 500
EPSILON, ASKED = 6, 3
CONFIDENCE = Fraction(19, 20)
TEXT = {"text": "Which?"}
QUESTIONS: list[dict[str, Any]] = [
    {"id": "truth", "type": "yes_no", **TEXT},
    {"id": "one", "type": "choice", "options": ["a", "b"], "required": True, **TEXT},
    {"id": "two", "type": "choice", "options": ["a", "b", "c"], "required": True, **TEXT},
    {"id": "any", "type": "multiple", "options": ["a", "b", "c", "d"], "required": True, **TEXT},
    {
        "id": "few",
        "type": "multiple",
        "options": ["a", "b", "c", "d"],
        "at_most": 2,
        "mechanism": "privset",
        "required": True,
        **TEXT,
    },
    {"id": "amount", "type": "number", "min": 0, "max": 9, **TEXT},
    {"id": "mean", "type": "number", "min": 0, "max": 9, "target": "mean", **TEXT},
    {"id": "level", "type": "scale", "levels": 4, **TEXT},
]


# How often each value was reported, as canonical JSON text.
Counts = Counter[str]
CASES = [
    ("truth", 0),
    ("one_x_two", 0),
    ("any", 0),
    ("few", 0),
    ("amount", 0),
    ("mean", 0),
    ("level", 0),
    ("level", 1),
]


@dataclass(frozen=True)
class Estimate:
    """One estimate of a block: what its reports add up to, and what is true."""

    block: str
    place: int
    of: Callable[[Counts], Fraction]
    truth: Fraction


def _survey() -> PublishedSurvey:
    document = definition(*QUESTIONS, epsilon=EPSILON, ask=ASKED, crosstabs=[["one", "two"]])
    return compile_survey(document)


def _share(counts: Counts, mechanism: Subset | SampledBits | PrivSet) -> Fraction:
    """The debiased share of option 0 among the reports that speak of it."""
    total, spoken = Fraction(0), 0
    for text, count in counts.items():
        value = json.loads(text)
        if not isinstance(mechanism, SampledBits) or any(option == 0 for option, _ in value):
            total += count * share_part(mechanism, value, 0)
            spoken += count
    return total / spoken


def _mean(counts: Counts, mechanism: Subset | Piecewise, domain: OneOf) -> Fraction:
    total = answered = Fraction(0)
    for text, count in counts.items():
        score, part = mean_parts(mechanism, domain, json.loads(text))
        total, answered = total + count * score, answered + count * part
    return total / answered


def _estimates(survey: PublishedSurvey) -> list[Estimate]:
    """Every kind of estimate, with the hardest truths that answer() draws."""
    found = []
    for block in survey.blocks:
        mechanism = block.mechanism
        if isinstance(mechanism, Subset | SampledBits | PrivSet):
            share = worst_share(mechanism)
            of = _partial(_share, mechanism)
            found.append(Estimate(block.id, 0, of, share))
        if block.id in {"amount", "mean"}:
            assert isinstance(mechanism, Piecewise)
            of = _partial(_mean, mechanism, mechanism.domain)
            found.append(Estimate(block.id, 0, of, Fraction(0)))
        if block.id == "level":
            assert isinstance(mechanism, Subset)
            of = _partial(_mean, mechanism, OneOf(4, offers_no_answer=True))
            truth = Fraction(1, 2) - worst_share(mechanism)
            found.append(Estimate(block.id, 1, of, truth))
    return found


def _partial(of: Callable[..., Fraction], *fixed: object) -> Callable[[Counts], Fraction]:
    return lambda counts: of(counts, *fixed)


def _answers(shares: dict[str, float], source: random.Random) -> dict[str, object]:
    """One respondent of a population in which every estimate is as hard as planned."""

    def is_in(block: str) -> bool:
        return source.random() < shares[block]

    is_cell = is_in("one_x_two")
    return {
        "truth": is_in("truth"),
        "one": "a" if is_cell else "b",
        "two": "a" if is_cell else "c",
        "any": ["a", "c"] if is_in("any") else ["b"],
        "few": ["a", "c"] if is_in("few") else ["b"],
        "amount": 9 * source.getrandbits(1),
        "mean": 9 * source.getrandbits(1),
        "level": 1 if is_in("level") else 4,
    }


def _margins(survey: PublishedSurvey) -> dict[tuple[str, int], float]:
    """What is planned for each estimate."""
    wished = {block.id: Target.SHARES for block in survey.blocks} | {"mean": Target.MEAN}
    reports = Fraction(RESPONDENTS * ASKED, len(survey.blocks))
    return {
        (block.id, index): margin_of_reports(planned.unit_variance, reports)
        for block in survey.blocks
        for index, planned in enumerate(planned_estimates(block, wished[block.id]))
    }


def _field(
    survey: PublishedSurvey, shares: dict[str, float], source: random.Random
) -> dict[str, Counts]:
    """The reports of one survey, counted by block."""
    counts = {block.id: Counts() for block in survey.blocks}
    for _ in range(RESPONDENTS):
        report = randomize(survey, _answers(shares, source), None, source.randbytes)
        for block_id, value in report.values.items():
            counts[block_id][encode(value).decode()] += 1
    return counts


@pytest.mark.deep
def test_margins_hold_as_often_as_planned(random_source: random.Random) -> None:
    """The truth is within a planned margin in 95 percent of the surveys, in fewer within half."""
    survey = _survey()
    margins, estimates = _margins(survey), _estimates(survey)
    shares = {estimate.block: float(estimate.truth) for estimate in reversed(estimates)}
    hits, half_hits = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for _ in range(SURVEYS):
        counts = _field(survey, shares, random_source)
        for one in estimates:
            case = one.block, one.place
            off = abs(float(one.of(counts[one.block]) - one.truth)) / margins[case]
            hits[case] += off <= 1
            half_hits[case] += off <= 0.5
    for case in CASES:
        check_binomial(hits[case], SURVEYS, CONFIDENCE)
        with pytest.raises(SampleRejected):
            check_binomial(half_hits[case], SURVEYS, CONFIDENCE)


def test_every_mechanism_and_kind_is_among_them() -> None:
    """All five mechanisms, a crosstab and all estimates but marginals are simulated."""
    survey = _survey()
    names = {block.mechanism.name for block in survey.blocks}
    assert names == {"subset", "sampled_bits", "privset", "piecewise"}
    assert [(one.block, one.place) for one in _estimates(survey)] == sorted(
        CASES, key=lambda case: [block.id for block in survey.blocks].index(case[0])
    )
