"""Plans for designs of several groups, whose probabilities are partly unknown."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from deniable_analysis.designs import (
    UnknownDesign,
    cheating_detection,
    cheating_detection_symmetric,
    prevalence,
    stochastic_lie_detector,
    unrelated_question_unknown,
)
from deniable_analysis.designs.answers import AnsweredGroups
from deniable_analysis.designs.groups import Answers, group_models
from deniable_analysis.designs.maximum_likelihood import LogLikelihood
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.planning import (
    Alternative,
    Detection,
    GroupedPlan,
    Margin,
    Share,
    StandardError,
    TwoGroups,
    design_effect,
    plan_groups,
    unit_variance,
    worst_share,
)
from deniable_analysis.planning.power import planned_test
from sampling_checks import SampleRejected, check_binomial
from there import there

SIXTHS = {1: Fraction(1, 6), 2: Fraction(5, 6)}
THIRDS = {1: Fraction(2, 3), 2: Fraction(1, 3)}
LIES = plan_groups(stochastic_lie_detector(SIXTHS), {"t": 0.8})
UNRELATED = plan_groups(unrelated_question_unknown(THIRDS), {"prevalence": Fraction(1, 3)})
CHEATS = plan_groups(cheating_detection(SIXTHS), {"cheating": 0.1})
SYMMETRIC = plan_groups(
    cheating_detection_symmetric({"a": (0.1, 0.2), "b": (0.5, 0.1)}),
    {"yes": 0.2},
    category="cheating",
    parts={"a": 300, "b": 100},
)
PLANS = [LIES, UNRELATED, CHEATS, SYMMETRIC]
SHARES = [Fraction(1, 50), Fraction(1, 5), Fraction(1, 2)]


def _expected(plan: GroupedPlan, share: float, rows: float) -> AnsweredGroups:
    """The answers that so many rows give on average."""
    index = plan.design.true.index(plan.category)
    shares = np.array(plan.others, dtype=np.float64)
    shares[0], shares[index] = float(plan.most) - share, share
    rates = plan.design.matrices([float(value) for value in plan.parameters]) @ shares
    counts = [rate * rows * float(part) for rate, part in zip(rates, plan.parts, strict=True)]
    return AnsweredGroups(
        name=plan.design.name,
        true=plan.design.true,
        unknown=plan.design.unknown,
        groups=group_models(plan.design),
        answers=tuple(Answers(each, each, each) for each in counts),
        absent=(),
        missing=0,
        is_weighted=False,
        estimator=None,
    )


def _information_variance(plan: GroupedPlan, share: Fraction, *, is_known: bool = False) -> float:
    """The inverse expected information of one respondent, for the planned share.

    With the unknown parameters taken for known, if wanted.
    """
    rows = 1.0
    size, index = len(plan.design.true), plan.design.true.index(plan.category)
    shares = np.array(plan.others, dtype=np.float64)
    shares[0], shares[index] = float(plan.most - share), float(share)
    point = np.concatenate((shares, [float(value) for value in plan.parameters]))
    likelihood = LogLikelihood.of(_expected(plan, float(share), rows))
    free = size if is_known else len(point)
    # Shares sum to 1: the first gives what the others take.
    basis = np.zeros((len(point), free - 1))
    basis[0, : size - 1] = -1
    basis[1:free] = np.eye(free - 1)
    information = basis.T @ likelihood.expected_information(point) @ basis
    return float(np.linalg.inv(information)[index - 1, index - 1])


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.design.name)
@pytest.mark.parametrize("share", SHARES)
def test_the_variance_is_that_of_the_expected_information(
    plan: GroupedPlan, share: Fraction
) -> None:
    """Two groups just identify a design, so unbiased and likeliest shares vary alike."""
    found = float(unit_variance(plan, share))
    assert found == pytest.approx(_information_variance(plan, share), rel=1e-9)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.design.name)
def test_the_standard_error_is_the_one_an_estimate_reports(plan: GroupedPlan) -> None:
    """A table as large as planned, with the planned answers, has the planned standard error."""
    rows = 4_000_000
    answered = _expected(plan, 0.25, rows)
    counts = [np.rint(answers.counts).astype(int).tolist() for answers in answered.answers]
    found = prevalence(counts, design=plan.design)
    (option,) = [option for option in found.options if option.option == plan.category]
    assert option.share == pytest.approx(0.25, abs=1e-5)
    assert option.standard_error == pytest.approx(
        StandardError(share=0.25).reached(plan, rows), rel=1e-4
    )


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.design.name)
def test_no_share_is_worse_than_the_worst(plan: GroupedPlan) -> None:
    """On a grid of the shares that the guesses allow, none varies more."""
    worst = unit_variance(plan)
    at = worst_share(plan)
    assert 0 <= at <= plan.most
    assert float(worst) == pytest.approx(float(unit_variance(plan, at)))
    for part in range(51):
        assert float(unit_variance(plan, plan.most * part / 50)) <= float(worst) * (1 + 1e-9)


def test_groups_known_to_be_honest_cost_what_a_known_design_does() -> None:
    """An unknown probability costs respondents: more than the same design if it were known."""
    share = Fraction(1, 5)
    known = _information_variance(LIES, share, is_known=True)
    assert float(unit_variance(LIES, share)) > 1.2 * known
    assert design_effect(LIES, share) == pytest.approx(float(unit_variance(LIES, share)) / 0.16)


@pytest.mark.parametrize(
    ("prevalence_guess", "reference", "unknown"),
    [
        (Fraction(1, 3), 0.952780526922442, 0.6003),
        (Fraction(1), 0.791356086619926, 0.3393),
    ],
    ids=["unrelated_unknown", "forced_unknown"],
)
def test_the_r_package_plans_as_if_the_unknown_were_known(
    prevalence_guess: Fraction, reference: float, unknown: float
) -> None:
    """Rr's power is that with the prevalence known, to ten digits; unknown, it is far smaller."""
    plan = plan_groups(unrelated_question_unknown(THIRDS), {"prevalence": prevalence_guess})
    null, true = (
        Fraction(_information_variance(plan, share, is_known=True))
        for share in (Fraction(0), Fraction(1, 5))
    )
    test = planned_test(Fraction(1, 5), (null, true), 0.01, Alternative.ONE_SIDED)
    assert test.power(200) == pytest.approx(reference, rel=1e-10)
    found = Detection(0.2, 0, significance=0.01, alternative=Alternative.ONE_SIDED).reached(
        plan, 200
    )
    assert found == pytest.approx(unknown, abs=5e-5)


def test_all_plans_of_shares_take_groups() -> None:
    """Standard errors, margins, one share against a value and two groups are planned alike."""
    variance = float(unit_variance(LIES, 0.2))
    assert StandardError(0.02, 0.2).respondents(LIES) == math.ceil(variance / 0.0004 - 1e-9)
    reach = 1.959963984540054
    expected = math.ceil(variance * (reach / 0.03) ** 2)
    assert Margin(0.03, share=0.2).respondents(LIES) == expected
    needed = Detection(0.2, 0.1).respondents(LIES)
    assert Detection(0.2, 0.1).reached(LIES, needed) >= 0.8
    assert Detection(0.2, 0.1).reached(LIES, needed - 1) < 0.8
    assert TwoGroups(0.2, 0.1).respondents(LIES) > needed
    assert unit_variance(CHEATS, Share.EQUAL) == unit_variance(CHEATS, Fraction(1, 3))


def test_uneven_groups_are_planned_as_they_are() -> None:
    """A group's part is what counts, in whatever unit; an even split is the default."""
    design = stochastic_lie_detector(SIXTHS)
    even = plan_groups(design, {"t": 0.8}, parts={2: 50, 1: 50})
    assert even == LIES
    uneven = plan_groups(design, {"t": 0.8}, parts={1: 1, 2: 9})
    assert uneven.parts == (Fraction(1, 10), Fraction(9, 10))
    assert unit_variance(uneven, 0.2) > unit_variance(LIES, 0.2)


def test_a_direct_group_is_one_more() -> None:
    """With a third group asked directly fewer respondents are enough."""
    design = stochastic_lie_detector(SIXTHS).with_direct(0)
    plan = plan_groups(design, {"t": 0.8})
    assert plan.parts == (Fraction(1, 3),) * 3
    assert unit_variance(plan, 0.2) < unit_variance(LIES, 0.2)


@pytest.mark.deep
def test_planned_margins_hold_in_simulated_tables() -> None:
    """As many respondents as planned come within the margin as often as they should."""
    margin, truth, surveys = 0.05, Fraction(3, 10), 600
    needed = Margin(margin, share=truth).respondents(LIES)
    source = np.random.default_rng(20_240_611)
    chance = LIES.design.matrices([0.8]) @ [0.7, 0.3]
    hits = half_hits = 0
    for _ in range(surveys):
        counts = [
            source.multinomial(size, row)
            for size, row in zip((needed // 2, needed - needed // 2), chance, strict=True)
        ]
        found = prevalence([list(map(int, each)) for each in counts], design=LIES.design)
        off = abs(there(found.options[1].share) - float(truth))
        hits += off <= margin
        half_hits += off <= margin / 2
    check_binomial(hits, surveys, Fraction(19, 20))
    with pytest.raises(SampleRejected):
        check_binomial(half_hits, surveys, Fraction(19, 20))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"design": None}, r"^design: got something of the type NoneType; allowed is a design of"),
        ({"guesses": {}}, r"^guesses: allowed is one for each name of .*: \{'t': \.\.\.\}$"),
        ({"guesses": {"t": 0.8, "yes": 0.1}}, r"^guesses: allowed is one for each name"),
        ({"guesses": {"t": 1.5}}, r"^guesses\['t'\]: got 1.5; allowed is a share from 0 to 1"),
        ({"category": "no"}, r"^category: allowed are 'yes' of stochastic lie detector$"),
        ({"category": []}, r"^category: allowed are 'yes'"),
        ({"parts": {1: 0.5}}, r"^parts: allowed is a number for each of the groups 1, 2$"),
        ({"parts": {1: 0, 2: 1}}, r"^parts\[1\]: got 0; allowed is a number above 0"),
    ],
)
def test_guesses_that_do_not_fit_are_refused(changes: dict[str, Any], message: str) -> None:
    """The error names the argument, and what the design needs."""
    arguments = {"design": LIES.design, "guesses": {"t": 0.8}, **changes}
    with pytest.raises(InvalidArgument, match=message):
        plan_groups(**arguments)


def test_guessed_shares_leave_something_to_the_planned_one() -> None:
    """Shares that sum to more than everybody are refused, guessed or planned."""
    design: UnknownDesign = CHEATS.design
    with pytest.raises(
        InvalidArgument, match=r"^guesses: got shares of cheating that sum to 1 or"
    ):
        plan_groups(design, {"cheating": 1})
    with pytest.raises(
        InvalidArgument, match=r"^share: got 0.95; allowed is at most 0.9, which the"
    ):
        unit_variance(CHEATS, 0.95)
    with pytest.raises(InvalidArgument, match=r"^null: got 1; allowed is at most 0.9"):
        Detection(0.5, 1).reached(CHEATS, 100)
    with pytest.raises(
        InvalidArgument, match=r"^simultaneous: got it for cheating detection, whose"
    ):
        Margin(0.05, simultaneous=True).respondents(CHEATS)
