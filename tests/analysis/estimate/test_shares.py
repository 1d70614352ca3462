"""Debiasing undoes the channel, exactly."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.channels import every_subset, outputs, uneven_shares
from deniable_analysis import Channel, debias
from deniable_analysis.errors import InvalidArgument
from deniable_sdk.mechanisms import Subset

Debias = Callable[[NDArray[Any], int, Channel], NDArray[Any]]


def is_unbiased(mechanism: Subset, estimator: Debias) -> bool:
    """Whether an estimator gives each true share on average, to the last digit."""
    shares = uneven_shares(mechanism.domain_size)
    average = np.full(mechanism.domain_size, Fraction(0), dtype=object)
    for supported, likelihoods in outputs(mechanism):
        chance = sum(
            share * likelihood for share, likelihood in zip(shares, likelihoods, strict=True)
        )
        report = np.array(
            [Fraction(int(option in supported)) for option in range(mechanism.domain_size)],
            dtype=object,
        )
        average = average + chance * estimator(report, 1, Channel.of(mechanism))
    return bool(np.all(average == np.array(shares, dtype=object)))


@pytest.mark.parametrize("mechanism", every_subset())
def test_debiasing_is_unbiased_to_the_last_digit(mechanism: Subset) -> None:
    """The average of the debiased report over the enumerated channel is the truth."""
    assert is_unbiased(mechanism, debias)


def swapped(support: NDArray[Any], report_count: int, channel: Channel) -> NDArray[Any]:
    """A broken estimator that takes p for q and q for p."""
    keep: Any = channel.keep
    flip: Any = channel.flip
    return np.asarray((support / report_count - keep) / (flip - keep))


def clipped(support: NDArray[Any], report_count: int, channel: Channel) -> NDArray[Any]:
    """A broken estimator that cuts its estimates off at 0 and 1."""
    shares = debias(support, report_count, channel)
    return np.asarray(np.minimum(np.maximum(shares, 0), 1))


@pytest.mark.parametrize("broken", [swapped, clipped])
@pytest.mark.parametrize("mechanism", every_subset(4))
def test_a_broken_estimator_is_biased(mechanism: Subset, broken: Debias) -> None:
    """Swapping p and q, or clipping, fails the check that debiasing passes."""
    assert not is_unbiased(mechanism, broken)


@pytest.mark.parametrize("mechanism", every_subset())
def test_shares_sum_to_one(mechanism: Subset) -> None:
    """Whatever the reports are, the raw shares of a question add up to exactly 1."""
    for supported, _ in outputs(mechanism):
        report = np.array(
            [Fraction(int(option in supported)) for option in range(mechanism.domain_size)],
            dtype=object,
        )
        assert debias(report, 1, Channel.of(mechanism)).sum() == 1


def test_shares_are_not_clipped() -> None:
    """Counts below what flips alone give are estimated as a negative share."""
    shares = debias([100, 900], 1000, Channel(0.75, 0.25))
    assert shares.tolist() == pytest.approx([-0.3, 1.3], abs=1e-12)


def test_no_reports_is_refused() -> None:
    """Debiasing without any report says that it needs one."""
    with pytest.raises(InvalidArgument, match=r"got 0 reports; an estimate needs at least 1"):
        debias([0, 0], 0, Channel(0.75, 0.25))


@pytest.mark.parametrize("support", [[-1, 3], [3, 11]])
def test_impossible_counts_are_refused(support: list[int]) -> None:
    """A count below 0 or above the reports says what is allowed."""
    with pytest.raises(InvalidArgument, match=r"outside 0 to 10, the number of reports"):
        debias(support, 10, Channel(0.75, 0.25))


@pytest.mark.parametrize(
    ("keep", "flip"), [(0.25, 0.75), (0.5, 0.5), (1, 0.5), (0.5, 0), (float("nan"), 0.1)]
)
def test_a_channel_that_is_none_is_refused(keep: float, flip: float) -> None:
    """Keep must be above flip, and both strictly between 0 and 1."""
    with pytest.raises(InvalidArgument, match=r"allowed are 0 < flip < keep < 1"):
        Channel(keep, flip)
