"""What "no answer" is in results, for every question and every estimate.

A table of the shares of all respondents has it as its last row. It has no number and no place
in an order, and it is no group. So means, quantiles, cut-offs, winners, comparisons of groups,
tests of independence and ordered regressions are about those who answered.

The devices of those who were not asked a question report "no answer", too. Where only some are
asked, the row has the name of both.
"""

from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey import decimals
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question

# The names in tables of respondents whose reported answer is "no answer".
NOT_ASKED = "not asked"
NOT_ASKED_OR_NONE = "not asked or no_answer"


def answers_of(question: Question) -> tuple[str, ...]:
    """The names of the answers to a question, without "no answer"."""
    return question.names[: len(question.names) - question.offers_no_answer]


def row_names(question: Question) -> tuple[str, ...]:
    """The names of the rows of a table of all respondents, which are those of `names`."""
    if question.show_if is None:
        return question.names
    return tuple(NOT_ASKED_OR_NONE if each == NO_ANSWER else each for each in question.names)


def numeric_levels(question: Question) -> tuple[float, ...] | None:
    """The numeric value of each answer except "no answer", by index.

    Returns:
        None if the answers are not numbers: for a choice, or a scale whose
        levels do not have numbers as names.
    """
    if question.scale is Scale.NOMINAL:
        return None
    units = [decimals.parse_canonical(name) for name in question.names if name != NO_ANSWER]
    known = [each for each in units if each is not None]
    return tuple(each / decimals.UNIT for each in known) if len(known) == len(units) else None
