"""What several studies or groups would have in common if nothing differed between them.

A variance that is estimated from the same reports as a share or a mean depends on it: of
skewed answers, a sample without the rare large ones has a small mean and a small variance.
As a weight it would bias what is pooled, and a test would reject too often. So weights are
computed from the designs alone, and variances from the answers of all sides together.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.alarms import channel_tails
from deniable_analysis.estimate.channel import sampling_scale
from deniable_analysis.estimate.heterogeneity import common_variances
from deniable_analysis.estimate.linear import LinearShares
from deniable_analysis.estimate.means import MeanSums, PooledSums, sums_of_shares
from deniable_analysis.estimate.mechanisms.piecewise_sums import mean_tails, sums_of_outputs
from deniable_analysis.estimate.outputs import likeliest_of_all
from deniable_analysis.estimate.question_shares import expected_both, pool_margins, pooled_tails
from deniable_analysis.relations.evidence import Evidence
from deniable_analysis.results.answers import numeric_levels
from deniable_analysis.results.valid import project_to_simplex
from deniable_sdk.mechanisms import Piecewise
from deniable_storage.counts import SurveyCounts, sum_of_blocks


def linear_shares(side: Evidence, shares: Floats | None = None) -> LinearShares:
    """The shares of a question randomized by subset selection, with their covariances.

    Args:
        side: evidence with at least one margin.
        shares: shares at which the covariances are computed; by default the
            estimated ones.
    """
    both = expected_both(side.survey, side.counts.report_count)
    return pool_margins(side.margins, both, shares).of_population(side.population)


def common_answers(sides: Sequence[Evidence]) -> Floats:
    """The shares of all answers in the reports of all sides, at which variances are computed.

    They are valid shares, "no answer" last, and never estimates for people to read. Sides
    whose reports identify only a mean do not count if others identify shares.

    Args:
        sides: with reports, of a question randomized by subset selection or `piecewise`.
    """
    identified = [side for side in sides if side.margins]
    if identified:
        shares = np.array([linear_shares(side).shares for side in identified])
        weights = np.array([share_precision(side) for side in identified])
        return project_to_simplex(weights @ shares / weights.sum())
    reported: dict[Piecewise, Floats] = {}
    for side in sides:
        mechanism, counts = side.block.mechanism, side.counts.blocks[side.block.id]
        if isinstance(mechanism, Piecewise):
            # Not negative, as the noise of a release may make them.
            found = np.maximum(counts.of(range(mechanism.outputs)), 0.0)
            reported[mechanism] = reported.get(mechanism, 0.0) + found
    return likeliest_of_all([(counts, mechanism) for mechanism, counts in reported.items()])


def share_precision(side: Evidence) -> float:
    """The inverse variance of the share of an option under equal shares."""
    return sum(1 / margin.variance_at_equal_shares() for margin in side.margins)


def share_variances(sides: Sequence[Evidence], place: int) -> Floats:
    """(sides,) variances of the share of one option, if it is the same on all sides."""
    if not sides:
        return np.empty(0)
    tallies = [side.tallies[place] for side in sides if side.tallies]
    if len(tallies) < len(sides):
        answers = common_answers(sides)
        each = [linear_shares(side, answers).covariances for side in sides]
        return np.array([covariances[place, place] for covariances in each])
    counts = np.array([(each.support, each.reports) for each in tallies], np.float64)
    channels = [(float(each.channel.keep), float(each.channel.flip)) for each in tallies]
    (support, reports), (keep, flip) = counts.T, np.transpose(channels)
    return common_variances(support, reports, keep, flip, [side.population for side in sides])


def share_tails(side: Evidence) -> Floats:
    """(2, options) tail variances of a side's shares, at 0 and at 1; see alarms."""
    if side.margins:
        return pooled_tails(side.margins)
    tallies = side.tallies or ()
    return np.array([np.divide(channel_tails(each.channel), each.reports) for each in tallies]).T


def sum_tails(side: Evidence, numbers: Sequence[float]) -> Floats | None:
    """(2,) tail variances of a side's sum of answers; None if the answers have shares."""
    mechanism, length = side.block.mechanism, max(numbers) - min(numbers)
    if not isinstance(mechanism, Piecewise):
        return None
    return length**2 * np.array(mean_tails(mechanism)) / side.estimate.reports


def mean_sums(side: Evidence, numbers: Sequence[float], answers: Floats | None = None) -> MeanSums:
    """What a side contributes to a mean; it has reports, and its question has a mean.

    Args:
        side: evidence of a study or a group.
        numbers: the values of the answers.
        answers: shares of the answers at which the covariances are computed; by
            default those of the side's own reports.
    """
    mechanism, counts = side.block.mechanism, side.counts.blocks[side.block.id]
    if isinstance(mechanism, Piecewise):
        length = max(numbers) - min(numbers)
        return sums_of_outputs(mechanism, counts, length, side.population, answers)
    near = None if answers is None else linear_shares(side, answers)
    return sums_of_shares(numbers, linear_shares(side), near)


def common_sums(sides: Sequence[Evidence], numbers: Sequence[float]) -> list[MeanSums]:
    """The sums of each side, with covariances from the answers to all sides together.

    If all sides have the same design of `piecewise`, they are those of one study with all
    reports, for the number of reports of each side.
    """
    first = sides[0].block
    if sides[0].margins or any(side.block.mechanism != first.mechanism for side in sides):
        answers = common_answers(sides)
        return [mean_sums(side, numbers, answers) for side in sides]
    reports = sum_of_blocks([side.counts.blocks[side.block.id] for side in sides])
    together = SurveyCounts(reports.report_count, {first.id: reports})
    whole = mean_sums(replace(sides[0], counts=together, population=None), numbers)
    return [_of_reports(mean_sums(side, numbers), whole, together, side) for side in sides]


def _of_reports(
    own: MeanSums, whole: MeanSums, together: SurveyCounts, side: Evidence
) -> MeanSums:
    """The sums of one side, with the covariances of all reports for its number of reports."""
    count = side.counts.blocks[side.block.id].report_count
    once = together.report_count * whole.covariances
    drawn = together.report_count * whole.sampling_part
    sampling = drawn * sampling_scale(1 / count, side.population)
    if np.isnan(drawn).any():
        return replace(own, covariances=once / count)
    return replace(own, covariances=(once - drawn) / count + sampling, sampling_part=sampling)


def mean_weights(sides: Sequence[Evidence], numbers: Sequence[float]) -> Floats:
    """(sides,) weights that sum to 1: the inverse variances of sums of equally common answers."""
    answers = len(sides[0].question.names)
    equal = np.full(answers, 1 / answers)
    precisions = np.array(
        [1 / mean_sums(side, numbers, equal).covariances[0, 0] for side in sides]
    )
    return np.asarray(precisions / precisions.sum())


def mean_variances(sides: Sequence[Evidence]) -> Floats:
    """(sides,) variances of the means, without noise, if the answers have the same shares on all.

    A side's variance is that of its sum of differences from the common mean, divided by the
    square of its number of those who answered: the test of equal means is a score test.

    Args:
        sides: with a mean that is a number.
    """
    if not sides:
        return np.empty(0)
    numbers = numeric_levels(sides[0].question) or ()
    parts = common_sums(sides, numbers)
    total, number = PooledSums(parts, mean_weights(sides, numbers)).sums
    slopes = np.array([1.0, -total / number])
    return np.array([each.variances(slopes / each.sums[1])[0] for each in parts])
