"""Reading what a planner is asked, with errors that name the argument."""

import math
import re
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from numbers import Integral
from typing import TypeVar

from deniable_analysis.arguments import (
    LARGEST_NUMBER,
    Number,
    is_flag,
    is_whole,
    named,
    read_number,
    shown,
)
from deniable_analysis.errors import Infeasible, InvalidConfidence, InvalidPlan
from deniable_analysis.estimators.confidence import critical_value
from deniable_sdk.survey.questions import MAX_QUESTIONS
from deniable_sdk.weights import MAX_EPSILON, MIN_EPSILON

MIN_BLOCK_EPSILON = Fraction(MIN_EPSILON) / MAX_QUESTIONS
# A hundred times as many as there are people.
MAX_RESPONDENTS = 10**12

_DECIMAL = re.compile(r"[0-9]{1,2}(\.[0-9]{1,30})?", re.ASCII)

Choice = TypeVar("Choice", bound=Enum)


def read_block_epsilon(value: float | str) -> Fraction:
    """What one respondent spends on one of the questions they are asked.

    Raises:
        InvalidPlan: no survey can spend so much or so little on a question.
    """
    text = _epsilon_text(value)
    # The pattern bounds the length: as a fraction 1e999999999 would fill memory.
    if _DECIMAL.fullmatch(text):
        epsilon = Fraction(text)
        if MIN_BLOCK_EPSILON <= epsilon <= MAX_EPSILON:
            return epsilon
    raise InvalidPlan(
        f"epsilon: got {named(value)}; allowed is a "
        f"number from {MIN_EPSILON} (for one of many questions from "
        f"{float(MIN_BLOCK_EPSILON):.5f}) to {MAX_EPSILON}, with at most 30 decimals"
    )


def _epsilon_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return ""
    if isinstance(value, float):
        # The shortest text of a small float has an exponent, which no survey allows.
        return f"{Decimal(repr(float(value))):f}"
    return f"{int(value):d}" if isinstance(value, Integral) and int(value) < LARGEST_NUMBER else ""


def read_positive(name: str, value: Number) -> Fraction:
    """A number above 0, as the fraction it was written as.

    Raises:
        InvalidPlan: it is not a finite number above 0.
    """
    number = read_number(name, value, "a number above 0")
    if number <= 0:
        raise InvalidPlan(f"{name}: got {shown(value)}; allowed is a number above 0")
    if number < Fraction(1, LARGEST_NUMBER):
        raise InvalidPlan(f"{name}: got {shown(value)}; allowed is a number from 1e-100 to 1e100")
    return number


def read_probability(name: str, value: Number) -> Fraction:
    """A number between 0 and 1, both left out.

    Raises:
        InvalidPlan: it is not, or cannot be told from 0 or 1 in a float.
    """
    number = read_number(name, value, "a number between 0 and 1")
    if not 0 < float(number) < 1:
        raise InvalidPlan(f"{name}: got {shown(value)}; allowed is a number between 0 and 1")
    return number


def read_reach(confidence: Number, comparisons: int = 1) -> Fraction:
    """How many standard errors an interval reaches.

    Raises:
        InvalidConfidence: confidence is not between 0 and 1, or so near to
            one of them that a float cannot tell.
    """
    reach = critical_value(confidence, comparisons)
    if not 0 < reach < math.inf:
        raise InvalidConfidence(
            f"got the confidence {shown(confidence)}, with which no interval has a finite width "
            "above 0; allowed is a number between 0 and 1, like 0.95"
        )
    return Fraction(reach)


def read_respondents(name: str, value: int) -> int:
    """A number of respondents, at least 1.

    Raises:
        InvalidPlan: it is not.
    """
    if not is_whole(value, 1, LARGEST_NUMBER):
        raise InvalidPlan(f"{name}: got {shown(value)}; allowed is a whole number from 1")
    if value > MAX_RESPONDENTS:
        raise InvalidPlan(
            f"{name}: got {shown(value)}; allowed are at most {MAX_RESPONDENTS:,}, more than "
            "there are people"
        )
    return int(value)


def read_count(name: str, value: int, low: int, high: int, because: str = "") -> int:
    """A whole number within bounds.

    Args:
        name: of the argument.
        value: what was given for it.
        low: the least.
        high: the most.
        because: what the message says of the bounds.
    Raises:
        InvalidPlan: it is none.
    """
    if not is_whole(value, low, high):
        raise InvalidPlan(f"{name}: got {shown(value)}; allowed are {low} to {high}{because}")
    return int(value)


def read_choice(name: str, kind: type[Choice], value: object) -> Choice:
    """The member of an enumeration with this value.

    Raises:
        InvalidPlan: there is none.
    """
    if isinstance(value, str | kind):
        for member in kind:
            if value in (member, member.value):
                return member
    got = named(value)
    allowed = ", ".join(str(member.value) for member in kind)
    raise InvalidPlan(f"{name}: got {got}; allowed: {allowed}")


def read_flag(name: str, value: object) -> bool:
    """Yes or no.

    Raises:
        InvalidPlan: it is neither.
    """
    if not is_flag(value):
        raise InvalidPlan(f"{name}: got {shown(value)}; allowed are True and False")
    return bool(value)


def possible(respondents: int) -> int:
    """The number of respondents, checked.

    Raises:
        Infeasible: there are too many.
    """
    if respondents > MAX_RESPONDENTS:
        raise Infeasible(
            f"it takes more than {MAX_RESPONDENTS:,} respondents, more than there are people: "
            "allow a larger error or a larger epsilon, or look for a larger difference"
        )
    return respondents
