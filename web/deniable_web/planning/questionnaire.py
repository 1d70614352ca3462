"""The plan of a whole questionnaire: respondents, margin or epsilon, question by question."""

import math
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable_analysis.arguments import read_respondents
from deniable_analysis.errors import Infeasible
from deniable_analysis.planning import AskingPlan, plan_asking
from deniable_analysis.planning.goal import least_whole
from deniable_sdk import InvalidDefinition
from deniable_sdk.compiler import design_survey
from deniable_sdk.survey.definition import Definition
from deniable_sdk.weights import MAX_EPSILON, MIN_EPSILON, format_epsilon, read_epsilon
from deniable_sdk.wording import counted
from deniable_web.forecast.blocks import unit_of
from deniable_web.forecast.needs import (
    Needs,
    WantedEstimate,
    margin_reached,
    respondents_needed,
    wanted_estimates,
)
from deniable_web.pages.languages import DEFAULT
from deniable_web.pages.numbers import Numbers
from deniable_web.planning.forecast_words import needs_in_words
from deniable_web.planning.request import UnclearRequest

_STEPS = 100  # epsilon is searched in hundredths


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a plan is to reach; two of three are known, or follow from the definition.

    Args:
        respondents: those of the whole survey.
        margin: the largest margin of a wanted estimate; for a mean, a part of its range.
        epsilon: instead of the definition's, of all waves.
        confidence: how often an interval contains the true value.
    """

    respondents: int | None
    margin: float | None
    epsilon: str | None
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionnairePlan:
    """A questionnaire whose respondents, margin and epsilon fit together.

    Args:
        definition: the author's definition, with the epsilon of the plan.
        asking: its design, compared with others.
        own_epsilon: the epsilon that the author wrote.
        respondents: those of the whole survey.
        margin: the largest margin; for a mean, a part of its range.
        wishes: what was asked for.
    """

    definition: Definition
    asking: AskingPlan
    own_epsilon: Fraction
    respondents: int
    margin: float
    wishes: Wishes

    @classmethod
    def of(cls, definition: Definition, wishes: Wishes) -> "QuestionnairePlan":
        """The plan for these wishes.

        Raises:
            UnclearRequest: they do not determine a plan.
            Infeasible: no epsilon, or no number of people, is enough.
            DeniableError: a value is not possible.
        """
        expected = definition.window.respondents if definition.window else None
        respondents, margin = wishes.respondents, _read_margin(wishes.margin)
        if respondents is None and margin is None:
            respondents = expected
        if respondents is None and margin is None:
            raise UnclearRequest(
                "add --margin for the respondents that the questionnaire needs, --respondents for "
                "its margin, or both for its epsilon"
            )
        count = None if respondents is None else read_respondents("respondents", respondents)
        planned = _with_epsilon(definition, wishes, count, margin)
        asking = plan_asking(planned)
        if count is None:
            assert margin is not None  # noqa: S101 - see above
            count = respondents_needed(asking.design, margin, wishes.confidence)
        reached = margin_reached(asking.design, count, wishes.confidence)
        return cls(
            definition=planned,
            asking=asking,
            own_epsilon=definition.whole_epsilon,
            respondents=count,
            margin=reached if margin is None else float(margin),
            wishes=wishes,
        )

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A line for each question, and for the cells of each declared crosstab.

        Its respondents are those for the wanted margin, if there is one.
        """
        return [self._row(each) for each in wanted_estimates(self.asking.design)]

    def document(self) -> dict[str, Any]:
        """The plan as plain JSON values with stable keys."""
        return {
            "slug": self.definition.slug,
            "epsilon": format_epsilon(self.definition.whole_epsilon),
            "epsilon_of_definition": format_epsilon(self.own_epsilon),
            "confidence": self.wishes.confidence,
            "asked": self.asking.asked,
            "blocks": self.asking.blocks,
            "respondents": self.respondents,
            "margin": self.margin,
            "respondents_alone": self.wishes.margin and self._needs().alone,
            "margin_alone": self._margin_alone(),
            "questions": self.rows,
        }

    def in_words(self) -> str:
        """What was computed, and what the design saves, in a sentence."""
        numbers, points = Numbers(DEFAULT), _points(self.margin)
        people = counted(self.respondents, "respondent", commas=True)
        epsilon = format_epsilon(self.definition.whole_epsilon)
        if self.wishes.respondents is not None and self.wishes.margin is not None:
            return (
                f"Epsilon {epsilon} is the least with which {people} are enough for {points}; the "
                f"definition has epsilon {format_epsilon(self.own_epsilon)}."
            )
        if self.wishes.margin is not None:
            return f"At epsilon {epsilon}: {needs_in_words(self._needs(), numbers)[1]}"
        alone = _points(self._margin_alone())
        instead = f" instead of {alone}, thanks to this design" if alone != points else ""
        return f"At epsilon {epsilon}: {people} give {points}{instead}."

    def _needs(self) -> Needs:
        return Needs.of(self.asking, Fraction(repr(self.margin)), self.wishes.confidence)

    def _margin_alone(self) -> float:
        return margin_reached(self.asking.alone, self.respondents, self.wishes.confidence)

    def _row(self, wanted: WantedEstimate) -> dict[str, Any]:
        planned, asked, confidence = wanted.planned, wanted.block.planned, self.wishes.confidence
        question = next((each for each in asked.questions if each.id == planned.question), None)
        names = [question.id] if question else [each.id for each in asked.questions]
        margin = wanted.margin(self.respondents, confidence)
        goal = _read_margin(self.wishes.margin)
        return {
            "question": " × ".join(names),
            "block": asked.id,
            "estimate": planned.estimated.value,
            "part": float(wanted.part),
            "margin": margin * float(planned.length),
            "unit": unit_of(planned.estimated, question),
            "respondents": None if goal is None else wanted.respondents(goal, confidence),
        }


def _read_margin(margin: float | None) -> Fraction | None:
    if margin is None:
        return None
    if not 0 < margin < 1:
        raise UnclearRequest(
            f"--margin: got {margin:g}; allowed is a number above 0 and below 1, like 0.05 for 5 "
            "points"
        )
    return Fraction(repr(margin))


def _with_epsilon(
    definition: Definition, wishes: Wishes, respondents: int | None, margin: Fraction | None
) -> Definition:
    """The definition with the wanted epsilon, its own, or the least that is enough."""
    if wishes.epsilon is not None:
        if wishes.respondents is not None and margin is not None:
            raise UnclearRequest(
                "got --epsilon, --respondents and --margin; drop the one to be computed"
            )
        return definition.replace(whole_epsilon=_read_epsilon(wishes.epsilon, definition.waves))
    if respondents is None or margin is None:
        return definition
    return _with_least_epsilon(definition, respondents, margin, wishes.confidence)


def _read_epsilon(text: str, waves: int) -> Fraction:
    try:
        epsilon = read_epsilon(text)
    except ValueError as error:
        raise UnclearRequest(f"--epsilon: {error}") from None
    least = waves * Fraction(MIN_EPSILON)
    if epsilon < least:
        raise UnclearRequest(
            f"--epsilon: got {text} for {waves} waves; allowed is at least {float(least):g}"
        )
    return epsilon


def _with_least_epsilon(
    definition: Definition, respondents: int, margin: Fraction, confidence: float
) -> Definition:
    """The definition with the least epsilon, in hundredths, that is enough.

    Where a margin grows a little with epsilon, halving may miss the least such epsilon, but
    the result is always enough.
    """

    def of(step: int) -> Definition:
        return definition.replace(whole_epsilon=Fraction(step, _STEPS))

    def is_enough(step: int) -> bool:
        with suppress(InvalidDefinition, Infeasible):
            design = design_survey(of(step))
            return respondents_needed(design, margin, confidence) <= respondents
        return False

    low = math.ceil(definition.waves * Fraction(MIN_EPSILON) * _STEPS)
    high = MAX_EPSILON * _STEPS
    if not is_enough(high):
        needed = respondents_needed(design_survey(definition), margin, confidence)
        raise Infeasible(
            f"not even epsilon {MAX_EPSILON} is enough for {_points(float(margin))} with "
            f"{counted(respondents, 'respondent', commas=True)}; allow a larger margin, or ask "
            f"{needed:,} respondents at the definition's own epsilon"
        )
    return of(least_whole(is_enough, high, low))


def _points(margin: float) -> str:
    return f"±{100 * margin:.3g} points"
