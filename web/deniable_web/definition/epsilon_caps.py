"""How much epsilon a survey may spend on devices, unless an app sets other caps."""

import math
from fractions import Fraction
from typing import Final

from deniable_sdk import DefinitionProblem, PublishedSurvey
from deniable_sdk.errors import Code
from deniable_sdk.survey.definition import Definition
from deniable_sdk.weights import YEAR_DAYS, YEARLY_CAP

# More than the error of a float and of its exponential.
_ROUNDED_UP: Final = 1 + 1e-9


def panel_epsilon(survey: Definition | PublishedSurvey) -> Fraction:
    """The most epsilon that one person spends, in all waves of a panel.

    A device reserves all of it when the person answers the first wave.
    """
    return survey.epsilon * survey.waves


def max_likelihood_ratio(survey: PublishedSurvey) -> Fraction:
    """The largest possible ratio of likelihoods of all reports of one person.

    It is exact for a survey that is answered once. The other waves of a panel are assumed
    to spend all that they claim.
    """
    if survey.waves == 1:
        return math.prod((block.ratio for block in survey.worst_blocks), start=Fraction(1))
    return Fraction(math.exp(float(panel_epsilon(survey)) * _ROUNDED_UP))


def cap_problems(
    survey: Definition | PublishedSurvey, cap: Fraction | int = YEARLY_CAP
) -> list[DefinitionProblem]:
    """The problem of a survey that no device would answer; empty if devices would.

    Args:
        survey: the survey to be published.
        cap: the most epsilon that the app lets a person spend in 365 days.
    """
    spent = panel_epsilon(survey)
    if spent <= cap:
        return []
    over = f" over {survey.waves} waves" if survey.waves > 1 else ""
    message = (
        f"got {float(spent):g}{over}; devices allow {float(cap):g} in {YEAR_DAYS} days, "
        "for all surveys of a person together, so nobody could answer this one; choose "
        f"{float(cap):g} or less, or, if your app sets a higher yearly cap, pass it: deniable "
        "publish --yearly-cap N"
    )
    return [DefinitionProblem(("epsilon",), message, Code.YEARLY_CAP)]
