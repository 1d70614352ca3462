"""Decimal texts: exact numbers in documents without floats.

Inside, a number is an integer in units of 10^-4, the smallest step a question
can have. Up to that many decimals Python and JavaScript write a float in the
same way, without an exponent.
"""

from __future__ import annotations

import re

DECIMALS = 4
UNIT: int = 10**DECIMALS
RULE = 'a decimal text like "0.5"'

_CANONICAL = re.compile(r"-?(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{0,3}[1-9])?", re.ASCII)
_WRITTEN = re.compile(r"(-?)([0-9]{1,15})(?:\.([0-9]{1,15}))?", re.ASCII)


def parse_canonical(value: object) -> int | None:
    """The units of a decimal text in its one canonical form, else None."""
    if isinstance(value, str) and value != "-0" and _CANONICAL.fullmatch(value):
        return parse_number(value)
    return None


def parse_number(value: object) -> int | None:
    """The units of a number or its text, None where it is none or too fine."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        # CPython refuses to write integers of thousands of digits.
        return value * UNIT if value.bit_length() < 64 else None
    text = float.__repr__(value) if isinstance(value, float) else value
    written = _WRITTEN.fullmatch(text) if isinstance(text, str) else None
    if not written:
        return None
    sign, whole, decimals = written.groups(default="")
    kept, rest = decimals[:DECIMALS], decimals[DECIMALS:]
    if rest.strip("0"):
        return None
    units = int(whole + kept.ljust(DECIMALS, "0"))
    return -units if sign else units


def format_units(units: int) -> str:
    """The canonical decimal text of a number of units."""
    whole, decimals = divmod(abs(units), UNIT)
    digits = f"{decimals:0{DECIMALS}d}".rstrip("0")
    return f"{'-' if units < 0 else ''}{whole}{'.' if digits else ''}{digits}"


def as_number(text: str) -> int | float | str:
    """The number that Python writes as this decimal text; the text itself if there is none."""
    if text.lstrip("-").isdigit():
        return int(text)
    return float(text) if repr(float(text)) == text else text


def number_of(units: int) -> int | float | str:
    """A number of units as an author writes it."""
    return as_number(format_units(units))
