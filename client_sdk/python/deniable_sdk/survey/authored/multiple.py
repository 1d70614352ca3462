"""multiple, as authors write it."""

from typing import Any

from deniable_sdk.survey.authored.options import read_option_list
from deniable_sdk.survey.questions import MultipleQuestion
from deniable_sdk.survey.reading import Section


def read_multiple(section: Section, common: dict[str, Any]) -> MultipleQuestion:
    """The options in the author's order; any number of them without a limit."""
    options = read_option_list(section)
    most = max(1, len(options))
    at_most = section.integer("at_most", 1, most, default=most)
    return MultipleQuestion(**common, options=options, at_most=at_most)
