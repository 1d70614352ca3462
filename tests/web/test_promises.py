"""What a forecast promises is what results show, for surveys of all kinds and at all ends."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from deniable_analysis import Study
from deniable_analysis.planning.blocks import Estimated
from deniable_analysis.planning.several_shares import merged_unit_variance
from deniable_analysis.simulation import simulate_survey
from deniable_sdk.compiler import compile_survey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.ends import End, Fieldwork
from deniable_web.forecast.blocks import EstimateForecast
from deniable_web.forecast.survey import forecast
from sample_definitions import Document, choice, definition, multiple, number, scale, yes_no
from score_samples import score
from there import there

MUST: dict[str, Any] = {"required": True}
LED: dict[str, Any] = {"show_if": {"question": "h", "is": ["yes"]}}
RESPONDENTS = 4_000
PATHS = [yes_no("h", **MUST), choice("w", 5, **MUST, **LED)]
CHAIN = [yes_no("h", **MUST), yes_no("i", **MUST, **LED)]
CHAIN += [scale("j", 4, **MUST, show_if={"question": "i", "is": ["no"]})]
SURVEYS: dict[str, tuple[list[Document], dict[str, Any]]] = {
    "yes or no": ([yes_no(**MUST)], {}),
    "yes, no or no answer": ([yes_no()], {"epsilon": 1}),
    "a choice": ([choice(options=4, **MUST)], {"epsilon": 3}),
    "a long choice": ([choice(options=14)], {"epsilon": 2}),
    "a scale": ([scale(target="shares")], {"epsilon": 1}),
    "a mean of a scale": ([scale(**MUST, target="mean")], {"epsilon": 1}),
    "a mean of a number": ([number(**MUST, target="mean")], {"epsilon": 1}),
    "a choice of several": ([multiple(options=6)], {"epsilon": 1}),
    "a choice of at most two": ([multiple(options=12, at_most=2, mechanism="privset")], {}),
    "a choice over its sets": ([multiple(options=3, **MUST)], {"epsilon": 4}),
    "a crosstab": ([yes_no("a"), choice("b")], {"crosstabs": [["a", "b"]], "epsilon": 3}),
    "a path": (PATHS, {"epsilon": 2}),
    "a path at little epsilon": (PATHS, {"epsilon": "0.5"}),
    "a chain of paths": (CHAIN, {"epsilon": 4}),
    "seven questions as one": (
        [yes_no(f"q{place}", **MUST) for place in range(7)],
        {"epsilon": 6},
    ),
    "unequal draws": ([yes_no("a", **MUST), choice("b", 11, **MUST)], {"epsilon": 1}),
    "all kinds": ([yes_no("a"), choice("b", 5), scale("c", target="shares")], {"ask": "all"}),
    "one of three": ([yes_no("a"), choice("b", 5), scale("c", target="shares")], {"ask": 1}),
    "a wave of a panel": ([yes_no("a"), choice("b", 3)], {"waves": 2, "wave": 1, "epsilon": 4}),
    "capped questions": ([yes_no("a", epsilon=1), choice("b", 3)], {"epsilon": 3}),
    "a score": ([score()], {"epsilon": 2}),
}
ENDS: dict[str, tuple[dict[str, Any], Fieldwork]] = {
    "by date": ({"closes": "2030-01-01T00:00Z"}, Fieldwork(End.CLOSES)),
    "by number": ({"at_most_reports": RESPONDENTS}, Fieldwork(End.AT_MOST_REPORTS)),
    "sealed": ({"results": "at_end"}, Fieldwork(End.HAND)),
    "by hand, after a look": ({}, Fieldwork(End.HAND, is_given_out=True)),
    "by hand, with a number": (
        {"respondents": RESPONDENTS},
        Fieldwork(End.HAND, is_given_out=True),
    ),
}


def groups_of(block: Block, estimate: EstimateForecast) -> list[list[int]]:
    """The cells of each share that an estimate is about: of options, or of a crosstab."""
    cells = block.cells or tuple((index,) for index in range(len(block.questions[0].names)))
    if estimate.estimated is Estimated.CELL:
        return [[index] for index in range(len(cells))]
    place = [question.id for question in block.questions].index(estimate.question or "")
    found: dict[int, list[int]] = {}
    for index, cell in enumerate(cells):
        said = cell[place]
        for option in said if isinstance(said, tuple) else (said,):
            found.setdefault(option, []).append(index)
    return list(found.values())


def shares_of_cells(block: Block, estimate: EstimateForecast, low: float) -> np.ndarray:
    """The shares of cells with which an estimate is as uncertain as it can be.

    For a mean, so many answers are at the lower end of its range, and all others at the upper.
    """
    size = len(block.cells) or len(block.questions[0].names)
    if estimate.estimated is Estimated.MEAN:
        ends = np.zeros(size)
        question = block.questions[0]
        ends[[0, size - 1 - question.offers_no_answer]] = low, 1 - low
        return ends
    mechanism = block.mechanism
    assert isinstance(mechanism, Subset)
    tried = np.linspace(0.01, 0.99, 99).tolist()
    worst = max(
        (merged_unit_variance(mechanism, len(group), share), share, group)
        for group in groups_of(block, estimate)
        for share in tried
    )
    _, share, group = worst
    found = np.full(size, (1 - share) / (size - len(group)))
    found[group] = share / len(group)
    return found


def answers_with(
    survey: PublishedSurvey, wanted: Block, estimate: EstimateForecast, low: float
) -> dict[str, np.ndarray]:
    """Answers of all respondents with which an estimate is as uncertain as it can be."""
    generator, given = np.random.default_rng(1965), {}
    for block in survey.blocks:
        size = len(block.cells) or len(block.questions[0].names)
        shares = np.full(size, 1 / size)
        if block.cells or not block.questions[0].accepts_several:
            if block == wanted:
                shares = shares_of_cells(block, estimate, low)
            drawn = generator.choice(size, RESPONDENTS, p=shares)
        for place, question in enumerate(block.questions):
            options = len(question.names)
            if not question.accepts_several:
                cells = block.cells or [(index,) for index in range(size)]
                given[question.id] = np.array([cell[place] for cell in cells])[drawn]
            elif block.cells:
                sets = np.zeros((size, options), dtype=np.bool_)
                for row, cell in zip(sets, block.cells, strict=True):
                    row[list(cell[place])] = True  # type: ignore[arg-type]  # a set
                given[question.id] = sets[drawn]
            else:
                keep, flip = float(block.mechanism.keep), float(block.mechanism.flip)  # type: ignore[attr-defined]  # of sets
                share = min(1.0, (0.5 - flip) / (keep - flip))
                chosen = np.zeros((RESPONDENTS, options), dtype=np.bool_)
                chosen[: round(share * RESPONDENTS), 0] = True
                given[question.id] = chosen
    return given


def shown(study: Study, block: Block, estimate: EstimateForecast) -> float:
    """Half of the widest interval that results show for what an estimate is about."""
    result = study.estimate()
    if estimate.estimated is Estimated.CELL:
        (table,) = (each for each in result.crosstabs if each.block == block.id)
        rows: list[Any] = list(table.cells)
    else:
        (asked,) = (each for each in result.questions if each.question == estimate.question)
        rows = list(asked.options)
        if estimate.estimated is Estimated.MEAN:
            rows = [there(asked.mean)]
    widths: list[float] = [there(row.high) - there(row.low) for row in rows]
    return max(widths) / 2


def _ended(
    published: PublishedSurvey, given: dict[str, np.ndarray], seed: int, fieldwork: Fieldwork
) -> Study:
    study = simulate_survey(published, given, np.random.default_rng(seed))
    return replace(study, fieldwork=lambda: fieldwork)


@pytest.mark.sweep
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("name", SURVEYS)
def test_a_margin_that_is_promised_is_the_one_that_is_shown(name: str, end: str) -> None:
    """Within 5 of 100, where the truth is as hard to find out as it can be."""
    (questions, more), (keys, fieldwork) = SURVEYS[name], ENDS[end]
    document = definition(*questions, **{**more, **keys})
    published = compile_survey(document)
    told = forecast(Definition.from_document(document), RESPONDENTS, None)
    compared = 0
    for block, promised in zip(published.blocks, told.blocks, strict=True):
        for estimate in promised.estimates:
            if estimate.estimated is Estimated.ABOVE:
                continue
            is_mean = estimate.estimated is Estimated.MEAN
            found = [
                [
                    shown(_ended(published, given, seed, fieldwork), block, estimate)
                    for seed in range(8 if is_mean else 1)
                ]
                for low in ((0.5, 0.75, 1.0) if is_mean else (0.5,))
                if (given := answers_with(published, block, estimate, low))
            ]
            running = estimate.margin_at_every_look
            assert (running is None) is ("hand" not in end)
            margin = there(estimate.margin if running is None else running)
            assert margin == pytest.approx(max(map(np.mean, found)), rel=0.05), estimate
            compared += 1
    assert compared
