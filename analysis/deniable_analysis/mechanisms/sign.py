"""Sign: the mean and the share of no answer, and nothing else."""

import numpy as np

from deniable_analysis.mechanisms.affine import centred_mean, estimate_no_answer, scaled_mean
from deniable_analysis.mechanisms.base import Findings, IntervalChoice
from deniable_analysis.reports.counts import BlockCounts
from deniable_sdk.mechanisms import Sign
from deniable_sdk.survey.questions import Question

# Low, high and, where there is one, no answer; the ends of the scale, centred,
# are half a slope apart from 0.
_CENTRED_OUTPUTS = (-1.0, 1.0, 0.0)


def analyse_sign(
    question: Question, mechanism: Sign, counts: BlockCounts, choice: IntervalChoice
) -> Findings:
    """The share of "no answer" and the mean of the rest.

    One bit says nothing about how far the answers spread, so the parts of the
    mean's variance cannot be told apart.
    """
    none = estimate_no_answer(mechanism, counts, choice)
    outputs = np.array(_CENTRED_OUTPUTS[: mechanism.output_count])
    ratio = centred_mean(mechanism, counts, outputs)
    mean = scaled_mean(question, ratio, 1.0, None, choice)
    return Findings(choice.interval.value, none.options, mean, warnings=none.warnings)
