"""The defaults of arguments, and what they choose from. Importing it loads nothing else."""

from enum import StrEnum

# The nominal coverage of intervals.
DEFAULT_CONFIDENCE = 0.95
# The part of the reports that is assumed to be forged.
FORGED = 0.01


class Interval(StrEnum):
    """The binomial interval that an estimate is reported with.

    The coverage of WILSON is close to the confidence, and never more than 1.5
    percentage points below it. The coverage of CLOPPER_PEARSON is never below
    the confidence, but this interval is wider. Both are for one look at the
    results. ANYTIME holds at every look: with at least the confidence, all
    intervals of a survey that is watched contain the truth, however often and
    whenever one looks.
    """

    WILSON = "wilson"
    CLOPPER_PEARSON = "clopper-pearson"
    ANYTIME = "anytime"


DEFAULT_INTERVAL = Interval.WILSON
# The intervals for one look, which all estimates of shares have.
FOR_ONE_LOOK = (Interval.WILSON, Interval.CLOPPER_PEARSON)
