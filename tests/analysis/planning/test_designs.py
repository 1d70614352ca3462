"""Plans for declared designs."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from deniable_analysis.designs import (
    Design,
    crosswise,
    direct,
    disguised,
    forced_response,
    from_matrix,
    kuk,
    triangular,
    warner,
)
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.planning import (
    Margin,
    design_effect,
    plan_mechanism,
    unit_variance,
    worst_share,
)

DESIGNS = [
    warner(Fraction(3, 10)),
    forced_response(yes=Fraction(1, 6), no=Fraction(1, 3)),
    crosswise(Fraction(1, 6)),
    triangular(Fraction(1, 4)),
    kuk(yes=Fraction(4, 5), no=Fraction(1, 5), draws=3),
    disguised(Fraction(4, 5)),
]
SHARES = [Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(1)]


def _parts(design: Design) -> NDArray[np.float64]:
    """What an answer adds to the share, by the pseudo-inverse where the design has no own way."""
    if design.estimator is not None:
        return np.array(design.estimator[1], dtype=np.float64)
    return np.asarray(np.linalg.pinv(design.probabilities)[1])


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
@pytest.mark.parametrize("share", SHARES)
def test_the_variance_is_that_of_what_one_answer_adds(design: Design, share: Fraction) -> None:
    """Enumerated over the observed categories, mean and variance are the planned ones."""
    law = design.probabilities @ [1 - float(share), float(share)]
    parts = _parts(design)
    assert law @ parts == pytest.approx(float(share), abs=1e-12)
    assert float(unit_variance(design, share)) == pytest.approx(
        law @ parts**2 - float(share) ** 2, rel=1e-9, abs=1e-12
    )


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_no_share_is_worse_than_the_worst(design: Design) -> None:
    """On a grid of shares the variance is nowhere larger than at the worst one."""
    worst = unit_variance(design)
    assert worst == unit_variance(design, worst_share(design))
    assert all(unit_variance(design, Fraction(part, 50)) <= worst for part in range(51))


def test_a_mechanism_and_the_same_design_plan_alike() -> None:
    """Margins, respondents and what privacy costs agree exactly."""
    mechanism = plan_mechanism(1)
    design = warner(mechanism.keep)
    assert unit_variance(design, 0.1) == unit_variance(mechanism, 0.1)
    assert Margin(0.03).respondents(design) == Margin(0.03).respondents(mechanism)
    assert Margin(simultaneous=True).reached(design, 500) == Margin().reached(mechanism, 500)
    assert design_effect(design) == design_effect(mechanism)


def test_a_direct_question_costs_nothing() -> None:
    """Without randomization the plan is that of a plain survey."""
    design = direct()
    assert design_effect(design) == 1
    assert Margin(0.03).respondents(design) == 1068


def test_designs_that_cannot_be_planned_are_refused() -> None:
    """More true categories than two, or none that can be told apart, are named."""
    three = direct(("none", "some", "many"))
    with pytest.raises(
        InvalidArgument, match=r"^design: got .* with 3 true categories; allowed are"
    ):
        unit_variance(three, 0.1)
    blind = from_matrix([[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(
        InvalidArgument, match=r"^design: got .*, which no number of respondents can"
    ):
        worst_share(blind)
