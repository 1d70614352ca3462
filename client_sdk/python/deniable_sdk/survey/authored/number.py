"""number, as authors write it."""

from typing import Any

from deniable_sdk.errors import quote
from deniable_sdk.survey.decimals import format_units, parse_canonical, parse_number
from deniable_sdk.survey.questions import NumberQuestion
from deniable_sdk.survey.questions.number import check_grid
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import read_optional_text

NUMBER_RULE = "a number below a thousand million, with at most 4 decimals"


def read_number(section: Section, common: dict[str, Any]) -> NumberQuestion:
    """The grid from min to max, in steps of 1 where no step is given."""
    lowest, highest, step = check_grid(
        section,
        read_decimal(section, "min"),
        read_decimal(section, "max"),
        read_decimal(section, "step", default=1),
    )
    unit = read_optional_text(section, "unit")
    return NumberQuestion(**common, lowest=lowest, highest=highest, step=step, unit=unit)


def read_decimal(section: Section, key: str, default: int | None = None) -> int | None:
    """The number under a key in units of 10^-4; a bad one is a problem, and None."""
    if key not in section and default is not None:
        return parse_number(default)
    value = section.require(key, NUMBER_RULE)
    units = parse_number(value)
    if units is not None and parse_canonical(format_units(units)) is not None:
        return units
    if key in section:
        section.refuse(f"got {quote(value)}; allowed is {NUMBER_RULE}", key)
    return None
