"""Tests of whether a share of ordered answers up to a level is below or above a part.

A test compares the reports up to an output with the others, in outputs that have the same
total probability under all answers. So the compared reports are independent draws, and their
counts are binomial for every number of reports.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import betainc

from deniable_analysis.arrays import Bools, Floats, Indexes
from deniable_analysis.estimate.binomial import clopper_pearson_ends, few_reports

# The part of the error that excludes shares of those who answered; see Compared.extremes.
_ERROR_OF_ANSWERED = 0.1

# Whether each level's share is clearly below a part, and whether it is clearly above.
Rejected = tuple[Bools, Bools]


@dataclass(frozen=True, slots=True)
class OrderedReports:
    """Reports of single places in the order of the answers.

    An answer favours a window of places that begins at its own index.

    Args:
        counts: (places,) reports of each place, those of "no answer" left out.
        copies: (places,) number of outputs of the mechanism at each place.
        reports: number of reports, those of "no answer" included.
        window: number of places that an answer favours.
        low: probability of an output that is not favoured.
        extra: what the favoured place has more.
        offers_no_answer: whether respondents may give no answer.
    """

    counts: Floats
    copies: Floats
    reports: int
    window: int
    low: float
    extra: float
    offers_no_answer: bool

    @property
    def levels(self) -> int:
        """The number of answers."""
        return len(self.counts) - self.window + 1

    def width(self, reach: float) -> int:
        """The number of levels over which a test rises from nobody to everybody.

        A test of a sharp step uses few of the reports, and one of a wide step is about other
        levels. At equal answers an interval of a median extends over reach·levels·error
        + width/2 levels in both directions, where the error falls with the root of the
        width. This width has the shortest interval. It does not depend on the reports.
        """
        spread = self.low * float(self.copies.sum()) / self.window + self.extra
        error = np.sqrt(spread / self.reports) / (2 * self.extra)
        return int(np.clip(round((reach * self.levels * error) ** (2 / 3)), 1, self.window))

    def rejected(self, part: float, missed: float, reach: float) -> Rejected:
        """Whether the share up to each level, among those who answered, clearly differs.

        The share up to a level is at most that of a ramp that falls behind it, and at least that
        of a ramp that falls before it. So each test holds whatever the answers are.

        Args:
            part: the part that the shares are compared with.
            missed: largest probability of a wrong rejection.
            reach: its quantile, above 0.
        """
        width, levels = self.width(reach), np.arange(self.levels - 1)
        behind, before = (self._compared(levels + end, width) for end in (width - 1, 0))
        return (
            behind.is_below(part, missed, reach),
            before.is_above(part, missed, reach),
        )

    def _compared(self, ends: Indexes, width: int) -> "Compared":
        """The reports in outputs of which every answer favours `width`, up to these ends."""
        (reports, all_reports), (outputs, all_outputs) = (
            self._stripes(values, ends, width) for values in (self.counts, self.copies)
        )
        return Compared(
            up_to=reports,
            reports=all_reports,
            part_of_outputs=outputs / all_outputs,
            chance=self.low * all_outputs,
            extra=self.extra * width,
            among=self.reports if self.offers_no_answer else None,
        )

    def _stripes(self, values: Floats, ends: Indexes, width: int) -> tuple[Floats, Floats]:
        """The sums over stripes of places, up to an end and in all.

        A stripe has `width` places. It ends at the given place or whole windows from there.
        """
        sums = np.append(0.0, np.cumsum(values))
        rows = (len(values) + width) // self.window + 1
        last = np.arange(rows * self.window) + 1
        stripes = sums[np.minimum(last, len(values))] - sums[np.clip(last - width, 0, len(values))]
        running = np.cumsum(stripes.reshape(rows, self.window), axis=0)
        return running.ravel()[ends], running[-1, ends % self.window]


@dataclass(frozen=True, slots=True)
class Compared:
    """Reports in some outputs, up to a level and in all; one of each for each level.

    Args:
        up_to: number of reports in the outputs up to the level.
        reports: number of reports in the outputs.
        part_of_outputs: part of the outputs that are up to the level.
        chance: probability of the outputs without an answer.
        extra: what it is more with an answer.
        among: number of reports, those in other outputs included; None if everybody answered.
    """

    up_to: Floats
    reports: Floats
    part_of_outputs: Floats
    chance: Floats
    extra: float
    among: int | None

    def is_below(self, part: float, missed: float, reach: float) -> Bools:
        """Whether chance does not explain so few reports up to a level, if the part is there."""
        rest = self.reports - self.up_to
        lowest, missed_each = self.extremes(part, missed, np.minimum)
        # The probability of so few reports up to the level.
        tail = np.where(rest > 0, betainc(np.maximum(rest, 1), self.up_to + 1, 1 - lowest), 1.0)
        return self._decided(tail <= missed_each, self._scores(part) < -reach, part, missed)

    def is_above(self, part: float, missed: float, reach: float) -> Bools:
        """Whether chance does not explain so many reports up to a level, if the part is there."""
        rest = self.reports - self.up_to
        highest, missed_each = self.extremes(part, missed, np.maximum)
        some = self.up_to > 0
        tail = np.where(some, betainc(np.maximum(self.up_to, 1), rest + 1, highest), 1.0)
        return self._decided(tail <= missed_each, self._scores(part) > reach, part, missed)

    def extremes(self, part: float, missed: float, extreme: np.ufunc) -> tuple[Floats, float]:
        """The extreme rate of reports up to a level, and the error that is left for the test.

        If all answered, the rate is known. Otherwise it depends on the share of those who did,
        and a tenth of the error excludes shares.

        Source: Berger and Boos 1994 (JASA 89).
        """
        if self.among is None:
            return self._rates(part, self.chance + self.extra), missed
        ends = clopper_pearson_ends(self.reports, self.among, _ERROR_OF_ANSWERED * missed)
        found: Floats = extreme(*(self._rates(part, self._possible(end)) for end in ends))
        return found, (1 - _ERROR_OF_ANSWERED) * missed

    def _rates(self, part: float, chances: Floats) -> Floats:
        """The rate of reports up to the level among these, if the share up to it is the part.

        `chances` are probabilities of the outputs.
        """
        return np.asarray(part + (self.part_of_outputs - part) * self.chance / chances)

    def _possible(self, chances: Floats) -> Floats:
        return np.clip(chances, self.chance, self.chance + self.extra)

    def _decided(self, exact: Bools, normal: Bools, part: float, missed: float) -> Bools:
        """The exact decision, or the normal one if many reports have a rate that is not known."""
        if self.among is None:
            return exact
        rates = self._rates(part, self._possible(self.reports / self.among))
        is_few = self.reports * np.minimum(rates, 1 - rates) < few_reports(missed)
        return np.where(is_few, exact, normal)

    def _scores(self, part: float) -> Floats:
        """The number of reports up to the level in excess of the expected one, in its errors."""
        if self.among is None:
            return np.zeros(len(self.up_to))  # the exact test decides
        chances = self._possible(self.reports / self.among)
        rates = self._rates(part, chances)
        # The rate moves with the share of those who answered.
        moved = (rates - part) ** 2 * (1 - chances)
        errors = np.sqrt(self.reports * (rates * (1 - rates) + moved))
        return np.divide(self.up_to - self.reports * rates, errors, where=errors > 0, out=errors)
