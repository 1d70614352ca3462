"""Square wave: the mean in closed form, the distribution by likelihood."""

from dataclasses import replace

import numpy as np

from deniable_analysis.estimators import Ratio, likeliest_shares, sampling_scale
from deniable_analysis.mechanisms.affine import (
    Floats,
    centred_mean,
    estimate_no_answer,
    scaled_mean,
)
from deniable_analysis.mechanisms.base import Findings, IntervalChoice
from deniable_analysis.reports.counts import BlockCounts
from deniable_analysis.results import DistributionEstimate
from deniable_sdk.mechanisms import SquareWave
from deniable_sdk.survey.questions import Question


def analyse_square_wave(
    question: Question, mechanism: SquareWave, counts: BlockCounts, choice: IntervalChoice
) -> Findings:
    """The share of "no answer", the mean and the distribution of the rest."""
    none = estimate_no_answer(mechanism, counts, choice)
    outputs = centred_places(mechanism)
    ratio = centred_mean(mechanism, counts, outputs)
    sampling = sampling_part(mechanism, counts, ratio)
    if ratio and ratio.variance is not None and sampling is not None:
        count = counts.report_count
        drawn = sampling * count * sampling_scale(1 / count, choice.population)
        ratio = replace(ratio, variance=ratio.variance - sampling + drawn)
        sampling = drawn
    mean = scaled_mean(question, ratio, mechanism.cells - 1, sampling, choice)
    return Findings(
        interval=choice.interval.value,
        options=none.options,
        mean=mean,
        distribution=_distribution(question, mechanism, counts),
        warnings=none.warnings,
    )


def centred_places(mechanism: SquareWave) -> Floats:
    """The place each output stands for, from the middle; 0 for no answer."""
    outputs: Floats = np.arange(mechanism.output_count, dtype=np.float64)
    centred = outputs - (mechanism.places - 1) / 2
    centred[mechanism.places :] = 0.0
    return centred


def sampling_part(mechanism: SquareWave, counts: BlockCounts, ratio: Ratio | None) -> float | None:
    """The part of the mean's variance that choosing the respondents causes.

    A centred output z has E[z²] = everywhere + around + slope·x² under the
    centred answer x and E[z²] = everywhere under none, so the mean square of
    the answers is known too. Unbiased where everybody answers, not clipped.
    """
    if ratio is None or ratio.variance is None:
        return None
    total, window = mechanism.total_weight, mechanism.window
    base, favoured = mechanism.weights.base, mechanism.weights.favoured
    everywhere = base / total * mechanism.places * (mechanism.places**2 - 1) / 12
    around = (favoured - base) / total * window * (window**2 - 1) / 12
    tally = np.asarray(counts.of(range(mechanism.output_count)), dtype=np.float64)
    square = float(tally @ centred_places(mechanism) ** 2) / counts.report_count
    answering = ratio.denominator
    squares = (square - everywhere - answering * around) / float(mechanism.slope)
    # The square of an estimated mean is too large by its variance.
    spread = squares / answering - (ratio.value**2 - ratio.variance)
    return spread / (answering * counts.report_count)


def _distribution(
    question: Question, mechanism: SquareWave, counts: BlockCounts
) -> DistributionEstimate | None:
    if not counts.report_count:
        return None
    shares = likeliest_shares(counts.of(range(mechanism.output_count)), mechanism)
    answered = shares[: mechanism.cells]
    names = question.names[: mechanism.cells]
    return DistributionEstimate(names, tuple((answered / answered.sum()).tolist()))
