"""The numbers that the answers of a scale or number stand for."""

from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey import decimals
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question


def scores(question: Question) -> tuple[float, ...] | None:
    """The number of each answer but "no answer", in the order of their places.

    Returns:
        None where the answers are no numbers: of a choice, or of a scale
        whose levels are not called by numbers.
    """
    if question.scale is Scale.NOMINAL:
        return None
    units = [decimals.parse_canonical(name) for name in question.names if name != NO_ANSWER]
    known = [each for each in units if each is not None]
    return tuple(each / decimals.UNIT for each in known) if len(known) == len(units) else None
