"""What it tells, and what it costs, if people send a report only when they like it."""

import itertools
from fractions import Fraction
from pathlib import Path

import pytest

from deniable_sdk import compile_survey
from sample_definitions import definition, yes_no

PAGE = Path(__file__).parents[3] / "docs" / "THREAT_MODEL.md"
PARTS = [Fraction(part, 20) for part in (0, 1, 7, 19, 20)]


def channel(epsilon: str) -> tuple[Fraction, Fraction]:
    """P(the report says yes), if the answer is yes and if it is no."""
    survey = compile_survey(definition({**yes_no(), "required": True}, epsilon=epsilon))
    (weights,) = survey.blocks[0].mechanism.spends
    total = weights.high + weights.low
    return Fraction(weights.high, total), Fraction(weights.low, total)


@pytest.mark.parametrize("epsilon", ["0.5", "1", "4"])
def test_sending_by_what_a_report_says_tells_no_more_than_epsilon(epsilon: str) -> None:
    """Sent yes, sent no or nothing: no outcome is likelier by more, however one chooses."""
    for_yes, for_no = channel(epsilon)
    most = for_yes / for_no
    for kept_yes, kept_no in itertools.product(PARTS, repeat=2):
        outcomes = [
            [p * (1 - kept_yes), (1 - p) * (1 - kept_no), p * kept_yes + (1 - p) * kept_no]
            for p in (for_yes, for_no)
        ]
        assert sum(outcomes[0]) == sum(outcomes[1]) == 1
        for one, other in zip(*outcomes, strict=True):
            assert one <= most * other
            assert other <= most * one


def test_the_bias_is_as_large_as_the_page_says() -> None:
    """A twentieth of the reports that say yes, held back at epsilon 1 and a share of 0.2."""
    for_yes, for_no = channel("1")
    share, held_back = Fraction(1, 5), Fraction(1, 20)
    says_yes = share * for_yes + (1 - share) * for_no
    among_sent = says_yes * (1 - held_back) / (1 - held_back * says_yes)
    bias = (among_sent - for_no) / (for_yes - for_no) - share
    assert f"the estimate is {float(-bias):.3f} too low" in PAGE.read_text()
