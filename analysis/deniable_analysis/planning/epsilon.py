"""The least epsilon that gives what is wanted with so many respondents.

Epsilons have at most six decimals, so that a definition can carry them, and
are exact in them: a millionth less is not enough.
"""

from fractions import Fraction

from deniable_analysis.arguments import Number, shown
from deniable_analysis.designs.matrices import direct
from deniable_analysis.estimators.confidence import comparisons_among
from deniable_analysis.planning.designs import Share, plan_mechanism, read_options
from deniable_analysis.planning.detection import respondents_for_detection
from deniable_analysis.planning.drawing import read_drawing
from deniable_analysis.planning.groups import respondents_for_difference
from deniable_analysis.planning.inputs import read_flag, read_positive, read_reach
from deniable_analysis.planning.least_epsilon import least_epsilon
from deniable_analysis.planning.mean import plan_mean, respondents_for_mean
from deniable_analysis.planning.order import respondents_for_order
from deniable_analysis.planning.power import Alternative
from deniable_sdk.mechanisms.base import Target


def epsilon_for_margin(  # noqa: PLR0913 - each names one thing a planner may fix
    respondents: int,
    margin: Number,
    *,
    options: int = 2,
    confidence: Number = 0.95,
    share: Share | Number = Share.WORST,
    simultaneous: bool = False,
    population: int | None = None,
    weighting_effect: Number = 1,
) -> float:
    """The least epsilon with which respondents give a share to this margin.

    Args:
        respondents: those who are asked the question.
        margin: half the width of the interval.
        options: possible answers, "prefer not to say" counted.
        confidence: how often the true share is within the margin.
        share: where the margin is wanted.
        simultaneous: for all options at once (Bonferroni).
        population: how many people the survey is about.
        weighting_effect: of design weights; 1 without.
    Raises:
        Infeasible: it takes more respondents, even without privacy or at the
            largest epsilon.
        InvalidPlan: an argument is outside what it can mean.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    comparisons = 1
    if read_flag("simultaneous", simultaneous):
        comparisons = comparisons_among(read_options(options))
    sd = read_positive("margin", margin) / read_reach(confidence, comparisons)
    drawn = population, weighting_effect
    return _epsilon(f"a margin of {shown(margin)}", respondents, (sd, share), options, drawn)


def epsilon_for_sd(  # noqa: PLR0913 - as above
    respondents: int,
    sd: Number,
    *,
    options: int = 2,
    share: Share | Number = Share.WORST,
    population: int | None = None,
    weighting_effect: Number = 1,
) -> float:
    """The least epsilon with which respondents give a share this standard error.

    Args:
        respondents: those who are asked the question.
        sd: the wanted standard error.
        options: possible answers, "prefer not to say" counted.
        share: where it is wanted.
        population: how many people the survey is about.
        weighting_effect: of design weights; 1 without.
    Raises:
        Infeasible: as for epsilon_for_margin.
        InvalidPlan: an argument is outside what it can mean.
    """
    wanted = read_positive("sd", sd), share
    drawn = population, weighting_effect
    return _epsilon(f"a standard error of {shown(sd)}", respondents, wanted, options, drawn)


def epsilon_for_detection(  # noqa: PLR0913 - as above
    respondents: int,
    share: Number,
    null: Number,
    *,
    options: int = 2,
    power: Number = 0.8,
    significance: Number = 0.05,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> float:
    """The least epsilon with which respondents tell a share from a fixed value.

    Args:
        respondents: those who are asked the question.
        share: the true one.
        null: the value it is tested against.
        options: possible answers, "prefer not to say" counted.
        power: how often the share is found to differ.
        significance: how often it is if it does not.
        alternative: the sides on which a difference is looked for.
    Raises:
        Infeasible: as for epsilon_for_margin.
        InvalidPlan: an argument is outside what it can mean.
    """

    def needed(epsilon: float) -> int:
        return respondents_for_detection(
            plan_mechanism(epsilon, options),
            share,
            null,
            power=power,
            significance=significance,
            alternative=alternative,
        )

    goal = f"telling {shown(share)} from {shown(null)} with power {shown(power)}"
    return least_epsilon(goal, respondents, needed)


def epsilon_for_difference(  # noqa: PLR0913 - as above
    respondents: int,
    first: Number,
    second: Number,
    *,
    options: int = 2,
    power: Number = 0.8,
    significance: Number = 0.05,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> float:
    """The least epsilon with which two groups of respondents are told apart.

    Args:
        respondents: in each group.
        first: true share in one group.
        second: true share in the other group.
        options: possible answers, "prefer not to say" counted.
        power: how often these shares are called different.
        significance: how often equal shares are.
        alternative: the sides on which a difference is looked for.
    Raises:
        Infeasible: as for epsilon_for_margin.
        InvalidPlan: an argument is outside what it can mean.
    """

    def needed(epsilon: float) -> int:
        return respondents_for_difference(
            plan_mechanism(epsilon, options),
            first,
            second,
            power=power,
            significance=significance,
            alternative=alternative,
        )

    goal = f"telling groups of {shown(first)} and {shown(second)} apart with power {shown(power)}"
    return least_epsilon(goal, respondents, needed)


def epsilon_for_order(
    respondents: int,
    first: Number,
    second: Number,
    *,
    options: int = 2,
    probability: Number = 0.95,
) -> float:
    """The least epsilon with which respondents put two options in order.

    Args:
        respondents: those who are asked the question.
        first: true share of one option.
        second: true share of another option.
        options: possible answers, "prefer not to say" counted.
        probability: how often the larger share must come out larger.
    Raises:
        Infeasible: as for epsilon_for_margin.
        InvalidPlan: an argument is outside what it can mean.
    """

    def needed(epsilon: float) -> int:
        mechanism = plan_mechanism(epsilon, options)
        return respondents_for_order(mechanism, first, second, probability=probability)

    goal = f"the order of {shown(first)} and {shown(second)}"
    return least_epsilon(goal, respondents, needed)


def epsilon_for_mean(  # noqa: PLR0913 - as above
    respondents: int,
    margin: Number,
    *,
    low: Number,
    high: Number,
    places: int,
    target: Target = Target.MEAN,
    confidence: Number = 0.95,
) -> float:
    """The least epsilon with which respondents give a mean to this margin.

    Args:
        respondents: those who are asked the question.
        margin: half the width of the interval, in the number's own unit.
        low: the smallest number that can be reported.
        high: the largest one.
        places: how many different numbers can be.
        target: the mean, or the shares, where the distribution is wanted.
        confidence: how often the true mean is within the margin.
    Raises:
        Infeasible: as for epsilon_for_margin.
        InvalidPlan: an argument is outside what it can mean.
        InvalidConfidence: confidence is not between 0 and 1.
    """

    def needed(epsilon: float) -> int:
        mechanism = plan_mean(epsilon, places, target=target)
        return respondents_for_mean(mechanism, margin, low=low, high=high, confidence=confidence)

    return least_epsilon(f"a margin of {shown(margin)}", respondents, needed)


def _epsilon(
    goal: str,
    respondents: int,
    wanted: tuple[Fraction, Share | Number],
    options: int,
    drawn: tuple[int | None, Number],
) -> float:
    """The least epsilon for a standard error at a share, however people are drawn."""
    variance, share = wanted[0] ** 2, wanted[1]
    least = Fraction(1, read_options(options)) if share is Share.EQUAL else share
    open_answers = read_drawing(direct(), least, *drawn)
    open_answers.read_respondents(respondents)

    def needed(epsilon: float) -> int:
        mechanism = plan_mechanism(epsilon, options)
        return read_drawing(mechanism, share, *drawn).respondents(variance)

    return least_epsilon(goal, respondents, needed, open_answers.respondents(variance))
