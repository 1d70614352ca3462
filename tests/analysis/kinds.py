"""Surveys of most kinds of questions, as a collector counts them."""

from deniable_sdk import PublishedSurvey
from sample_definitions import choice, multiple, number, survey, yes_no


def _survey(slug: str, options: int) -> PublishedSurvey:
    return survey(
        choice("region", 12, required=True),
        yes_no("order", required=True),
        multiple(options=options),
        number(),
        epsilon=4,
        ask=3,
        slug=slug,
    )


KINDS = _survey("kinds", 12)
# With fewer options, so that values repeat.
MIXED = _survey("mixed", 4)
