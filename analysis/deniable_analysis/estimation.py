"""From the counts of one block to the estimates of its question."""

from deniable_analysis.estimators import (
    Channel,
    IntervalRule,
    boundary_deviation,
    debias,
    is_beyond_chance,
    mechanism_variance,
    project_to_simplex,
    sampling_variance,
    share_interval,
)
from deniable_analysis.results import OptionEstimate, QuestionEstimate
from deniable_analysis.sources import BlockCounts, debiasable
from deniable_sdk.survey.block import Block


def estimate_block(block: Block, counts: BlockCounts, rule: IntervalRule) -> QuestionEstimate:
    """The estimates of the question that a block asks.

    Args:
        block: of one question.
        counts: its reports.
        rule: which intervals.
    """
    (question,) = block.questions
    mechanism = debiasable(block)
    channel = Channel.of(mechanism).rounded()
    if counts.report_count:
        options = _options(question.names, counts, channel, rule)
        warnings = _warnings(question.names, counts, channel)
    else:
        options = tuple(OptionEstimate(option=option) for option in question.names)
        warnings = ()
    return QuestionEstimate(
        question=question.id,
        type=question.type,
        blocks=(block.id,),
        reports=counts.report_count,
        epsilon=mechanism.weights.epsilon,
        interval=rule.interval.value,
        options=options,
        warnings=warnings,
    )


def _options(
    domain: tuple[str, ...], counts: BlockCounts, channel: Channel, rule: IntervalRule
) -> tuple[OptionEstimate, ...]:
    report_count = counts.report_count
    shares = debias(counts.support, report_count, channel)
    low, high = share_interval(counts.support, report_count, channel, rule)
    columns = {
        "share": shares,
        "low": low,
        "high": high,
        "valid_share": project_to_simplex(shares),
        "mechanism_variance": mechanism_variance(shares, report_count, channel),
        "sampling_variance": sampling_variance(shares, report_count),
    }
    return tuple(
        OptionEstimate(
            option=option,
            reports=report_count,
            **{name: float(column[place]) for name, column in columns.items()},
        )
        for place, option in enumerate(domain)
    )


def _warnings(domain: tuple[str, ...], counts: BlockCounts, channel: Channel) -> tuple[str, ...]:
    found = counts.support, counts.report_count, channel
    deviations = boundary_deviation(*found).tolist()
    return tuple(
        f"the raw share of {option!r} lies {abs(deviation):.1f} standard errors "
        f"{'below 0' if deviation < 0 else 'above 1'}, which chance alone hardly gives; were "
        "reports made up, or randomized by another survey's rules?"
        for option, deviation, is_alarming in zip(
            domain, deviations, is_beyond_chance(*found), strict=True
        )
        if is_alarming
    )
