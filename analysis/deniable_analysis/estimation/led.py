"""Shares of those who were asked a question, and of what they said, with their covariances.

The device answers "no answer" for whoever does not come to a question. So the
share of an answer among those who came is R = B / A: B said it, A were asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable_analysis.estimation.margins import Margin
from deniable_analysis.estimators import fieller_interval, normal_ends, shows_variance
from deniable_analysis.estimators.confidence import comparisons_among, critical_value
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.mechanisms.linear import Floats, block_shares, merge
from deniable_analysis.mechanisms.share_numbers import clip
from deniable_analysis.results import OptionEstimate


@dataclass(frozen=True, slots=True)
class Led:
    """Shares of all respondents: of those who were asked, then of what each said.

    Args:
        names: of the answers.
        shares: (1 + answers,) raw, those who were asked first.
        mechanism_part: (1 + answers, 1 + answers) covariances that the
            randomization causes. Those between two answers are not used.
        sampling_part: the same of who happened to be asked.
        reports: behind the answers.
    """

    names: tuple[str, ...]
    shares: Floats
    mechanism_part: Floats
    sampling_part: Floats
    reports: int


def led_jointly(
    router: Margin, leading: Sequence[str], margin: Margin, population: int | None
) -> Led:
    """The shares from one block, as sums of its cells on the path.

    Args:
        router: the margin of the question that leads there.
        leading: its options that do.
        margin: of the question itself, in the same block.
        population: of how many people the respondents are a sample.
    Raises:
        InvalidCounts: there is no report.
    """
    places = [router.question.names.index(name) for name in leading]
    is_asked = router.membership[:, places].sum(axis=1)
    options = margin.membership * is_asked[:, None]
    cells = block_shares(margin.mechanism, margin.counts).of_population(population)
    found = merge(cells, np.column_stack([is_asked, options]))
    # A cell of an answer is a cell of those who were asked too.
    both = np.diag(found.shares)
    both[0, 1:] = both[1:, 0] = found.shares[1:]
    sampling = (both - np.outer(found.shares, found.shares)) * cells.sampling_scale
    names, reports = margin.question.names, margin.counts.report_count
    return Led(names, found.shares, found.mechanism_part, sampling, reports)


def led_apart(
    asked: OptionEstimate, options: Sequence[OptionEstimate], scale: float, reports: int
) -> Led | None:
    """The shares from blocks that were randomized apart.

    Args:
        asked: the share of those whose answer leads to the question.
        options: the shares of the question's answers, "no_answer" last. It
            counts those who were not asked too, so 1 - A is taken off.
        scale: what the covariance of two answers of one drawn respondent is
            multiplied by: 1/n if the same n were asked both, 0 if nobody was.
        reports: behind the answers.
    Returns:
        None where there are no numbers.
    """
    every = (asked, *options)
    values = [(each.share, each.mechanism_variance, each.sampling_variance) for each in every]
    if any(number is None for row in values for number in row):
        return None
    shares, mechanism, sampling = np.array(values, dtype=np.float64).T
    mechanism_part, sampling_part = np.diag(mechanism), np.diag(sampling)
    # Whoever gave an answer was asked; whoever was not asked gave none.
    together = shares[1:].copy()
    together[-1] -= 1 - shares[0]
    sampling_part[0, 1:] = (together - shares[0] * shares[1:]) * scale
    sampling_part[1:, 0] = sampling_part[0, 1:]
    turn = np.eye(len(shares))
    turn[-1, 0] = 1
    refused = np.append(shares[:-1], shares[-1] + shares[0] - 1)
    return Led(
        tuple(option.option for option in options),
        refused,
        turn @ mechanism_part @ turn.T,
        turn @ sampling_part @ turn.T,
        reports,
    )


def share_among(led: Led, place: int, choice: IntervalChoice) -> OptionEstimate:
    """An answer's share among those who were asked; no numbers where it cannot be told.

    It cannot if the interval has no end or includes everything from 0 to 1.
    """
    name, pair = led.names[place - 1], np.ix_([0, place], [0, place])
    parts = led.mechanism_part[pair], led.sampling_part[pair]
    whole, part = float(led.shares[0]), float(led.shares[place])
    reach = critical_value(
        choice.confidence, comparisons_among(len(led.names)) if choice.simultaneous else 1
    )
    ends = fieller_interval((whole, part), parts[0] + parts[1], reach)
    if ends is None or (ends[0] <= 0 and ends[1] >= 1):
        return OptionEstimate(option=name, reports=led.reports)
    slopes = np.array([-part / whole, 1.0]) / whole
    variances = [float(slopes @ each @ slopes) for each in parts]
    if not shows_variance(part / whole, sum(variances)):
        return OptionEstimate(option=name, reports=led.reports)
    return OptionEstimate(
        option=name,
        share=part / whole,
        low=ends[0],
        high=ends[1],
        mechanism_variance=variances[0],
        sampling_variance=variances[1],
        reports=led.reports,
    )


def share_of_all(led: Led, place: int, choice: IntervalChoice, name: str) -> OptionEstimate:
    """One of the shares of all respondents, with a normal interval."""
    share = float(led.shares[place])
    parts = [float(each[place, place]) for each in (led.mechanism_part, led.sampling_part)]
    low, high = normal_ends(share, sum(parts), critical_value(choice.confidence))
    return OptionEstimate(
        option=name,
        share=share,
        low=low,
        high=high,
        valid_share=float(clip(np.array(share))),
        mechanism_variance=parts[0],
        sampling_variance=parts[1],
        reports=led.reports,
    )
