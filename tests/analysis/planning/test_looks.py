"""Margins and respondents for one look, and for every look."""

from fractions import Fraction

import numpy as np
import pytest

from deniable_analysis.errors import Infeasible
from deniable_analysis.estimate.anytime import anytime_ends, prior_for
from deniable_analysis.planning import planned_estimates
from deniable_analysis.planning.looks import Looks
from deniable_sdk import Block
from deniable_sdk.mechanisms.base import Target
from sample_definitions import multiple, scale, survey, yes_no

SURVEY = survey(yes_no(required=True), multiple(options=5), scale("stress"), ask=1, epsilon=1)


def block(name: str) -> Block:
    """A block of the survey."""
    return next(each for each in SURVEY.blocks if each.id == name)


@pytest.mark.parametrize("respondents", [None, 600, 20_000])
@pytest.mark.parametrize("reports", [1_000, 10_000, 100_000])
@pytest.mark.parametrize("name", ["asthma", "drugs"])
def test_margins_at_every_look_are_those_of_the_intervals(
    name: str, reports: int, respondents: int | None
) -> None:
    """Within 5 of 100, at the rate of support that is hardest, for all and for some options."""
    found, part = block(name), Fraction(1, 3)
    planned = planned_estimates(found, Target.SHARES)[0]
    looks = Looks(True, respondents)
    saying = reports * float(planned.informative)
    expected = respondents and respondents / 3 * float(planned.informative)
    rate = 0.4
    low, high = anytime_ends([rate * saying], saying, 0.05, prior_for(expected))
    once = 1.96 * np.sqrt(rate * (1 - rate) / saying)
    times = float(high[0] - low[0]) / 2 / once
    assert looks.times(planned, reports, part) == pytest.approx(times, rel=0.05)
    margin = Looks().margin(planned, reports, part)
    assert looks.margin(planned, reports, part) == pytest.approx(times * margin, rel=0.05)


@pytest.mark.parametrize("at_every", [False, True])
def test_respondents_are_the_fewest_with_the_margin(at_every: bool) -> None:
    """One report fewer is not enough, and more people than there are is an error."""
    for each in SURVEY.blocks:
        planned, part = planned_estimates(each, Target.MEAN)[0], SURVEY.part(each)
        looks = Looks(at_every, 900)
        count = looks.respondents_for(planned, Fraction(1, 20), part)
        assert looks.margin(planned, count * part, part) <= 0.05
        assert looks.margin(planned, (count - 4) * part, part) > 0.05
        with pytest.raises(Infeasible):
            looks.respondents_for(planned, Fraction(1, 10**9), part)
