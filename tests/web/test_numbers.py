"""Numbers in the style of each language, and their positions on an axis."""

import pytest

from deniable_web.pages.numbers import Numbers, decimals_for
from deniable_web.results.charts import Span, axis_of, whole_axis


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "20,190 38.2% -0.5% 0.0% 1,234.50 ±4.1 <0.001 +3.1 0.333"),
        ("de", "20.190 38,2\u00a0% -0,5\u00a0% 0,0\u00a0% 1.234,50 ±4,1 <0,001 +3,1 0,333"),
        ("es", "20.190 38,2\u00a0% -0,5\u00a0% 0,0\u00a0% 1.234,50 ±4,1 <0,001 +3,1 0,333"),
        ("zh", "20,190 38.2% -0.5% 0.0% 1,234.50 ±4.1 <0.001 +3.1 0.333"),
    ],
)
def test_numbers_are_written_as_the_language_has_them(language: str, expected: str) -> None:
    """Marks for thousands and decimals, the percent sign, and never a zero with a sign."""
    numbers = Numbers(language)
    assert [
        numbers.count(20190),
        numbers.percent(0.38184),
        numbers.percent(-0.005),
        numbers.percent(-0.0004),
        numbers.decimal(1234.5, 2),
        numbers.margin(4.1, 1),
        numbers.below(0.001, 3),
        numbers.signed(3.1, 1),
        numbers.short(1 / 3),
    ] == expected.split(" ")


def test_numbers_stay_whole_in_texts_from_the_right() -> None:
    """Signs stay on the sides where they belong, whatever stands around the number."""
    numbers = Numbers("ar")
    for written in (numbers.percent(-0.005), numbers.margin(4, 1), numbers.signed(3, 0)):
        assert (written[0], written[-1]) == ("\u2066", "\u2069")


@pytest.mark.parametrize(
    ("errors", "decimals"),
    [
        ([0.186], 2),
        ([1.3, 0.1], 1),
        ([12.0], 0),
        ([300.0], 0),
        ([0.00001], 4),
        ([None], 2),
        ([], 2),
    ],
)
def test_a_number_has_two_digits_of_its_error(errors: list[float | None], decimals: int) -> None:
    """More would be chance; with no error there are two decimals."""
    assert decimals_for(errors) == decimals


def test_an_axis_holds_all_numbers_between_round_marks() -> None:
    """Marks are a round step apart; from the right, places are counted from there."""
    axis = axis_of([-0.07, 0.706, None], least=(0.0, 0.1), is_mirrored=False)
    assert axis.marks == (-0.2, 0.0, 0.2, 0.4, 0.6, 0.8)
    assert (axis.position(-0.2), axis.position(0.3), axis.position(0.8)) == (0, 50, 100)
    mirrored = axis_of([-0.07, 0.706], least=(0.0, 0.1), is_mirrored=True)
    assert mirrored.position(0.8) == 0
    assert axis.span(0.0, 0.3) == Span(20, 30)
    assert mirrored.span(0.0, 0.3) == Span(50, 30)


def test_an_axis_can_be_exactly_as_long_as_the_scale() -> None:
    """Its marks are counted from the lowest answer, also where an interval reaches below."""
    assert whole_axis((1, 9), is_mirrored=False).marks == (1, 3, 5, 7, 9)
    reaching = whole_axis((1, 5), (-0.3, 5.6), is_mirrored=False)
    assert (reaching.low, reaching.high, reaching.marks) == (-0.3, 5.6, (1, 3, 5))
    assert whole_axis((2, 2), is_mirrored=False).high == 3
