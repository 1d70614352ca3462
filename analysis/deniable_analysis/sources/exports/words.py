"""What every file for people says about its values, and what a script may say."""

import re
from fractions import Fraction
from pathlib import Path

from deniable_analysis.codebook.records import CodebookBlock, CodebookVariable
from deniable_analysis.errors import StudyNotFound
from deniable_sdk import theory
from deniable_sdk.mechanisms.base import Scale

_PLAIN_NAME = re.compile(r"\w[\w .-]*")
ROW = (
    "One respondent's report, randomized on their own device: no row reveals what somebody "
    "answered. Rows are in the order of random ids, which are left out."
)
NOT_SHARES = (
    "Every value is randomized, and a share of these values is not a share of answers. "
    "`deniable results` estimates the shares of answers, with intervals."
)
MISSING = (
    "A value is missing if the respondent was not asked the block. If the report says something "
    "of a few drawn options only, it is missing for the others."
)
SHARE = (
    "Let s be the share of the reports that support an answer, among the n reports with a value. "
    "Then (s - q) / (p - q) is an unbiased estimate of the share of those who gave this answer, "
    "and s (1 - s) / (n (p - q)^2) is the variance of the estimate. p is the probability that a "
    "report supports the true answer, q the probability that it supports a given other one."
)
NO_ANSWER = (
    "no_answer is an answer like any other, and is randomized too: a value that stands for it is "
    "not missing, and does not reveal that somebody gave no answer."
)


def design_of(block: CodebookBlock) -> str:
    """How a block was randomized, with the numbers that correct its values."""
    published, mechanism = block.published, block.published.mechanism
    questions, weights = ", ".join(each.id for each in published.questions), mechanism.weights
    text = (
        f"Block {published.id} (questions: {questions}): mechanism {mechanism.name}, epsilon "
        f"{published.epsilon:.6g}, weights {weights.high} and {weights.low}. Each device "
        f"{theory.describe(mechanism)}."
    )
    if published.draw:
        text += f" Devices draw it {published.draw} times as often as a block with the draw 1."
    if block.keep is None or block.flip is None:
        return f"{text} Reports do not support single answers."
    return f"{text} p = {float(block.keep)!r}, q = {float(block.flip)!r}."


def measure_of(block: CodebookBlock, variable: CodebookVariable) -> str:
    """Whether the order of a variable's values has a meaning."""
    question, *crossed = block.published.questions
    is_nominal = question.scale is Scale.NOMINAL or crossed or variable.option
    return "nominal" if is_nominal else "ordinal"


def check_name(path: Path, stem: str) -> None:
    """Raise StudyNotFound unless a name can be in a script as it is."""
    if not _PLAIN_NAME.fullmatch(stem):
        raise StudyNotFound(
            f"got the name {stem!r} for a script, which contains it; allowed are letters, digits, "
            f"spaces, and the signs . _ - after the first character; choose another name than "
            f"{path.name.removesuffix('.part')}"
        )


def digits(number: Fraction | None) -> str:
    """The shortest decimal number that is read as the same double-precision number."""
    return repr(float(number or 0))
