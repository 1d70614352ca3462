"""PrivSet: each option's share from the sets that contain it; dummies reveal nothing."""

from deniable_analysis.estimators import Channel
from deniable_analysis.mechanisms.base import Findings, IntervalChoice
from deniable_analysis.mechanisms.share_numbers import binomial_numbers, clip, share_warnings
from deniable_analysis.results import OptionEstimate
from deniable_sdk.mechanisms import PrivSet
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts


def analyse_privset(
    question: Question, mechanism: PrivSet, counts: BlockCounts, choice: IntervalChoice
) -> Findings:
    """The share of each option among all who were asked."""
    channel = Channel(mechanism.keep, mechanism.flip).rounded()
    support = counts.of(range(mechanism.domain.options))
    rule = choice.among(mechanism.domain.options)
    numbers = binomial_numbers(support, counts.report_count, channel, rule, clip)
    options = zip(question.names, numbers, strict=True)
    return Findings(
        choice.interval.value,
        tuple(OptionEstimate(option=name, **each) for name, each in options),
        warnings=share_warnings(question.names, support, counts.report_count, channel),
    )
