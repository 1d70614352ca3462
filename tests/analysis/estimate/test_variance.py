"""Both parts of the variance, against the enumerated channel."""

from fractions import Fraction

import numpy as np
import pytest

from analysis.channels import every_subset, outputs, real_channel, uneven_shares
from analysis.known.numbers import KnownNumber, known
from deniable_analysis import Channel
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate import mechanism_variance, sampling_variance, total_variance
from deniable_sdk.mechanisms import Subset


def enumerated(mechanism: Subset, option: int) -> tuple[Fraction, Fraction]:
    """Total and mechanism variance of one debiased report, from the channel."""
    shares = uneven_shares(mechanism.domain_size)
    rates = [
        sum(row[answer] for supported, row in outputs(mechanism) if option in supported)
        for answer in range(mechanism.domain_size)
    ]
    rate = sum((s * r for s, r in zip(shares, rates, strict=True)), Fraction(0))
    within = sum((s * r * (1 - r) for s, r in zip(shares, rates, strict=True)), Fraction(0))
    spread = (mechanism.keep - mechanism.flip) ** 2
    return rate * (1 - rate) / spread, within / spread


@pytest.mark.parametrize("mechanism", every_subset(5))
def test_variances_are_those_of_the_channel(mechanism: Subset) -> None:
    """Both variances equal what enumerating the channel gives, exactly."""
    shares = np.array(uneven_shares(mechanism.domain_size), dtype=object)
    channel = Channel.of(mechanism)
    total = total_variance(shares, 1, channel)
    noise = mechanism_variance(shares, 1, channel)
    expected = [enumerated(mechanism, option) for option in range(mechanism.domain_size)]
    assert list(zip(total, noise, strict=True)) == expected


@pytest.mark.parametrize("mechanism", every_subset(4))
@pytest.mark.parametrize("share", [Fraction(-1, 5), Fraction(0), Fraction(2, 5), Fraction(6, 5)])
def test_parts_add_up_to_the_total(mechanism: Subset, share: Fraction) -> None:
    """Mechanism and sampling variance add up exactly, for shares outside 0 to 1 too."""
    shares = np.array([share], dtype=object)
    channel = Channel.of(mechanism)
    parts = mechanism_variance(shares, 7, channel) + sampling_variance(shares, 7)
    assert parts.tolist() == total_variance(shares, 7, channel).tolist()


def test_parts_are_not_clipped_outside_the_boundary() -> None:
    """A raw share below 0 has a negative sampling part, which is left as it is."""
    assert sampling_variance([-0.1], 100).tolist() == pytest.approx([-0.0011], abs=1e-15)
    assert mechanism_variance([-9.0], 100, Channel(0.5, 0.1))[0] < 0


@pytest.mark.parametrize("number", known("warner_total_var_times_n"))
def test_known_total_variances(number: KnownNumber) -> None:
    """The total variance of Warner's method is the independently computed one."""
    found = total_variance([number.inputs["f"]], 1, real_channel(number.epsilon))
    assert found[0] == pytest.approx(number.expected, abs=number.tolerance)


@pytest.mark.parametrize("number", known("warner_mech_var_times_n_fixed_counts"))
def test_known_mechanism_variances(number: KnownNumber) -> None:
    """The mechanism part of Warner's method is the independently computed one."""
    found = mechanism_variance([number.inputs["f"]], 1, real_channel(number.epsilon))
    assert found[0] == pytest.approx(number.expected, abs=number.tolerance)


@pytest.mark.parametrize("number", known("warner_mech_var_const"))
def test_mechanism_variance_of_warner_is_constant(number: KnownNumber) -> None:
    """The mechanism part of Warner's method is the same at every share."""
    found = mechanism_variance([0.0, 0.3, 1.0], 1, real_channel(number.epsilon))
    assert found.tolist() == pytest.approx([number.expected] * 3, abs=number.tolerance)


@pytest.mark.parametrize("number", known("warner_p"))
def test_known_keep_probability(number: KnownNumber) -> None:
    """Warner's p is the independently computed one."""
    assert real_channel(number.epsilon).keep == pytest.approx(
        number.expected, abs=number.tolerance
    )


@pytest.mark.parametrize("number", known("kary_var_times_n"))
def test_known_variances_of_several_options(number: KnownNumber) -> None:
    """With ten options the total variances are the independently computed ones."""
    size = {"GRR": 1, "SS": 3}[number.inputs["mechanism"]]
    channel = real_channel(number.epsilon, number.domain_size, size)
    found = total_variance(number.inputs["f"], 1, channel)
    assert found.tolist() == pytest.approx(number.expected, abs=number.tolerance)


def test_variance_without_reports_is_refused() -> None:
    """Every variance needs at least one report, and says so."""
    channel = Channel(0.75, 0.25)
    message = r"got 0 reports; a variance needs at least 1"
    with pytest.raises(InvalidArgument, match=message):
        total_variance([0.5], 0, channel)
    with pytest.raises(InvalidArgument, match=message):
        mechanism_variance([0.5], 0, channel)
    with pytest.raises(InvalidArgument, match=message):
        sampling_variance([0.5], 0)
