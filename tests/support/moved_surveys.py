"""Surveys that are moved from one store to another, and reports of them."""

from collections.abc import Callable
from datetime import UTC, datetime

from deniable_sdk import PublishedSurvey, Report, randomize
from invitations import invited_survey
from sample_definitions import choice, multiple, survey, yes_no

FIRST = survey(yes_no(), choice(options=30), multiple(options=4), ask=2, epsilon=2)
SECOND = survey(yes_no(), title="The next wave")
OTHER = survey(yes_no(), slug="two-words")
LIMITED = survey(yes_no(), slug="limited", at_most_reports=2)
NOW = datetime(2031, 3, 1, 9, tzinfo=UTC)
# Over, and with more reports than it accepts.
INVITED = invited_survey(yes_no(), slug="ward", closes="2021-01-01T00:00Z", at_most_reports=3)

ReadBytes = Callable[[int], bytes]


def reports_of(published: PublishedSurvey, count: int, read_bytes: ReadBytes) -> list[Report]:
    """Reports of respondents who did not answer."""
    return [randomize(published, {}, read_bytes=read_bytes) for _ in range(count)]
