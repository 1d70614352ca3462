"""The share of respondents who were asked a question, and the shares of its answers.

The device reports "no answer" for everybody who was not asked. So the share of
an answer among those who were asked is R = B / A, where A is the share who were
asked, and B the share who gave the answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import Interval
from deniable_analysis.estimate.cells import JointBasis, block_membership
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.linear import Ends, anytime_cell_ends, merge
from deniable_analysis.estimate.noise import stretched
from deniable_analysis.estimate.question_shares import QuestionCells
from deniable_analysis.results.shares import OptionEstimate
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import SurveyCounts

# From a pair of shares to their (2, 2) covariances, by cause: the mechanism, the sampling.
Law = Callable[[Floats], list[Floats]]


@dataclass(frozen=True, slots=True)
class AskedShares:
    """Shares among all respondents: first the share who were asked, then of each answer.

    Args:
        names: names of the answers, "no_answer" last.
        shares: (1 + answers,) raw shares, first the share who were asked.
        laws: for each answer, a function from a possible share of those who were asked,
            and one of the answer, to the covariances of their estimates.
        reports: number of reports of the question.
        informing: number of reports that show who was asked.
        release_part: (1 + answers, 1 + answers) covariances that the noise of releases causes;
            None without noise.
        anytime: ends of intervals that hold at every look: of each answer's
            share among those who were asked, and of the two shares of
            asked_and_refused; None for intervals for one look.
    """

    names: tuple[str, ...]
    shares: Floats
    laws: tuple[Law, ...]
    reports: int
    informing: int
    release_part: Floats | None = None
    anytime: tuple[Ends, Ends] | None = None

    def pair(self, index: int) -> Floats:
        """The share who were asked, and the share at an index."""
        return self.shares[[0, index]]

    def covariances(self, index: int, pair: Floats) -> list[Floats]:
        """The (2, 2) covariances of the two estimates of a pair if it is true, by their cause.

        The causes are the mechanism, the sampling and, if there is any, the noise of releases.
        """
        parts = self.laws[index - 1](pair)
        if self.release_part is None:
            return parts
        return [*parts, self.release_part[np.ix_([0, index], [0, index])]]

    def interval_variance(
        self, index: int, pair: Floats, slopes: Floats, level: tuple[float, int]
    ) -> float:
        """The variance of a weighted sum of a pair if it is true, as its interval needs it."""
        mechanism, sampling, *released = self.covariances(index, pair)
        whole = mechanism + sampling + sum(stretched(each, *level) for each in released)
        return float(slopes @ whole @ slopes)


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
    margin = QuestionCells.of(question, block, counts.blocks[block.id])
    if not margin.reports:
        return None
    columns = [router.names.index(name) for name in leading]
    is_asked = block_membership(block, router)[:, columns].sum(axis=1)
    options = margin.membership * is_asked[:, None]
    basis = margin.basis.of_population(choice.population)
    merged = merge(basis.cells, np.column_stack([is_asked, options]))
    anytime = None
    if choice.interval is Interval.ANYTIME:
        found_in, rule = margin.basis.contributions, choice.among(len(options.T))
        both = np.column_stack([is_asked, options[:, -1]])
        anytime = (
            anytime_cell_ends(found_in, options, rule, is_asked),
            anytime_cell_ends(found_in, both, replace(rule, comparisons=1)),
        )
    return AskedShares(
        names=question.names,
        shares=merged.shares,
        laws=tuple(_joint_law(basis, is_asked, part) for part in options.T),
        reports=margin.reports,
        informing=margin.reports,
        release_part=merged.release_part,
        anytime=anytime,
    )


def _joint_law(basis: JointBasis, whole: Floats, part: Floats) -> Law:
    """The law of two groups of cells, of which the whole contains the part."""
    groups = np.column_stack([part, whole - part, 1 - whole])
    # Every answer of the router may lead to the question.
    is_possible = groups.any(axis=0)
    pair = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])[:, is_possible]

    def law(shares: Floats) -> list[Floats]:
        asked, answer = shares
        cells = np.array([answer, asked - answer, 1 - asked])[is_possible]
        found = basis.shares_if(groups[:, is_possible], cells)
        return [pair @ each @ pair.T for each in (found.mechanism_part, found.sampling_part)]

    return law


def separately_randomized(
    asked: OptionEstimate,
    options: Sequence[OptionEstimate],
    both: float,
    reports: int,
    *,
    is_anytime: bool,
) -> AskedShares | None:
    """The shares from blocks that were randomized separately; None if there are no numbers.

    The share of "no answer", which is last in `options`, includes those who were
    not asked, so 1 - A is subtracted. `both` is the factor of the sampling
    covariance of the two questions. If they are anytime, the intervals of
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
    parts = difference @ np.diag(mechanism) @ difference.T
    scales = _scale(shares[:1], sampling[:1]), _scale(shares[1:], sampling[1:]), both
    pairs = [np.ix_([0, index], [0, index]) for index in range(1, len(shares))]
    return AskedShares(
        names=tuple(option.option for option in options),
        shares=np.append(shares[:-1], shares[-1] + shares[0] - 1),
        laws=tuple(
            _separate_law(parts[pair], scales, is_rest=index == len(options))
            for index, pair in enumerate(pairs, start=1)
        ),
        reports=reports,
        informing=asked.reports,
        release_part=released,
        anytime=_anytime_apart(asked, options) if is_anytime else None,
    )


def _separate_law(
    mechanism_part: Floats, scales: tuple[float, float, float], *, is_rest: bool
) -> Law:
    """The law of the share who were asked and of an answer that was randomized apart from it.

    Args:
        mechanism_part: (2, 2) covariances that the randomization causes.
        scales: factors of the covariances that choosing one respondent causes:
            of the share who were asked (1/n for n respondents), of the shares
            of the answers, and of both together (0 if nobody reported both).
        is_rest: whether the answer is "no answer", whose share was estimated as that of
            all who reported it minus the share of those who were not asked.
    """
    of_router, of_question, of_both = scales

    def law(shares: Floats) -> list[Floats]:
        asked, part = shares
        of_asked = asked * (1 - asked) * of_router
        if is_rest:
            rest = part + 1 - asked
            both = (part - asked * rest) * of_both
            cross = of_asked + both
            of_part = rest * (1 - rest) * of_question + of_asked + 2 * both
        else:
            cross = part * (1 - asked) * of_both
            of_part = part * (1 - part) * of_question
        return [mechanism_part, np.array([[of_asked, cross], [cross, of_part]])]

    return law


def _anytime_apart(asked: OptionEstimate, options: Sequence[OptionEstimate]) -> tuple[Ends, Ends]:
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

    If the whole may be 0, the parts still say that a ratio is at least low / most.
    """
    (low, high), (least, most) = parts.T, whole
    if least <= 0:
        return np.maximum(low, 0.0) / most if most > 0 else 0 * low, np.ones_like(high)
    return low / np.where(low >= 0, most, least), high / np.where(high >= 0, least, most)


def _scale(shares: Floats, sampling: Floats) -> float:
    """The factor of f (1 - f) in the sampling variances of one question."""
    squares = shares * (1 - shares)
    best = int(np.argmax(np.abs(squares)))
    return float(sampling[best] / squares[best]) if squares[best] else 0.0
