"""Exact tests of sampled counts, each wrong about a right program once in 1/ALPHA.

Use them only to show that code draws from the channel it declares; what can
be enumerated is enumerated. `checks_run` counts, so that the suite can state
how likely one false alarm is in all.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from scipy import stats

ALPHA = 1e-6
SEED = 1965  # the year of Warner's paper; --fresh-seed draws another
MIN_EXPECTED = 5

Probability = Fraction | float

_checks_run = 0


class SampleRejected(AssertionError):
    """The counts are too unlikely under the probabilities they should have."""


def checks_run() -> int:
    """How many checks this process has run."""
    return _checks_run


def check_binomial(hits: int, trials: int, probability: Probability) -> None:
    """Accept a count of hits, by the exact two-sided binomial test at ALPHA.

    Raises:
        SampleRejected: the p-value is below ALPHA.
    """
    p_value = float(stats.binomtest(hits, trials, float(probability)).pvalue)
    _judge(p_value, f"{hits} hits in {trials} trials at probability {float(probability):.9g}")


def check_chi_square(counts: Sequence[int], probabilities: Sequence[Probability]) -> None:
    """Accept counts of cells, by Pearson's chi-square test at ALPHA.

    Cells that were never hit count like any other.

    Raises:
        ValueError: the cells do not match, their probabilities do not sum to
            1, or one is expected fewer than MIN_EXPECTED times.
        SampleRejected: the p-value is below ALPHA.
    """
    if len(counts) != len(probabilities):
        raise ValueError(f"got {len(counts)} counts for {len(probabilities)} probabilities")
    if not math.isclose(sum(probabilities), 1, rel_tol=1e-9):
        raise ValueError(f"got probabilities that sum to {float(sum(probabilities))}, not to 1")
    trials = sum(counts)
    expected = [trials * float(probability) for probability in probabilities]
    if min(expected) < MIN_EXPECTED:
        raise ValueError(
            f"got a cell that is expected {min(expected):.3g} times; at least {MIN_EXPECTED} "
            "are needed: draw more or merge cells"
        )
    statistic = sum(
        (count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True)
    )
    p_value = float(stats.chi2.sf(statistic, len(counts) - 1))
    _judge(p_value, f"counts {list(counts)} where {[round(mean, 1) for mean in expected]} belong")


def check_outputs(counts: Mapping[str, int], probabilities: Mapping[str, Probability]) -> None:
    """Accept counts of named outputs; one that is impossible is rejected.

    Raises:
        ValueError: as check_chi_square.
        SampleRejected: an output is none of the possible ones, or the
            chi-square test rejects.
    """
    impossible = counts.keys() - probabilities.keys()
    if impossible:
        _judge(0.0, f"{len(impossible)} outputs that are impossible")
    check_chi_square(
        [counts.get(output, 0) for output in probabilities], list(probabilities.values())
    )


def trials_to_see(shift: float, probability: Probability) -> int:
    """Trials after which a binomial check rejects a shifted probability.

    Both errors are ALPHA, in the normal approximation: a right program is
    rejected, or a wrong one accepted, once in 1 / ALPHA runs.

    Args:
        shift: the difference in probability that must be seen.
        probability: the right one.
    """
    right = float(probability)
    wrong = right + shift if right + shift < 1 else right - shift
    width = float(stats.norm.isf(ALPHA / 2)) * math.sqrt(right * (1 - right))
    width += float(stats.norm.isf(ALPHA)) * math.sqrt(wrong * (1 - wrong))
    return math.ceil((width / shift) ** 2)


def count_check() -> None:
    """Count one check at ALPHA, also one that is judged elsewhere."""
    global _checks_run  # noqa: PLW0603 - one count for the whole process is what is wanted
    _checks_run += 1


def _judge(p_value: float, observed: str) -> None:
    count_check()
    if p_value < ALPHA:
        raise SampleRejected(f"p = {p_value:.3g}, below {ALPHA:g}: {observed}")
