"""Shares as people see them: possible, inside their intervals, and rounded outwards."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable_analysis.results import OptionEstimate
from deniable_web.pages.numbers import Numbers, outward
from deniable_web.results.charts import Span
from deniable_web.results.estimate_charts import decimals_of, share_chart, shown_share

SHARES = st.floats(-0.5, 1.5)


def option(share: float, low: float, high: float, valid: float, name: str = "a") -> OptionEstimate:
    """An estimate with these numbers."""
    return OptionEstimate(option=name, share=share, low=low, high=high, valid_share=valid)


@given(SHARES, SHARES, st.sampled_from([100, 1000]))
def test_a_shown_interval_contains_the_possible_part_of_the_interval(
    one: float, other: float, steps: int
) -> None:
    """It never ends too early, nor a whole step too late."""
    low, high = sorted((one, other))
    first, last = (Fraction(round(each * steps), steps) for each in outward(low, high, steps))
    possible = [min(1.0, max(0.0, each)) for each in (low, high)]
    assert first - Fraction(1, 10**6) <= possible[0] < first + Fraction(1, steps)
    assert last - Fraction(1, steps) < possible[1] <= last + Fraction(1, 10**6)


def test_decimal_fractions_do_not_lengthen_an_interval() -> None:
    """In binary 0.29 times 100 is less than 29."""
    assert outward(0.29, 0.57, 100) == (0.29, 0.57)


@given(SHARES, SHARES, st.floats(0, 1))
def test_the_shown_share_is_possible_and_inside_its_interval(
    one: float, other: float, valid: float
) -> None:
    """The valid share, or the end of the interval that is next to it."""
    low, high = sorted((one, other))
    shown = shown_share(option(valid, low, high, valid))
    assert shown is not None
    assert 0 <= shown <= 1
    if low <= valid <= high:
        assert shown == valid
    else:
        assert shown in (min(1, max(0, low)), min(1, max(0, high)))


def test_a_row_has_possible_numbers_and_keeps_the_raw_ones() -> None:
    """The bar begins at 0, the interval ends at the axis, and "no answer" comes last by share."""
    named = [
        ("No answer", option(0.7, 0.6, 0.8, 0.7, "no_answer")),
        ("Rare", option(-0.02, -0.08, 0.04, 0.0)),
        ("Often", option(0.32, 0.26, 1.04, 0.3)),
    ]
    none, rare, often = share_chart(named, Numbers("en")).rows
    assert (rare.value, rare.low, rare.high) == ("0%", "0%", "4%")
    assert (rare.bar, rare.interval) == (Span(0, 0), Span(0, 4))
    assert rare.raw[:4] == ("-2.0%", "-8.0%", "4.0%", "0.0%")
    assert (often.value, often.high, often.bar) == ("30%", "100%", Span(0, 30))
    assert (often.rank, rare.rank, none.rank) == (0, 1, 2)
    (mirrored,) = share_chart(named[2:], Numbers("ar")).rows
    assert mirrored.bar == Span(70, 30)


@pytest.mark.parametrize(("width", "decimals"), [(0.2, 0), (0.02, 0), (0.0199, 1)])
def test_only_narrow_intervals_have_a_decimal(width: float, decimals: int) -> None:
    """More would say what the reports do not."""
    assert (
        decimals_of([option(0.5, 0.5, 0.5 + width, 0.5), option(0.5, 0.5, 0.5, 0.5)]) == decimals
    )
