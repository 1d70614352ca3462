"""A mechanism and a type of question that are in no package of ours.

Each is added by one line for each part.
"""

from collections.abc import Sequence

from deniable_analysis.estimate.mechanisms import ANALYSES
from deniable_sdk.mechanisms import REGISTERED
from deniable_sdk.survey.questions import QUESTION_TYPES
from live_server import serve_collector
from toy.analysis import TOY
from toy.questions import MonthQuestion


def register() -> None:
    """Add both to this process."""
    REGISTERED["toy"] = ("Toy", "toy")
    ANALYSES["toy"] = TOY
    QUESTION_TYPES["month"] = MonthQuestion


def unregister() -> None:
    """Take both out of this process."""
    del REGISTERED["toy"], ANALYSES["toy"], QUESTION_TYPES["month"]


def serve(given: Sequence[str]) -> None:
    """The collector of the tests, with both."""
    register()
    serve_collector(given)
