"""Subset selection: a share for each option, and the mean of a scale."""

from deniable_analysis.estimators import Channel, project_to_simplex
from deniable_analysis.estimators.confidence import comparisons_among
from deniable_analysis.mechanisms.base import Findings, IntervalChoice
from deniable_analysis.mechanisms.linear import block_shares, mean_of_shares
from deniable_analysis.mechanisms.scores import scores
from deniable_analysis.mechanisms.share_numbers import binomial_numbers, share_warnings
from deniable_analysis.results import OptionEstimate
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts


def analyse_subset(
    question: Question, mechanism: Subset, counts: BlockCounts, choice: IntervalChoice
) -> Findings:
    """The share of each option, and the mean where the options are numbers."""
    channel = Channel.of(mechanism).rounded()
    support = counts.of(range(mechanism.domain_size))
    rule = choice.among(comparisons_among(mechanism.domain_size))
    numbers = binomial_numbers(support, counts.report_count, channel, rule, project_to_simplex)
    options = zip(question.names, numbers, strict=True)
    is_mean_wanted = counts.report_count and scores(question)
    shares = block_shares(mechanism, counts) if is_mean_wanted else None
    if shares:
        shares = shares.of_population(choice.population)
    return Findings(
        choice.interval.value,
        tuple(OptionEstimate(option=name, **each) for name, each in options),
        mean_of_shares(question, shares, choice.confidence),
        warnings=share_warnings(question.names, support, counts.report_count, channel),
    )
