"""What leaves the shipped SDK tells no more than is claimed, seen from outside.

The devices draw from the operating system, as they do everywhere but in
tests: where the noise comes from is part of what is audited. So these checks
are not seeded; each is wrong about a right device at most once in 1 / ALPHA
runs.
"""

import pytest

from audit.auditor import audit
from audit.pairs import PAIRS
from audit.sampling import from_node, from_python
from deniable_sdk.mechanisms import MECHANISMS
from deniable_sdk.survey.questions import QUESTION_TYPES
from sampled_params import sampled_params

COUNT = 600  # samples of each side of a pair

# In JavaScript every fourth one, the rest when deep: that both languages give the same bytes
# for the same draws is held elsewhere.
_SOME = sampled_params(PAIRS, 4)


def test_every_mechanism_and_kind_of_question_is_audited() -> None:
    """No mechanism, type of question, crosstab, route or drawn block is left out of the pairs."""
    surveys = [pair.survey for pair in PAIRS.values()]
    blocks = [block for survey in surveys for block in survey.blocks]
    questions = [question for survey in surveys for question in survey.questions]
    assert {block.mechanism.name for block in blocks} == set(MECHANISMS)
    assert {question.type for question in questions} == set(QUESTION_TYPES)
    assert {question.required for question in questions} == {True, False}
    assert any(len(block.questions) > 1 for block in blocks)
    assert any(survey.has_routing for survey in surveys)
    assert any(survey.asked < len(survey.blocks) for survey in surveys)


@pytest.mark.sweep
@pytest.mark.parametrize("name", PAIRS)
def test_python_spends_no_more_than_it_claims(name: str) -> None:
    """No event on the bytes of Python reports tells two answers apart beyond the claim."""
    audit(*from_python("shipped", name, COUNT), PAIRS[name].claim)


@pytest.mark.sweep
@pytest.mark.parametrize("name", _SOME)
def test_javascript_spends_no_more_than_it_claims(name: str) -> None:
    """No event on the bytes of JavaScript reports tells two answers apart beyond the claim."""
    audit(*from_node("shipped", name, COUNT), PAIRS[name].claim)
