"""Which mechanisms can be analysed."""

import pytest

from analysis.enumerated import estimates, with_mechanism
from deniable_analysis.errors import UnsupportedMechanism
from deniable_analysis.estimate.mechanisms import ANALYSES
from deniable_analysis.estimate.questions import check_supported
from deniable_sdk.mechanisms import MECHANISMS, OneOf, Piecewise
from deniable_sdk.weights import Weights
from sample_definitions import survey, yes_no


def test_every_mechanism_has_its_analysis() -> None:
    """Whatever a survey can be published with can be analysed."""
    assert list(ANALYSES) == list(MECHANISMS)


class LaterMechanism:
    """What a later version may publish."""

    name = "later"
    spends = ()


def test_a_mechanism_of_a_later_version_is_refused() -> None:
    """A block that this version cannot debias is named, with what to do."""
    block = survey().blocks[0].replace(mechanism=LaterMechanism())
    with pytest.raises(
        UnsupportedMechanism,
        match=r"'asthma' is randomized by 'later'; .* subset, sampled_bits.*upgrade",
    ):
        check_supported([block])


def test_joint_blocks_by_other_mechanisms_are_refused() -> None:
    """Combinations have no order, so a document that puts them on a line is refused."""
    wave = Piecewise(OneOf(6), 5, 3, Weights(3, 1))
    published = with_mechanism(wave, yes_no(required=True), yes_no("other"))
    with pytest.raises(
        UnsupportedMechanism,
        match=r"'asthma_x_other' joins several questions and is randomized by 'piecewise'",
    ):
        check_supported(published.blocks)
    with pytest.raises(UnsupportedMechanism):
        estimates(published, {"0": 1})
