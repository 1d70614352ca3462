"""The subject of a plan: a mechanism, and the planned share.

A plan uses the mechanism that devices will use, with integer weights. With five
or more asked questions the weights of a survey are more precise, so plan and
survey agree to 1e-9 of epsilon, not to the last digit.
"""

from enum import Enum
from fractions import Fraction
from typing import Any, Protocol, TypeGuard

from deniable_analysis.arguments import (
    Number,
    check_kind,
    read_block_epsilon,
    read_count,
    read_share,
    shown,
)
from deniable_analysis.designs.design import Design
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.mechanisms import known_analysis
from deniable_analysis.planning.declared import (
    GroupedPlan,
    design_unit_variance,
    design_worst_share,
)
from deniable_sdk.mechanisms import Domain, Subset
from deniable_sdk.mechanisms.parameters import MAX_DOMAIN_SIZE
from deniable_sdk.theory.subset import best_subset
from deniable_sdk.weights import integer_weights


class ShareMechanism(Protocol):
    """A mechanism whose reports support single options.

    A report supports an option with probability `keep` if it was chosen, and
    `flip` if it was not.
    """

    @property
    def domain(self) -> Domain: ...

    @property
    def keep(self) -> Fraction: ...

    @property
    def flip(self) -> Fraction: ...


# A plan may also be for a declared design. The share is then that of its second category, or of
# the planned one.
Randomized = ShareMechanism | Design | GroupedPlan


# A share closer than this to 0 or 1 cannot be distinguished from it.
_SMALLEST = Fraction(1, 10**15)


class Share(Enum):
    """A share for a plan if the true share is not known in advance.

    WORST is the share with the largest variance. EQUAL is 1 / options, also for
    questions with several answers.
    """

    WORST = "worst"
    EQUAL = "equal"


def plan_mechanism(epsilon: float | str, options: int = 2) -> Subset:
    """The mechanism of a published question with this number of options.

    Args:
        epsilon: privacy loss of one respondent on this question. If a survey
            asks each respondent s questions, it is epsilon / s of the survey,
            so it may be as small as 0.01 / 200.
        options: number of possible answers. "Prefer not to say" counts if the
            question has it: a yes/no question that is not required has 3.
    Raises:
        InvalidArgument: no survey can be published with these arguments.
    """
    count = read_options(options)
    return best_subset(count, integer_weights(read_block_epsilon(epsilon)))


def read_options(options: int) -> int:
    """The number of possible answers to a question."""
    return read_count("options", options, 2, MAX_DOMAIN_SIZE)


def worst_share(mechanism: Randomized) -> Fraction:
    """The share whose estimate has the largest variance.

    The variance is largest if the probability that a report supports the option
    is as close as possible to one half.

    Raises:
        InvalidArgument: a design does not have two true categories, or cannot
            distinguish them; or mechanism is neither a design nor a mechanism.
    """
    check_randomized(mechanism)
    if isinstance(mechanism, Design):
        return design_worst_share(mechanism)
    if isinstance(mechanism, GroupedPlan):
        return mechanism.worst_share()
    share = (Fraction(1, 2) - mechanism.flip) / (mechanism.keep - mechanism.flip)
    return max(Fraction(0), min(Fraction(1), share))


def planned_share(mechanism: Randomized, share: Share | Number) -> Fraction:
    """The share of a plan, as a fraction.

    Raises:
        InvalidArgument: a given share is not from 0 to 1, or more than the
            guesses of a design of groups leave.
    """
    if share is Share.WORST:
        return worst_share(mechanism)
    if share is Share.EQUAL:
        return Fraction(1, option_count(mechanism))
    check_randomized(mechanism)
    return possible_share(mechanism, "share", share)


def possible_share(mechanism: Randomized, name: str, value: Any) -> Fraction:
    """A given share, if it is a possible share of the question."""
    share = read_share(name, value)
    if isinstance(mechanism, GroupedPlan) and share > mechanism.most:
        raise InvalidArgument(
            f"{name}: got {shown(share)}; allowed is at most {float(mechanism.most):g}, which the "
            "guessed shares of other categories leave"
        )
    return share


def check_randomized(mechanism: object) -> None:
    """Raise InvalidArgument unless this is a mechanism of shares or a design."""
    if not has_shares(mechanism):
        allowed = (
            "plan_mechanism(epsilon, options), a published block's mechanism for shares, a "
            "declared Design, or plan_groups(...) for a design of several groups"
        )
        check_kind("mechanism", mechanism, (Design, GroupedPlan), allowed)


def has_shares(mechanism: object) -> TypeGuard[ShareMechanism]:
    """Whether this is a mechanism whose reports support single options."""
    analysis = known_analysis(mechanism)
    return analysis is not None and analysis.informative_part is not None


def check_subset(mechanism: object) -> None:
    """Raise InvalidArgument unless this is subset selection."""
    allowed = "plan_mechanism(epsilon, options), or a published block's subset selection"
    check_kind("mechanism", mechanism, Subset, allowed)


def unit_variance(mechanism: Randomized, share: Share | Number = Share.WORST) -> Fraction:
    """The total variance of an estimated share, times the respondents.

    Args:
        mechanism: mechanism of the question; or a declared design of two true
            categories, whose second share is planned.
        share: planned share.
    Raises:
        InvalidArgument: a given share is not from 0 to 1, or the design does not
            allow a plan.
    """
    at = planned_share(mechanism, share)
    if isinstance(mechanism, Design):
        return design_unit_variance(mechanism, at)
    if isinstance(mechanism, GroupedPlan):
        return mechanism.unit_variance(at)
    rate = support_rate(mechanism, at)
    variance = rate * (1 - rate) / (mechanism.keep - mechanism.flip) ** 2
    return variance / informative_part(mechanism)


def option_count(mechanism: Randomized) -> int:
    """The number of options with a share, including "no answer"."""
    check_randomized(mechanism)
    if isinstance(mechanism, GroupedPlan):
        return len(mechanism.design.true)
    return 2 if isinstance(mechanism, Design) else mechanism.domain.options


def informative_part(mechanism: ShareMechanism | Design) -> Fraction:
    """The part of the reports that support or contradict a given option.

    It is s / k for sampled bits, which are only about the s drawn options of k.
    """
    analysis = known_analysis(mechanism)
    if analysis is None or analysis.informative_part is None:
        return Fraction(1)
    return analysis.informative_part(mechanism)


def support_rate(mechanism: ShareMechanism, share: Fraction) -> Fraction:
    """The probability that an informative report supports an option with this share."""
    return mechanism.flip + share * (mechanism.keep - mechanism.flip)


def design_effect(mechanism: Randomized, share: Share | Number = Share.WORST) -> float:
    """The design effect: the factor of the respondents compared to no randomization.

    Raises:
        InvalidArgument: a given share is not above 0 and below 1. Without
            randomization, an estimate of 0 or 1 has no error.
    """
    at = planned_share(mechanism, share)
    clear = at * (1 - at)
    if clear < _SMALLEST:
        raise InvalidArgument(
            f"share: got {float(at):g}, where an estimate without privacy has no error; "
            "allowed is a share above 0 and below 1"
        )
    return float(unit_variance(mechanism, at) / clear)
