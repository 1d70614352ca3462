"""The page's content for one question."""

import math
from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis import MeanEstimate, QuestionEstimate
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.results import OptionEstimate
from deniable_sdk.survey.questions import Question
from deniable_web.forecast.thresholds import BLIND_MARGIN, USEFUL_MARGIN
from deniable_web.results.asked import AskedView, asked_view, leader_of
from deniable_web.results.charts import ChartView, Row
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from deniable_web.results.means import (
    DistributionView,
    distribution_view,
    mean_chart,
    quartile_rows,
)
from deniable_web.results.numbers import Numbers, decimals_for
from deniable_web.results.planned import Planned, planned
from deniable_web.results.shares import EstimateRow, share_chart


@dataclass(frozen=True, slots=True)
class SplitView:
    """A margin and its two causes, in words; the parts add up as squares.

    Args:
        margin: the margin of the question's least certain estimate.
        mechanism: the margin that the protection alone would cause; "" if the reports cannot
            separate the parts.
        sampling: the margin if nothing were randomized.
        mechanism_width: the part of the variance from the protection, in percent.
    """

    margin: str
    mechanism: str = ""
    sampling: str = ""
    mechanism_width: float = 0.0


@dataclass(frozen=True, slots=True)
class FewView:
    """A note that there are too few reports, and how many respondents are required.

    Args:
        margin: the present margin; "" without any report.
        goal: the largest useful margin.
        respondents: the total number required for it; "" if there are not so many people.
        is_mean: whether margins are percentages of a mean's range instead of points.
        is_blind: whether the margin is too wide to distinguish anything.
    """

    margin: str
    goal: str
    respondents: str
    is_mean: bool
    is_blind: bool


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One question: its charts, its numbers and their margins.

    Args:
        asks: the question.
        found: its estimates.
        leader: the most common option; None for a number, without reports, or if only some
            were asked.
        chart: the shares of its options.
        asked: who was asked, and the shares among them; None if all were asked.
        split: the causes of the margin of the shares.
        mean: the mean, the only row of its chart; None if there is none.
        mean_split: the causes of the margin of the mean.
        distribution: the distribution of a number, if its mechanism allows one.
        quartiles: the rows of the quartiles; empty if there are none.
        few: the note on too few reports; None if there are enough.
    """

    asks: Question
    found: QuestionEstimate
    leader: Row | None
    chart: ChartView[EstimateRow] | None
    asked: AskedView | None
    split: SplitView | None
    mean: ChartView[EstimateRow] | None
    mean_split: SplitView | None
    distribution: DistributionView | None
    quartiles: tuple[tuple[str, ...], ...]
    few: FewView | None


def question_view(
    found: QuestionEstimate, findings: EditionFindings, labels: Labels
) -> QuestionView:
    """The page's content for a question's estimates."""
    numbers, question = labels.numbers, labels.find(found.question)
    confidence = findings.estimates.confidence
    named = [(labels.answer(question.id, each.option), each) for each in found.of_all]
    mean = found.mean if found.mean and found.mean.value is not None else None
    spread, quartiles = found.distribution, findings.quantiles.get(question.id)
    return QuestionView(
        asks=question,
        found=found,
        leader=None if found.among else leader_of(question.id, found.options, labels),
        chart=share_chart(named, numbers) if found.reports and named else None,
        asked=asked_view(found.among, labels) if found.among and found.reports else None,
        split=share_split(found.options, confidence, numbers),
        mean=mean_chart(question, [("", mean)], numbers) if mean else None,
        mean_split=mean_split(found.mean, confidence, numbers),
        distribution=distribution_view(spread, numbers) if spread else None,
        quartiles=quartile_rows(quartiles, numbers) if quartiles else (),
        few=_few(found, findings, numbers),
    )


def share_split(
    options: tuple[OptionEstimate, ...], confidence: float, numbers: Numbers
) -> SplitView | None:
    """The margin of the least certain share; None if "no answer" is the only option."""
    known = [each for each in options if each.standard_error is not None]
    if len(options) < 2 or not known:
        return None
    worst = max(known, key=lambda each: each.standard_error or 0.0)
    return _split(worst, 100 * critical_value(confidence), numbers, 1)


def mean_split(mean: MeanEstimate | None, confidence: float, numbers: Numbers) -> SplitView | None:
    """The margin of a mean; None if it is unknown."""
    if mean is None or mean.standard_error is None:
        return None
    return _split(mean, critical_value(confidence), numbers, decimals_for([mean.standard_error]))


def _split(
    found: OptionEstimate | MeanEstimate, reach: float, numbers: Numbers, decimals: int
) -> SplitView:
    """The margin, which is the standard error times the reach, and its parts."""
    error = found.standard_error or 0.0
    margin = numbers.margin(reach * error, decimals)
    if found.mechanism_variance is None or found.sampling_variance is None or error <= 0:
        return SplitView(margin)
    # A part can be slightly negative if a raw share is outside 0 to 1.
    mechanism, sampling = max(0.0, found.mechanism_variance), max(0.0, found.sampling_variance)
    return SplitView(
        margin,
        numbers.decimal(reach * math.sqrt(mechanism), decimals),
        numbers.decimal(reach * math.sqrt(sampling), decimals),
        round(100 * mechanism / (mechanism + sampling), 2),
    )


def _few(found: QuestionEstimate, findings: EditionFindings, numbers: Numbers) -> FewView | None:
    """The note on too few reports, judged by the question's first estimate."""
    wanted = _wanted(found, findings)
    confidence = findings.estimates.confidence
    margin = wanted.margin(found.reports, confidence)
    part = None if margin is None else Fraction(margin) / wanted.estimate.length
    if part is not None and part <= USEFUL_MARGIN:
        return None
    needed = wanted.respondents(USEFUL_MARGIN, confidence)
    return FewView(
        margin="" if part is None else numbers.margin(100 * float(part), 0),
        goal=numbers.margin(100 * float(USEFUL_MARGIN), 0),
        respondents="" if needed is None else numbers.count(needed),
        is_mean=wanted.is_mean,
        is_blind=part is None or part >= BLIND_MARGIN,
    )


def _wanted(found: QuestionEstimate, findings: EditionFindings) -> Planned:
    """The first estimate from the question's first block; shares come before a mean."""
    return next(
        each
        for each in planned(findings.survey.document)
        if each.block.id in found.blocks and each.estimate.question == found.question
    )
