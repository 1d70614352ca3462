"""How far fixed questions allow reports of one person to be matched."""

from collections.abc import Iterator
from fractions import Fraction

from deniable_sdk.survey.definition import Definition
from deniable_web.forecast.advice import Advice, Caution


def matched_among(reports: Fraction, outputs: int) -> int:
    """N, such that at best one in N matches is right, on average over the reports.

    Reports with the same output are matched. With m outputs and n reports, at most m
    matches are right on average, whatever people answer: the sum over the outputs of 1 - (1
    - P)^n.
    """
    return max(1, int(reports / outputs))


def advise_on_linking(definition: Definition, outputs: int, among: int | None) -> Iterator[Advice]:
    """A warning about how fixed questions allow reports to be matched.

    Args:
        definition: the author's definition.
        outputs: how many different values these questions have together.
        among: the result of matched_among; None without respondents.
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
