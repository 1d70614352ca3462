"""The numeric values of the answers of a scale or number."""

from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey import decimals
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question


def scores(question: Question) -> tuple[float, ...] | None:
    """The numeric value of each answer except "no answer", by index.

    Returns:
        None if the answers are not numbers: for a choice, or a scale whose
        levels do not have numbers as names.
    """
    if question.scale is Scale.NOMINAL:
        return None
    units = [decimals.parse_canonical(name) for name in question.names if name != NO_ANSWER]
    known = [each for each in units if each is not None]
    return tuple(each / decimals.UNIT for each in known) if len(known) == len(units) else None
