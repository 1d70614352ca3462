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

COUNT = 600  # samples of each side of a pair


@pytest.mark.parametrize("name", PAIRS)
def test_python_spends_no_more_than_it_claims(name: str) -> None:
    """No event on the bytes of Python reports tells two answers apart beyond the claim."""
    audit(*from_python("shipped", name, COUNT), PAIRS[name].claim)


@pytest.mark.parametrize("name", PAIRS)
def test_javascript_spends_no_more_than_it_claims(name: str) -> None:
    """No event on the bytes of JavaScript reports tells two answers apart beyond the claim."""
    audit(*from_node("shipped", name, COUNT), PAIRS[name].claim)
