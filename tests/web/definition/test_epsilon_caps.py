"""The tools refuse exactly the surveys that a device refuses."""

from fractions import Fraction

import pytest

from deniable_sdk import YearlyCapExceeded, open_client
from deniable_sdk.client import MemoryStorage
from deniable_sdk.testing import RecordingTransport
from deniable_web.definition.epsilon_caps import cap_problems, max_likelihood_ratio
from sample_definitions import choice, survey, yes_no


@pytest.mark.parametrize(
    ("keys", "is_refused"),
    [
        ({"epsilon": 8}, False),
        ({"epsilon": 8, "waves": 3}, False),
        ({"epsilon": "8.001"}, True),
        ({"epsilon": 9, "waves": 3}, True),
    ],
)
def test_a_survey_is_refused_if_a_device_refuses_it(
    keys: dict[str, object], *, is_refused: bool
) -> None:
    """The tools look at the same sum as a client whose yearly cap is the default one."""
    asked = survey(yes_no(), choice(), **keys)
    assert bool(cap_problems(asked)) == is_refused
    with open_client(
        "https://surveys.example.org",
        consent=True,
        storage=MemoryStorage(),
        transport=RecordingTransport([asked]),
        epsilon_cap=None,
    ) as client:
        if is_refused:
            with pytest.raises(YearlyCapExceeded):
                client.draw(asked)
        else:
            assert client.draw(asked).blocks


def test_what_all_waves_can_tell_is_a_bound() -> None:
    """It is exact for one survey, and no less than what a panel's waves come to."""
    once = survey(yes_no(), epsilon=2)
    assert max_likelihood_ratio(once) == once.worst_blocks[0].ratio
    panel = survey(yes_no(), epsilon=6, waves=3)
    exact = panel.worst_blocks[0].ratio ** 3
    assert exact <= max_likelihood_ratio(panel) < exact * Fraction(1001, 1000)
