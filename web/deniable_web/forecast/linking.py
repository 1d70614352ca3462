"""How far reports of one person can be matched by fixed questions."""

from collections.abc import Iterator
from fractions import Fraction

from deniable_sdk.survey.definition import Definition
from deniable_web.forecast.advice import Advice, Caution


def matched_among(reports: Fraction, outputs: int) -> int:
    """One in so many a match is right at best, on average over the reports.

    Each of m outputs brings together all reports that share it, so of n
    reports at most m matches are right on average, whatever people answer:
    the sum over the outputs of 1 - (1 - P)^n.
    """
    return max(1, int(reports / outputs))


def advise_on_linking(definition: Definition, outputs: int, among: int | None) -> Iterator[Advice]:
    """How fixed questions allow reports to be matched.

    Args:
        definition: what the author wrote.
        outputs: how many different values they have together.
        among: what matched_among says; None without respondents.
    """
    blocks = [block for block in definition.blocks if block.questions[0].fixed]
    if not blocks:
        return
    told = "up to 1 in " + (f"{among:,}" if among else f"N, where N is 1/{outputs} of the reports")
    message = (
        f"reports of one person can be matched {told}, on average, because devices repeat the "
        f"values they report for facts, and all facts together have {outputs} different values; "
        "to lower that share, ask for fewer facts, offer fewer options or leave out fixed"
    )
    numbers = {"outputs": outputs, "among": among}
    yield Advice.about(Caution.LINKABLE, blocks, message, numbers)
