"""The same audit rejects every device that is wrong, in both languages."""

import pytest

from audit.auditor import Overspent, audit
from audit.pairs import PAIRS
from audit.sampling import from_node, from_python
from audit.twins import SHOWN_BY, TWINS
from sampled_params import sampled_params

COUNT = 1_000  # samples of each side of a pair
# Found out by a smaller margin: as many as keep a miss below one in a million runs.
MORE = {
    "draws taken modulo": 3_000,
    "drawn anew on every try": 1_600,
    "more blocks than asked": 1_600,
}
# In Python every second one and in JavaScript every eighth, the rest when deep; the audit is the
# same for both languages.
_SOME = sampled_params(TWINS, 8)
REFUSAL = r"epsilon is at least \d\.\d+ where \d\.\d+ is claimed: '"


@pytest.mark.sweep
@pytest.mark.parametrize("twin", sampled_params(TWINS))
def test_a_broken_device_is_rejected_in_python(twin: str) -> None:
    """Each broken twin of the Python SDK spends more than is claimed, and is found out."""
    name = SHOWN_BY[twin]
    samples = from_python(twin, name, MORE.get(twin, COUNT))
    with pytest.raises(Overspent, match=REFUSAL):
        audit(*samples, PAIRS[name].claim)


@pytest.mark.deep
@pytest.mark.parametrize("twin", _SOME)
def test_a_broken_device_is_rejected_in_javascript(twin: str) -> None:
    """Each broken twin of the JavaScript SDK is found out by the same audit."""
    name = SHOWN_BY[twin]
    samples = from_node(twin, name, MORE.get(twin, COUNT))
    with pytest.raises(Overspent, match=REFUSAL):
        audit(*samples, PAIRS[name].claim)


def test_every_twin_has_its_pair() -> None:
    """Each twin names a pair that shows it, and none is named that does not exist."""
    assert SHOWN_BY.keys() == TWINS.keys()
    assert set(SHOWN_BY.values()) <= PAIRS.keys()
