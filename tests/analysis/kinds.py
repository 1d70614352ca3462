"""Surveys of most kinds of questions, as a collector counts them."""

from sample_definitions import choice, multiple, number, survey, yes_no

KINDS = survey(
    choice("region", 12, required=True),
    yes_no("order", required=True),
    multiple(options=12),
    number(),
    epsilon=4,
    ask=3,
    slug="kinds",
)
# With fewer options, so that values repeat.
MIXED = survey(
    choice("region", 12, required=True),
    yes_no("order", required=True),
    multiple(options=4),
    number(),
    epsilon=4,
    ask=3,
    slug="mixed",
)
