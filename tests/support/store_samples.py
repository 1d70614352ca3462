"""Surveys and reports for the tests of every store."""

import random
from collections.abc import Callable

from deniable_collector.store import Store
from deniable_sdk import PublishedSurvey, Report, randomize
from sample_definitions import choice, survey, yes_no

Open = Callable[[], Store]

HEALTH = survey(yes_no(), choice(options=4), ask=1, epsilon=1)
SETS = survey(choice("region", options=30), epsilon="0.5", slug="two-words")


def reports_of(published: PublishedSurvey, count: int, source: random.Random) -> list[Report]:
    """Reports of respondents who did not answer."""
    return [randomize(published, {}, read_bytes=source.randbytes) for _ in range(count)]
