"""The share of respondents who were asked a question, and the shares of its answers.

The device reports "no answer" for everybody who was not asked. So the share of
an answer among those who were asked is R = B / A, where A is the share who were
asked, and B the share who gave the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators.confidence import (
    comparisons_among,
    critical_value,
    shows_variance,
)
from deniable_analysis.estimators.intervals import Interval, IntervalRule
from deniable_analysis.estimators.noise import stretched
from deniable_analysis.estimators.ratio import fieller_interval
from deniable_analysis.estimators.sanity import clip
from deniable_analysis.estimators.shares import normal_numbers
from deniable_analysis.mechanisms.base import IntervalChoice
from deniable_analysis.mechanisms.basis import block_membership
from deniable_analysis.mechanisms.linear import Ends, merge, watched_ends
from deniable_analysis.mechanisms.margins import Margin
from deniable_analysis.results.shares import OptionEstimate, named_options
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import SurveyCounts


@dataclass(frozen=True, slots=True)
class AskedShares:
    """Shares among all respondents: first the share who were asked, then of each answer.

    Args:
        names: names of the answers, "no_answer" last.
        shares: (1 + answers,) raw shares, first the share who were asked.
        mechanism_part: (1 + answers, 1 + answers) covariances that the
            randomization causes. Those between two answers are not used.
        scales: factors of the covariances that choosing one respondent causes:
            of the share who were asked (1/n for n respondents), of the shares
            of the answers, and of both together (0 if nobody reported both).
        is_last_adjusted: whether the last share was estimated as the share of
            "no answer" minus the share of those who were not asked.
        reports: number of reports of the question.
        release_part: (1 + answers, 1 + answers) covariances that the noise of releases causes;
            None without noise.
        watched: ends of intervals that hold at every look: of each answer's
            share among those who were asked, and of the two shares of
            asked_and_refused; None for intervals for one look.
    """

    names: tuple[str, ...]
    shares: Floats
    mechanism_part: Floats
    scales: tuple[float, float, float]
    is_last_adjusted: bool
    reports: int
    release_part: Floats | None = None
    watched: tuple[Ends, Ends] | None = None

    def covariances(self, index: int) -> list[Floats]:
        """The (2, 2) covariances of the first share and the share at an index, by their cause.

        The causes are the mechanism, the sampling and, if there is any, the noise of releases.
        """
        own = np.ix_([0, index], [0, index])
        parts = [self.mechanism_part[own], self.sampling_covariances(index)]
        return parts if self.release_part is None else [*parts, self.release_part[own]]

    def sampling_covariances(self, index: int, share: float | None = None) -> Floats:
        """The (2, 2) covariances of the first share and the share at an index.

        Args:
            index: 1 and more.
            share: true share of the answer; by default the estimated one.
        """
        asked = float(self.shares[0])
        part = float(self.shares[index]) if share is None else share
        of_router, of_question, of_both = self.scales
        of_asked = asked * (1 - asked) * of_router
        if self.is_last_adjusted and index == len(self.names):
            rest = part + 1 - asked
            of_rest = rest * (1 - rest) * of_question
            both = (part - asked * rest) * of_both
            cross, of_part = of_asked + both, of_rest + of_asked + 2 * both
        else:
            cross = part * (1 - asked) * of_both
            of_part = part * (1 - part) * of_question
        return np.array([[of_asked, cross], [cross, of_part]])


def jointly_randomized(
    router: Question,
    leading: Sequence[str],
    found: tuple[Question, Block, SurveyCounts],
    choice: IntervalChoice,
) -> AskedShares | None:
    """The shares from a block with both questions, as sums of its cells; None without reports.

    `found` is the question, the block that joins it with the router, and the
    counts.
    """
    question, block, counts = found
    margin = Margin.of(question, block, counts.blocks[block.id])
    if not margin.reports:
        return None
    columns = [router.names.index(name) for name in leading]
    is_asked = block_membership(block, router)[:, columns].sum(axis=1)
    options = margin.membership * is_asked[:, None]
    cells = margin.basis.cells.of_population(choice.population)
    merged = merge(cells, np.column_stack([is_asked, options]))
    scale, watched = cells.sampling_scale, None
    if choice.interval is Interval.ANYTIME:
        found_in, rule = margin.basis.contributions, choice.among(len(options.T))
        both = np.column_stack([is_asked, options[:, -1]])
        watched = (
            watched_ends(found_in, options, rule, is_asked),
            watched_ends(found_in, both, replace(rule, comparisons=1)),
        )
    return AskedShares(
        names=question.names,
        shares=merged.shares,
        mechanism_part=merged.mechanism_part,
        scales=(scale, scale, scale),
        is_last_adjusted=False,
        reports=margin.reports,
        release_part=merged.release_part,
        watched=watched,
    )


def separately_randomized(
    asked: OptionEstimate,
    options: Sequence[OptionEstimate],
    both: float,
    reports: int,
    *,
    is_watched: bool,
) -> AskedShares | None:
    """The shares from blocks that were randomized separately; None if there are no numbers.

    The share of "no answer", which is last in `options`, includes those who were
    not asked, so 1 - A is subtracted. `both` is the factor of the sampling
    covariance of the two questions. If they are watched, the intervals of
    `asked` and of each option must hold together.
    """
    every = (asked, *options)
    values = [(each.share, each.mechanism_variance, each.sampling_variance) for each in every]
    if any(number is None for row in values for number in row):
        return None
    shares, mechanism, sampling = np.array(values, dtype=np.float64).T
    difference = np.eye(len(shares))
    difference[-1, 0] = 1
    noises = [each.release_variance for each in every if each.release_variance is not None]
    released = difference @ np.diag(noises) @ difference.T if noises else None
    return AskedShares(
        names=tuple(option.option for option in options),
        shares=np.append(shares[:-1], shares[-1] + shares[0] - 1),
        mechanism_part=difference @ np.diag(mechanism) @ difference.T,
        scales=(_scale(shares[:1], sampling[:1]), _scale(shares[1:], sampling[1:]), both),
        is_last_adjusted=True,
        reports=reports,
        release_part=released,
        watched=_watched_apart(asked, options) if is_watched else None,
    )


def _watched_apart(asked: OptionEstimate, options: Sequence[OptionEstimate]) -> tuple[Ends, Ends]:
    """The ends of the answers' ratios, and of the two shares of asked_and_refused."""
    every = np.array([[each.low, each.high] for each in (asked, *options)], np.float64)
    whole, answers = every[0], every[1:]
    # Everybody who did not report "no answer" was asked and answered.
    answered = 1 - answers[-1, ::-1]
    low, high = _ratio_ends(np.vstack([answers[:-1], answered]), whole)
    # The ratio of those who refused is 1 minus the ratio of those who answered.
    low[-1], high[-1] = 1 - high[-1], 1 - low[-1]
    refused = answers[-1] + whole - 1
    return (low, high), (np.array([whole[0], refused[0]]), np.array([whole[1], refused[1]]))


def _ratio_ends(parts: Floats, whole: Floats) -> Ends:
    """The ends of the ratios of (ratios, 2) parts to a (2,) whole, from the ends of all.

    NaN if the whole may be 0.
    """
    (low, high), (least, most) = parts.T, whole
    if not least > 0:
        return np.full_like(low, np.nan), np.full_like(high, np.nan)
    return low / np.where(low >= 0, most, least), high / np.where(high >= 0, least, most)


def _scale(shares: Floats, sampling: Floats) -> float:
    """The factor of f (1 - f) in the sampling variances of one question."""
    squares = shares * (1 - shares)
    best = int(np.argmax(np.abs(squares)))
    return float(sampling[best] / squares[best]) if squares[best] else 0.0


def share_among(found: AskedShares, index: int, choice: IntervalChoice) -> OptionEstimate:
    """An answer's share among those who were asked; no numbers if it is not identified.

    It is not identified if its interval is unbounded or includes everything
    from 0 to 1.
    """
    nothing = OptionEstimate(option=found.names[index - 1], reports=found.reports)
    whole, part = float(found.shares[0]), float(found.shares[index])
    if found.watched is None:
        ends = _fieller_ends(found, index, choice)
    else:
        low, high = (float(each[index - 1]) for each in found.watched[0])
        ends = None if np.isnan(low) or np.isnan(high) else (low, high)
    if ends is None or (ends[0] <= 0 and ends[1] >= 1):
        return nothing
    slopes = np.array([-part / whole, 1.0]) / whole
    variances = [float(slopes @ each @ slopes) for each in found.covariances(index)]
    if not shows_variance(part / whole, sum(variances)):
        return nothing
    return replace(
        nothing,
        share=part / whole,
        low=ends[0],
        high=ends[1],
        mechanism_variance=variances[0],
        sampling_variance=variances[1],
        release_variance=variances[2] if variances[2:] else None,
    )


def _fieller_ends(
    found: AskedShares, index: int, choice: IntervalChoice
) -> tuple[float, float] | None:
    """The ends for one look of a share among those who were asked, if it is bounded."""
    whole, part = float(found.shares[0]), float(found.shares[index])
    comparisons = comparisons_among(len(found.names)) if choice.simultaneous else 1
    mechanism, _, *released = found.covariances(index)
    for each in released:
        mechanism = mechanism + stretched(each, choice.confidence, comparisons)

    def variance_if(ratio: float) -> float:
        if_true = found.sampling_covariances(index, ratio * whole)
        slopes = np.array([-ratio, 1.0])
        return float(slopes @ (mechanism + if_true) @ slopes)

    reach = critical_value(choice.confidence, comparisons)
    return fieller_interval((whole, part), variance_if, reach)


def asked_and_refused(
    found: AskedShares, choice: IntervalChoice, names: tuple[str, str]
) -> tuple[OptionEstimate, OptionEstimate]:
    """The shares, among all respondents, of those asked and of those asked without an answer.

    Intervals for one look are normal.
    """
    last, rule = len(found.names), IntervalRule(confidence=choice.confidence)
    mechanism, sampling, *released = (each.diagonal() for each in found.covariances(last))
    shares = found.shares[[0, last]]
    ends = found.watched[1] if found.watched else None
    rows = normal_numbers(
        shares,
        (mechanism, sampling),
        found.reports,
        rule,
        clip,
        ends=ends,
        released=released[0] if released else None,
    )
    asked, refused = named_options(names, rows)
    return asked, refused
