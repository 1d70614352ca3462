"""Zero is shown as zero: no sign before it, and nothing below it by rounding."""

from typing import Any

import pytest

from deniable_analysis.designs import ParameterEstimate, Prevalence
from deniable_analysis.parts import Column, ColumnKind, Table
from deniable_analysis.results import Difference, MeanEstimate, OptionEstimate, TrendPoint
from deniable_analysis.results.comparison import DIFFERENCES
from deniable_analysis.results.editions import OptionTrend
from deniable_analysis.results.shares import SHARES

TINY = -1e-12


@pytest.mark.parametrize("zero", [0.0, -0.0, TINY])
def test_shares_and_their_errors_have_no_negative_zero(zero: float) -> None:
    """What rounds to 0 is written 0.0000, in every cell of a row."""
    shares = ("share", "low", "high", "valid_share")
    numbers: dict[str, Any] = dict.fromkeys(
        (*shares, "mechanism_variance", "sampling_variance"), zero
    )
    option = OptionEstimate(option="yes", **numbers)
    assert Table.of((), SHARES, [(option,)]).cells == (("0.0000",) * 6,)
    difference = Difference(name="yes", difference=zero, z=zero)
    shown = Table.of((), DIFFERENCES, [(difference,)]).cells
    assert shown == (("", "", "0.0000", "", "", "0.0000", "", ""),)
    mean = MeanEstimate(value=zero, low=zero, high=zero, variance=0.0)
    assert "-0.0000" not in str(mean)
    point = dict.fromkeys(("value", "low", "high", "standard_error"), zero)
    limits = {"lower_limit": zero, "upper_limit": zero}
    trend_point = TrendPoint(edition="a@1", time=0.0, **point, **limits)
    numbers = dict.fromkeys(("centre", "slope", "slope_error", "z"), zero)
    chances = dict.fromkeys(("p_value", "adjusted_p_value", "change_p_value"), 1.0)
    trend = OptionTrend(name="yes", points=(trend_point,), **numbers, **chances)
    assert trend.table.cells == (("a@1", *("0.0000",) * 5, ""),)


def test_parameters_of_designs_have_no_negative_zero() -> None:
    """A parameter that stands on 0 is shown there."""
    found = Prevalence(
        column="x",
        design="d",
        method="moment",
        standard_errors="unbiased",
        interval="wald",
        confidence=0.95,
        rows=2,
        missing=0,
        effective=2.0,
        options=(),
        parameters=(
            ParameterEstimate(name="t", value=TINY, standard_error=0.1, low=-0.0, high=0.2),
        ),
        covariance=(),
        log_likelihood=None,
    )
    assert "-0.0000" not in str(found)
    assert "t          0.0000  0.1000  0.0000  0.2000" in str(found)


def test_a_variance_is_below_zero_only_where_it_can_be_seen() -> None:
    """Rounding is no negative variance; a raw share outside 0 to 1 has one."""
    variances = (None, -0.0, -1e-20, -2.4e-9, -2.6e-9, 0.25)
    table = Table(
        (Column("variance", "sd", ColumnKind.VARIANCE),), tuple((each,) for each in variances)
    )
    assert table.cells == (("",), *(("0.0000",),) * 3, ("<0",), ("0.5000",))
