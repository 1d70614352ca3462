"""Numbers in tables are read as everybody reads them, or refused; pages have the same cases."""

import json
from pathlib import Path

import pytest
from babel import Locale
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from deniable_web.simulation.typed_numbers import UnclearNumber, decimal_text

CASES = json.loads((Path(__file__).parents[1] / "form" / "typed_numbers.json").read_text())
LANGUAGES = (
    "en",
    "de",
    "de_CH",
    "de_AT",
    "fr",
    "es",
    "es_MX",
    "pl",
    "en_IN",
    "ar",
    "fa",
    "hi",
    "zh",
    "sv",
    "he",
)


@pytest.mark.parametrize(("written", "decimal"), CASES["read"])
def test_a_number_is_read_from_its_digits_and_its_signs(written: str, decimal: str) -> None:
    """Separators of thousands and decimals, digits of all scripts, marks and blanks."""
    assert decimal_text(written) == decimal


@pytest.mark.parametrize("written", CASES["unclear"])
def test_a_number_that_can_mean_two_is_refused(written: str) -> None:
    """The message says how to write it, and does not repeat it."""
    with pytest.raises(UnclearNumber, match=r"write 2500 for thousands, or 2\.5000 f") as no:
        decimal_text(written)
    assert written.strip() not in str(no.value)


@pytest.mark.parametrize("written", CASES["refused"])
def test_other_texts_are_no_numbers(written: str) -> None:
    """Words, units, exponents and groups that no language has."""
    assert decimal_text(written) is None


@pytest.mark.parametrize("language", LANGUAGES)
@given(units=st.integers(-(10**12), 10**12), are_grouped=st.booleans())
def test_what_a_language_prints_is_that_number_or_refused(
    language: str, units: int, are_grouped: bool
) -> None:
    """Numbers of up to three decimals, grouped or not, by the data of Unicode."""
    written = format_decimal(
        units / 1000, locale=Locale.parse(language), group_separator=are_grouped
    )
    try:
        decimal = decimal_text(written)
    except UnclearNumber:
        return
    assert decimal is None or float(decimal) == units / 1000
