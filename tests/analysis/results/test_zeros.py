"""Zero is shown as zero: no sign before it, and nothing below it by rounding."""

from typing import Any

import pytest

from deniable_analysis.designs import ParameterEstimate, Prevalence
from deniable_analysis.results import Difference, MeanEstimate, OptionEstimate, TrendPoint
from deniable_analysis.results.shares import format_sd

TINY = -1e-12


@pytest.mark.parametrize("zero", [0.0, -0.0, TINY])
def test_shares_and_their_errors_have_no_negative_zero(zero: float) -> None:
    """What rounds to 0 is written 0.0000, in every cell of a row."""
    shares = ("share", "low", "high", "valid_share")
    numbers: dict[str, Any] = dict.fromkeys(
        (*shares, "mechanism_variance", "sampling_variance"), zero
    )
    option = OptionEstimate(option="yes", **numbers)
    assert option.cells() == ("0.0000",) * 6
    assert Difference(name="yes", difference=zero, z=zero).row()[3:7] == (
        "0.0000",
        "",
        "",
        "0.000",
    )
    mean = MeanEstimate(value=zero, low=zero, high=zero, variance=0.0)
    assert "-0.0000" not in repr(mean)
    point = dict.fromkeys(("value", "low", "high", "standard_error"), zero)
    limits = {"lower_limit": zero, "upper_limit": zero}
    shown = TrendPoint(edition="a@1", time=0.0, **point, **limits).row()
    assert shown[1:6] == ("0.0000",) * 5


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
    assert "-0.0000" not in repr(found)
    assert "t          0.0000  0.1000  0.0000  0.2000" in repr(found)


def test_a_variance_is_below_zero_only_where_it_can_be_seen() -> None:
    """Rounding is no negative variance; a raw share outside 0 to 1 has one."""
    variances = (None, -0.0, -1e-20, -2.4e-9, -2.6e-9, 0.25)
    assert [format_sd(each) for each in variances] == ["", *["0.0000"] * 3, "<0", "0.5000"]
