"""Surveys of one block with any mechanism, and their estimates from any counts."""

import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from deniable_analysis import Estimates, Interval
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.questions import estimate_questions
from deniable_sdk import PublishedSurvey, theory
from deniable_sdk.mechanisms import (
    Answer,
    Mechanism,
    OneOf,
    Piecewise,
    PrivSet,
    SampledBits,
    SomeOf,
    Subset,
)
from deniable_sdk.survey.block import Block
from deniable_sdk.weights import Weights
from deniable_storage.counts import BlockCounts, Member, SurveyCounts
from sample_definitions import choice, scale, survey, yes_no


def number(question_id: str = "visits", **keys: object) -> dict[str, Any]:
    """A number from 1 to 3 in steps of 0.5."""
    grid = {"min": 1, "max": 3, "step": 0.5, "unit": "visits"}
    return {"id": question_id, "type": "number", "text": "How often?", **grid, **keys}


def multiple(options: int = 3, **keys: object) -> dict[str, Any]:
    """A multiple choice among options named o0, o1 and so on."""
    return {**choice("conditions", options), "type": "multiple", **keys}


def with_mechanism(mechanism: Mechanism, *questions: dict[str, Any]) -> PublishedSurvey:
    """A survey whose only block asks these questions through this mechanism."""
    crosstabs = [[question["id"] for question in questions]] if len(questions) > 1 else []
    published = survey(*questions, crosstabs=crosstabs)
    (block,) = (each.replace(mechanism=mechanism) for each in published.blocks)
    assert mechanism.fits(block.domain)
    return published.replace(blocks=(block,))


def surveys() -> dict[str, PublishedSurvey]:
    """A survey for each mechanism, kind of question and shape of domain."""
    return {**_surveys_of_sets(1, Weights(3, 1)), **_surveys_of_sets(2, Weights(5, 2)), **_grids()}


def _surveys_of_sets(size: int, pair: Weights) -> dict[str, PublishedSurvey]:
    one, joint, three = (Subset(options, size, pair) for options in (4, 6, 12))
    bits, sets = SampledBits(SomeOf(4, 3), size, pair), PrivSet(SomeOf(4, 2), size, pair)
    must: dict[str, Any] = {"required": True}
    return {
        f"subset {size}": with_mechanism(one, choice(options=3)),
        f"scale {size}": with_mechanism(one, scale(levels=3)),
        f"joint {size}": with_mechanism(joint, yes_no(**must), scale(levels=2)),
        f"triple {size}": with_mechanism(
            three, yes_no(**must), scale(levels=3, **must), yes_no("other", **must)
        ),
        f"bits {size}": with_mechanism(bits, multiple()),
        f"privset {size}": with_mechanism(sets, multiple(at_most=2)),
    }


def _grids() -> dict[str, PublishedSurvey]:
    found: dict[str, PublishedSurvey] = {}
    for kind, required in (("required", True), ("optional", False)):
        grid, pair = OneOf(5, not required), Weights(3, 1)
        asked = number(required=required)
        for steps, window in ((4, 1), (4, 2), (4, 3), (4, 4), (3, 2), (2, 1), (1, 1)):
            mechanism = Piecewise(grid, steps, window, pair)
            found[f"piecewise {steps} {window} {kind}"] = with_mechanism(mechanism, asked)
        other = Piecewise(grid, 4, 3, Weights(5, 2))
        found[f"piecewise scale {kind}"] = with_mechanism(other, scale(required=required))
    return found


def estimates(
    published: PublishedSurvey,
    *outputs: Mapping[str, int],
    confidence: float = 0.95,
    simultaneous: bool = False,
) -> Estimates:
    """The estimates from how often each output of each block was reported."""
    wanted = IntervalChoice(Interval.WILSON, confidence, simultaneous)
    counted = {
        block.id: _counts(block, each)
        for block, each in zip(published.blocks, outputs, strict=True)
    }
    reports = max(counts.report_count for counts in counted.values())
    counts = SurveyCounts(reports, counted)
    return estimate_questions(published, 1, published.questions, counts, wanted)


def _counts(block: Block, outputs: Mapping[str, int]) -> BlockCounts:
    said: Counter[Member] = Counter()
    for text, count in outputs.items():
        value = json.loads(text)
        block.mechanism.form.check(value)
        for member in value if isinstance(value, list) else [value]:
            said[tuple(member) if isinstance(member, list) else member] += count
    return BlockCounts(sum(outputs.values()), said)


def answers_of(block: Block) -> list[Answer]:
    """Every answer of a block that a device can give: "no answer" stands alone."""
    none = len(block.questions[0].names) - 1
    is_multiple = isinstance(block.domain, SomeOf)
    return [
        answer
        for answer in block.mechanism.domain.answers()
        if not (is_multiple and isinstance(answer, tuple) and len(answer) > 1 and none in answer)
    ]


def places(block: Block, answer: Answer) -> list[tuple[int, ...]]:
    """The places of what was chosen in each question of a block."""
    if isinstance(answer, tuple):
        return [answer]
    found: list[tuple[int, ...]] = []
    for question in reversed(block.questions):
        size = len(question.names)
        found.append((answer % size,))
        answer //= size
    return found[::-1]


def expected_counts(
    mechanism: Mechanism, shares: Mapping[Answer, Fraction]
) -> tuple[int, dict[str, int]]:
    """The fewest reports of which each output is expected a whole number of times."""
    order: list[Answer] = list(mechanism.domain.answers())
    chances = {
        output: sum(
            shares.get(answer, Fraction(0)) * likelihood
            for answer, likelihood in zip(order, row, strict=True)
        )
        for output, row in theory.channel(mechanism).items()
    }
    reports = lcm(*(Fraction(chance).denominator for chance in chances.values()))
    return reports, {output: int(chance * reports) for output, chance in chances.items()}
