"""Sampled bits: each option's share among the reports that say its bit."""

from deniable_analysis.estimators import FORGED, Channel, manipulation_margin
from deniable_analysis.mechanisms.base import Findings, IntervalChoice
from deniable_analysis.mechanisms.share_numbers import binomial_numbers, clip, share_warnings
from deniable_analysis.results import OptionEstimate
from deniable_sdk.mechanisms import SampledBits
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts


def analyse_sampled_bits(
    question: Question, mechanism: SampledBits, counts: BlockCounts, choice: IntervalChoice
) -> Findings:
    """The share of each option, from the reports in which it was drawn.

    How many these are says nothing about anybody, so the estimates take it as
    given: each option's bits are then binomial.
    """
    channel = Channel(mechanism.keep, mechanism.flip).rounded()
    rule = choice.among(mechanism.domain.options)
    options: list[OptionEstimate] = []
    warnings: list[str] = []
    for place, name in enumerate(question.names):
        zeros, ones = (counts.said.get((place, bit), 0) for bit in (0, 1))
        drawn = zeros + ones
        (numbers,) = binomial_numbers([ones], drawn, channel, rule, clip)
        if numbers:
            numbers = {**numbers, "manipulation_margin": _margin(mechanism, channel)}
        options.append(OptionEstimate(option=name, **numbers))
        warnings += share_warnings([name], [ones], drawn, channel, len(question.names))
    return Findings(choice.interval.value, tuple(options), warnings=tuple(warnings))


def _margin(mechanism: SampledBits, channel: Channel) -> float:
    """The manipulation margin of an option's share.

    All of them claim that this option was drawn, as it was in few others.
    """
    drawn = (1 - FORGED) * mechanism.sampled / mechanism.domain.options
    return manipulation_margin(channel, FORGED / (FORGED + drawn))
