"""What the reader of a closed survey's file learns about one person in it.

The file has all reports of the survey together, in random order and without ids. Whoever reads
it does not know which report is whose, so it says less about one person than epsilon allows.
Whoever sees reports arrive, like the collector, is not such a reader.

The bound needs only r, the e^epsilon of all that one person reports. Its proof, for n reports and
E = e^epsilon:

1. Let u and v be the laws of a report for two answers. Each other report has at least the law
   max(u, v) / r. The reader is given what exceeds this, which can only help them.
2. Then delta is E max(0, Z1 + ... + Zn) / n, with independent losses Z of mean 1 - E: with the
   law max(u, v) / r they are r (u - E v) / max(u, v), otherwise 0.
3. An output is a mixture of those where u and v are as r to 1, as 1 to r, and equal. So the law
   of Z is a mixture of two, or less in the convex order. Warner's method has r - E and 1 - r E,
   each with probability 1 / (r + 1), and otherwise 0. Equal laws have r (1 - E) with probability
   1 / r, and otherwise 0.
4. Both have the mean 1 - E, and E max(0, Z - t) is at least as large for Warner's at every t.
   Sums and mixtures keep this order, so Warner's losses alone bound delta.
"""

import math
from dataclasses import asdict, dataclass, replace
from decimal import ROUND_CEILING, Context
from fractions import Fraction
from typing import Any

import numpy as np

from deniable_analysis.arguments import Number, read_probability, read_report_count
from deniable_analysis.privacy.beliefs import read_ratio
from deniable_sdk.survey.published import PublishedSurvey

# More reports hide a person at least as well, so this many may count for more.
MOST_REPORTS = 1_000_000

# How often the epsilon of a file may fail: one in a million, and for more than 10,000 reports a
# hundredth of one in all reports.
_LARGEST_DELTA = Fraction(1, 1_000_000)
_DELTA_OF_ALL = Fraction(1, 100)

_ROUNDED_UP = Context(prec=3, rounding=ROUND_CEILING)
_CUT = 1e-6  # how much of delta the numbers of clones that are left out may take
_SLACK = 1e-9  # more than the relative error of a tail in floats
_CLOSE = 1e-8  # how close the bisection comes to the result, relatively


@dataclass(frozen=True, slots=True)
class FilePrivacy:
    """How much the file of a closed survey says about one person in it.

    Args:
        reports: all reports of the file, or those of the smallest group if it has groups.
        delta: how often epsilon may fail.
        epsilon: an upper bound, rounded up to three digits; None where the file says no less
            about a person than their report.
        of_smallest_group: whether the reports are those of the smallest group.
    """

    reports: int
    delta: float
    epsilon: float | None
    of_smallest_group: bool = False

    @classmethod
    def of(cls, ratio: Fraction, reports: int) -> "FilePrivacy":
        """The figure of a file.

        Args:
            ratio: exact e^epsilon of all that one person reports.
            reports: those of the file, or of its smallest group.
        Raises:
            InvalidArgument: ratio is below 1; reports is not at least 1.
        """
        counted = min(read_report_count(reports, "a file"), MOST_REPORTS)
        delta = min(_LARGEST_DELTA, _DELTA_OF_ALL / counted)
        found = float(_ROUNDED_UP.create_decimal(shuffled_epsilon(ratio, counted, delta)))
        gains = found < math.log(read_ratio(ratio))
        return cls(int(reports), float(delta), found if gains else None)

    @classmethod
    def of_survey(
        cls, survey: PublishedSurvey, reports: int, *, of_smallest_group: bool = False
    ) -> "FilePrivacy":
        """The figure of a survey's file, for somebody who is asked the blocks that spend most.

        Args:
            survey: the survey.
            reports: as in `of`.
            of_smallest_group: whether the reports are those of the smallest group.
        Raises:
            InvalidArgument: as in `of`.
        """
        ratios = (block.ratio for block in survey.worst_blocks)
        found = cls.of(math.prod(ratios, start=Fraction(1)), reports)
        return replace(found, of_smallest_group=of_smallest_group)

    @property
    def one_in(self) -> int:
        """The cases among which epsilon fails in one: 1 / delta."""
        return round(1 / self.delta)

    @property
    def in_words(self) -> str:
        """The figure in a sentence, with its conditions, and who is no such reader."""
        seen = (
            f"all reports of the closed survey ({self.reports:,} in its smallest group)"
            if self.of_smallest_group
            else f"all {self.reports:,} reports of the closed survey"
        )
        learns = (
            f"learns at most epsilon {self.epsilon:g} about one person, except in 1 of "
            f"{self.one_in:,} cases"
            if self.epsilon
            else "may learn as much about one person as from their report alone (no gain)"
        )
        return (
            f"Somebody who sees {seen} together, in random order and without ids (the collector "
            f"is not such a reader), {learns}."
        )

    def to_document(self) -> dict[str, Any]:
        """The figure as plain JSON values with stable keys."""
        return asdict(self)


def shuffled_epsilon(ratio: Fraction, reports: int, delta: Number) -> float:
    """An upper bound of epsilon at delta for the reader of shuffled reports.

    It holds for every mechanism and whatever the others answer, and Warner's method nearly
    attains it. It never exceeds the epsilon of one report.

    Args:
        ratio: exact e^epsilon of one person's report, at least 1.
        reports: all reports of the file, the person's own included. Those of people who
            tell the reader what they reported do not count.
        delta: how often epsilon may fail, between 0 and 1.
    Raises:
        InvalidArgument: ratio is below 1, or delta is not between 0 and 1; reports is not at least
            1.
    Source: the proof above; its first step is the privacy blanket of Balle, Bell, Gascón and
    Nissim 2019 (CRYPTO).
    """
    excess = float(read_ratio(ratio) - 1)
    others = min(read_report_count(reports, "a file"), MOST_REPORTS) - 1
    most = float(read_probability("delta", delta))
    low, high = 0.0, math.log1p(excess)
    if not excess or _delta(excess, others, low, most) <= most:
        return low
    while high - low > _CLOSE * high:
        middle = (low + high) / 2
        if _delta(excess, others, middle, most) <= most:
            high = middle
        else:
            low = middle
    return high


def _delta(excess: float, others: int, epsilon: float, most: float) -> float:
    """An upper bound of delta at epsilon: the mean, over the number of clones, of theirs.

    A clone is a report of somebody else that is as likely for both answers.
    """
    # Here, because estimates import this module, and few of them need so much of scipy.
    from scipy.stats import binom  # noqa: PLC0415 - see above

    cloned = 2 / (2 + excess)
    lowest, highest = (
        int(binom.ppf(part, others, cloned)) for part in (_CUT * most / 2, 1 - _CUT * most / 2)
    )
    total = 1 + np.arange(max(lowest, 0), highest + 1)
    cut = binom.cdf(total[0] - 2, others, cloned) + binom.sf(total[-1] - 1, others, cloned)
    growth = math.expm1(epsilon)
    gained, lost = excess * (2 + growth), excess + growth + excess * growth
    least = np.floor(total * (lost / gained)) + 1  # from here the loss is above epsilon
    above = gained / 2 * binom.sf(least - 2, total - 1, 0.5) * (1 + _SLACK)
    below = lost * binom.sf(least - 1, total, 0.5)
    losses = cloned * np.maximum(above - below, 0)
    return float(cut + binom.pmf(total - 1, others, cloned) @ losses)
