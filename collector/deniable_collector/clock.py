"""The time of day, which decides only whether the window of a survey is open.

No time is stored with a report. All waiting is measured by clocks that never jump.
"""

from collections.abc import Callable
from datetime import UTC, datetime

from deniable_sdk import DefinitionProblem
from deniable_sdk.errors import Code
from deniable_sdk.survey.questionnaire import Questionnaire

Moment = datetime
Clock = Callable[[], Moment]


def utc_now() -> Moment:
    """The present moment, in UTC, as this machine knows it."""
    return datetime.now(UTC)


def past_ends(survey: Questionnaire, now: Moment) -> list[DefinitionProblem]:
    """The ends of a survey that have come before it is published; then nobody could answer it."""
    ends = {
        ("closes",): survey.window and survey.window.closes,
        ("invited", "collect_until"): survey.invited and survey.invited.collect_until,
    }
    return [
        DefinitionProblem(
            path,
            f"is past ({end:%Y-%m-%dT%H:%MZ}), so nobody could answer this survey; choose a later "
            "moment",
            Code.PAST,
        )
        for path, end in ends.items()
        if end and end <= now
    ]
