"""The forecast of a draft, with its own epsilon and with others."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from deniable_analysis.planning import planned_estimates
from deniable_analysis.planning.looks import Looks
from deniable_sdk import InvalidDefinition
from deniable_sdk.compiler import design_survey, publish
from deniable_sdk.survey.definition import Definition
from deniable_sdk.weights import MIN_EPSILON
from deniable_web.builder.stand_ins import NO_OUTLOOK, TOO_LARGE, with_stand_ins
from deniable_web.forecast.blocks import option_count
from deniable_web.forecast.survey import SurveyForecast, forecast
from deniable_web.pages.languages import catalog
from deniable_web.pages.numbers import Numbers
from deniable_web.planning.forecast_words import SURFACE, design_in_words, file_in_words

# A forecast with so many options takes about four seconds on one core.
MOST_OPTIONS: Final = 10_000
# From strong to weak, each about twice as much.
EPSILONS: Final = tuple(map(Fraction, ("0.5", "1", "2", "4")))


def outlook(document: object, respondents: int, margin: float, language: str) -> dict[str, Any]:
    """The forecast of a draft, as plain JSON values, and what it means in words.

    The forecast has no block with a question that has a mistake; `incomplete` has the indexes
    of the questions of such blocks. It is null if a mistake concerns all blocks, or if it would
    take too long.
    """
    draft = with_stand_ins(document)
    if draft is None:
        return NO_OUTLOOK
    definition, numbers = draft.definition, Numbers(language)
    # Without those of numbers, which cost almost nothing.
    blocks = (block for block in definition.blocks if block.questions[0].options)
    if sum(option_count(block.domain) for block in blocks) > MOST_OPTIONS:
        return TOO_LARGE
    try:
        told = forecast(definition, respondents, margin)
    except InvalidDefinition:
        return NO_OUTLOOK
    found = told.to_document()
    hidden = {
        block["block"]: [draft.places[question] for question in block["questions"]]
        for block in found["blocks"]
        if any(question in draft.replaced for question in block["questions"])
    }
    found["blocks"] = [block for block in found["blocks"] if block["block"] not in hidden]
    found["warnings"] = list(_without(found["warnings"], hidden))
    return {
        "is_too_large": False,
        "forecast": found,
        "words": {
            "closed_file": file_in_words(told.closed_file, numbers),
            # While a question has a mistake, nobody knows what it will cost.
            "design": [] if hidden else _design(told, draft.places, numbers),
        },
        "incomplete": sorted(chain.from_iterable(hidden.values())),
        "trade_off": _trade_off(definition, respondents),
    }


def _design(
    told: SurveyForecast, places: Mapping[str, int], numbers: Numbers
) -> list[dict[str, str]]:
    """The design in words, which call a question by its number on the page."""
    name = catalog(SURFACE, numbers.language)["design"]["question"]
    sentences = design_in_words(
        told, numbers, lambda question: name.format(number=numbers.count(places[question] + 1))
    )
    return [{"about": about, "text": text} for about, text in sentences]


def _without(
    warnings: Sequence[dict[str, Any]], hidden: Collection[str]
) -> Iterator[dict[str, Any]]:
    """The warnings about other blocks, or about the whole survey."""
    for warning in warnings:
        blocks = [block for block in warning["blocks"] if block not in hidden]
        if blocks or not warning["blocks"]:
            yield warning | {"blocks": blocks}


def _trade_off(definition: Definition, respondents: int) -> list[dict[str, Any]]:
    """The margin of each question's block with each epsilon, including the draft's own.

    An epsilon is the one that the author would write: for a panel, that of all waves.
    Margins are those of one wave, at the truth that is hardest to estimate: shares of 1, or
    for a mean, parts of its range. They shrink with the root of the number of respondents.
    """
    waves = definition.waves
    written = sorted({*EPSILONS, definition.whole_epsilon})
    return [
        {"epsilon": float(epsilon), "margins": _margins(definition, epsilon / waves, respondents)}
        for epsilon in written
        if epsilon / waves >= Fraction(MIN_EPSILON)
    ]


def _margins(definition: Definition, epsilon: Fraction, respondents: int) -> dict[str, float]:
    # The epsilon of one wave: that of all waves of a panel may exceed the limit.
    other = definition.replace(whole_epsilon=epsilon, waves=1, wave=1)
    design = design_survey(other)
    survey = publish(other, design)
    return {
        question.id: Looks().margin(
            planned_estimates(block, each.planned.preferences.target)[0],
            respondents * survey.part(block),
            survey.part(block),
        )
        for each, block in zip(design.blocks, survey.blocks, strict=True)
        for question in block.questions
    }
