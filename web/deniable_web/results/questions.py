"""The page's content for one question."""

from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis import QuestionEstimate
from deniable_web.forecast.thresholds import BLIND_MARGIN, USEFUL_MARGIN
from deniable_web.results.asked import AskedView, Leader, asked_view, leader_of
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import PageLocale
from deniable_web.results.means import (
    DistributionView,
    MeanView,
    QuartileRow,
    distribution_view,
    mean_view,
    quartile_rows,
)
from deniable_web.results.numbers import Numbers, decimals_for
from deniable_web.results.planned import Planned, planned
from deniable_web.results.shares import ShareChart, share_chart
from deniable_web.results.uncertainty import Uncertainty, of_mean, of_shares


@dataclass(frozen=True, slots=True)
class SplitView:
    """A margin and its two causes, in words; the parts add up as squares.

    Args:
        margin: the margin of the question's least certain estimate.
        mechanism: the part from the protection; "" if it cannot be determined.
        sampling: the part from sampling.
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
        id: the question's id.
        text: the question's text.
        type: the key of its type's name.
        reports: the number of reports, in words.
        epsilon: the epsilon that a report spends on it.
        unit: the unit of its numbers; "" if it has none.
        leader: the most common option; None for a number, without reports, or if only some
            were asked.
        chart: the shares of its options.
        sums_to_one: whether each respondent has exactly one of the options.
        asked: who was asked, and the shares among them; None if all were asked.
        split: the causes of the margin of the shares.
        mean: the mean; None if there is none.
        mean_split: the causes of the margin of the mean.
        distribution: the distribution of a number, if its mechanism allows one.
        quartiles: the quartiles; empty if there are none.
        few: the note on too few reports; None if there are enough.
        warnings: the warnings about its reports, in English.
    """

    id: str
    text: str
    type: str
    reports: str
    epsilon: str
    unit: str
    leader: Leader | None
    chart: ShareChart | None
    sums_to_one: bool
    asked: AskedView | None
    split: SplitView | None
    mean: MeanView | None
    mean_split: SplitView | None
    distribution: DistributionView | None
    quartiles: tuple[QuartileRow, ...]
    few: FewView | None
    warnings: tuple[str, ...]


def question_view(
    found: QuestionEstimate, findings: EditionFindings, locale: PageLocale
) -> QuestionView:
    """The page's content for a question's estimates."""
    labels, numbers, is_mirrored = locale.labels, locale.numbers, locale.is_mirrored
    question = labels.find(found.question)
    confidence = findings.choices.confidence
    named = [(labels.answer(question.id, each.option), each) for each in found.of_all]
    has_value = found.mean is not None and found.mean.value is not None
    mean = found.mean if has_value else None
    spread, quartiles = found.distribution, findings.quantiles.get(question.id)
    return QuestionView(
        id=question.id,
        text=labels.text(question.text),
        type=question.type,
        reports=numbers.count(found.reports),
        epsilon=numbers.short(found.epsilon),
        unit=labels.unit(question.id),
        leader=None if found.among else leader_of(question.id, found.options, locale),
        chart=share_chart(named, numbers, is_mirrored=is_mirrored)
        if found.reports and named
        else None,
        sums_to_one=not question.accepts_several and len(found.options) > 1,
        asked=asked_view(found.among, locale) if found.among and found.reports else None,
        split=_share_split(found, confidence, numbers),
        mean=mean_view(question, mean, numbers, is_mirrored=is_mirrored) if mean else None,
        mean_split=_mean_split(found, confidence, numbers),
        distribution=distribution_view(spread, numbers, is_mirrored=is_mirrored)
        if spread
        else None,
        quartiles=quartile_rows(quartiles, numbers) if quartiles else (),
        few=_few(found, findings, numbers),
        warnings=found.warnings,
    )


def _split(
    found: Uncertainty | None, numbers: Numbers, times: float, decimals: int
) -> SplitView | None:
    if found is None:
        return None
    margin = numbers.margin(times * found.margin, decimals)
    if found.mechanism is None or found.sampling is None or found.mechanism_part is None:
        return SplitView(margin)
    return SplitView(
        margin,
        numbers.decimal(times * found.mechanism, decimals),
        numbers.decimal(times * found.sampling, decimals),
        round(100 * found.mechanism_part, 2),
    )


def _share_split(found: QuestionEstimate, confidence: float, numbers: Numbers) -> SplitView | None:
    """The split of the margin; None if "no answer" is the only option."""
    if len(found.options) < 2:
        return None
    return _split(of_shares(found.options, confidence), numbers, 100.0, 1)


def _mean_split(found: QuestionEstimate, confidence: float, numbers: Numbers) -> SplitView | None:
    if found.mean is None:
        return None
    decimals = decimals_for([found.mean.standard_error])
    return _split(of_mean(found.mean, confidence), numbers, 1.0, decimals)


def _few(found: QuestionEstimate, findings: EditionFindings, numbers: Numbers) -> FewView | None:
    """The note on too few reports, judged by the question's first estimate."""
    wanted = _wanted(found, findings)
    confidence = findings.choices.confidence
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
        if each.block.id in found.blocks and each.question == found.question
    )
