"""The checks that sampled tests rest on accept what is right and nothing else."""

import random

import pytest

from sampling_checks import (
    ALPHA,
    SampleRejected,
    check_binomial,
    check_chi_square,
    check_outputs,
    checks_run,
    trials_to_see,
)
from tape import Tape, TapeExhausted


def test_binomial_rejects_at_alpha_exactly() -> None:
    """The two-sided p-value of 20 hits in 20 fair trials, 2^-19, is above ALPHA; 21 is below."""
    assert 2.0**-20 < ALPHA < 2.0**-19
    check_binomial(20, 20, 0.5)
    check_binomial(0, 20, 0.5)
    for hits in (0, 21):
        with pytest.raises(SampleRejected, match=f"{hits} hits in 21 trials at probability 0.5"):
            check_binomial(hits, 21, 0.5)


def test_chi_square_counts_empty_cells() -> None:
    """A cell that is never hit speaks against its probability."""
    check_chi_square([25, 25, 25, 25], [0.25] * 4)
    with pytest.raises(SampleRejected, match="below 1e-06"):
        check_chi_square([34, 33, 33, 0], [0.25] * 4)


def test_chi_square_refuses_what_it_cannot_judge() -> None:
    """Too few draws, other cells or probabilities that do not sum to 1 are no test."""
    with pytest.raises(ValueError, match="expected 4 times; at least 5 are needed: draw more"):
        check_chi_square([4, 16], [0.2, 0.8])
    with pytest.raises(ValueError, match="got 2 counts for 3 probabilities"):
        check_chi_square([50, 50], [0.3, 0.3, 0.4])
    with pytest.raises(ValueError, match=r"sum to 0\.9, not to 1"):
        check_chi_square([50, 50], [0.4, 0.5])


def test_outputs_reject_the_impossible() -> None:
    """One output outside the channel is enough to reject."""
    law = {"0": 0.5, "1": 0.5}
    check_outputs({"0": 50, "1": 50}, law)
    with pytest.raises(SampleRejected, match="1 outputs that are impossible"):
        check_outputs({"0": 50, "1": 50, "2": 1}, law)
    with pytest.raises(SampleRejected, match="counts"):
        check_outputs({"0": 50}, law)


def test_every_check_is_counted() -> None:
    """The suite can state how many checks it has run."""
    before = checks_run()
    check_binomial(1, 2, 0.5)
    check_chi_square([5, 5], [0.5, 0.5])
    assert checks_run() == before + 2


def test_derived_sample_sizes_separate_right_from_wrong(random_source: random.Random) -> None:
    """At the derived size a shift of 0.01 is rejected, and the right probability is not."""
    trials = trials_to_see(0.01, 0.5)
    assert trials == 232_523
    hits = sum(random_source.random() < 0.5 for _ in range(trials))
    check_binomial(hits, trials, 0.5)
    shifted = sum(random_source.random() < 0.51 for _ in range(trials))
    with pytest.raises(SampleRejected, match="below"):
        check_binomial(shifted, trials, 0.5)
    assert trials_to_see(0.01, 0.995) == trials_to_see(-0.01, 0.995)


def test_tape_gives_its_bytes_once() -> None:
    """A tape gives its bytes in order, refuses to give more, and tells what was left."""
    tape = Tape(b"abcdef")
    assert tape(2) == b"ab"
    with pytest.raises(AssertionError, match="4 of 6 bytes of the tape were never read"):
        tape.assert_all_read()
    assert tape(4) == b"cdef"
    tape.assert_all_read()
    with pytest.raises(TapeExhausted, match="asked for 1 bytes at position 6; the tape holds 6"):
        tape(1)
