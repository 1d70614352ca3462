"""What can be planned for: each goal, with the three numbers that go together.

Epsilon, respondents, and how good the result is: two of them fix the third.
"""

from deniable_web.plans.base import Answer, Goal, Randomized
from deniable_web.plans.mean import MeanGoal
from deniable_web.plans.shares import OrderGoal, ShareGoal
from deniable_web.plans.significance import CompareGoal, DetectGoal

__all__ = [
    "Answer",
    "CompareGoal",
    "DetectGoal",
    "Goal",
    "MeanGoal",
    "OrderGoal",
    "Randomized",
    "ShareGoal",
]
