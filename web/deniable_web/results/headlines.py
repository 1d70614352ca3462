"""The most relevant estimate of a question, and how far it may be off."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis import MeanEstimate, OptionEstimate, QuestionEstimate
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.questions import Question
from deniable_web.forecast.thresholds import BLIND_MARGIN, USEFUL_MARGIN
from deniable_web.results.findings import EditionFindings
from deniable_web.results.means import ends_of
from deniable_web.results.outlook import Planned, planned
from deniable_web.results.shares import interval_width, is_answer, shown_share


@dataclass(frozen=True, slots=True)
class Headline:
    """The estimate by which a question is summed up.

    Args:
        question: the question.
        estimate: the estimates of the question.
        kind: the key of its sentence.
        shares: the shares of answers, the most relevant first; empty if it is a mean.
        mean: the mean; None if it is a share.
        part: half of the widest interval of its kind, as a part of the range; None if there is
            no interval.
        respondents: the respondents of the whole survey that it needs; None if there are not so
            many people.
    """

    question: Question
    estimate: QuestionEstimate
    kind: str
    shares: tuple[OptionEstimate, ...]
    mean: MeanEstimate | None
    part: float | None
    respondents: int | None

    @property
    def is_untold(self) -> bool:
        """Whether its shares are those of people of whom nobody knows how many were asked."""
        return self.mean is None and bool(self.estimate.among and self.estimate.among.untold)

    @property
    def is_told(self) -> bool:
        """Whether its interval is narrow enough for a finding."""
        return not self.is_untold and self.part is not None and self.part <= USEFUL_MARGIN

    @property
    def is_blind(self) -> bool:
        """Whether its interval is too wide to distinguish anything."""
        return self.part is None or self.part >= BLIND_MARGIN


def headline_of(
    question: Question, found: QuestionEstimate, findings: EditionFindings
) -> Headline:
    """The mean of a number or scale, or the share of the most relevant answer."""
    among = found.among
    shares = among.options if among and not among.untold else found.options
    kind, ordered = by_relevance(question, shares)
    mean = found.mean if found.mean and found.mean.value is not None else None
    if mean or not ordered:
        plan = _planned(findings, question, is_mean=True)
        least, most = ends_of(question)
        part = _half(mean, most - least)
        kind, ordered = ("scale" if question.scale is Scale.ORDINAL else "mean"), ()
    else:
        plan = _planned(findings, question, is_mean=False)
        halves = [_half(each, 1.0) for each in shares]
        part = None if None in halves else max(each for each in halves if each is not None)
    needed = _respondents(plan, part, findings)
    return Headline(question, found, kind, ordered, mean, part, needed)


def by_relevance(
    question: Question, found: Sequence[OptionEstimate]
) -> tuple[str, tuple[OptionEstimate, ...]]:
    """What is said of shares, and those of answers in the order of their relevance."""
    shares = [each for each in found if is_answer(each)]
    if question.has_common_options:
        return "share", tuple(shares)
    if question.items or question.scale is Scale.ORDINAL:
        return "band", tuple(reversed(shares))
    ranked = sorted(shares, key=lambda each: -(shown_share(each) or 0.0))
    return ("chosen" if question.accepts_several else "common"), tuple(ranked)


def _half(found: OptionEstimate | MeanEstimate | None, length: float) -> float | None:
    """Half of an interval, as a part of the range of possible values."""
    width = None if found is None else interval_width(found)
    return None if width is None else width / 2 / length


def _planned(findings: EditionFindings, question: Question, *, is_mean: bool) -> Planned:
    """The plan of this kind of estimate; another one if it has none, as a mean in a crosstab."""
    plans = [
        each for each in planned(findings.survey.document) if each.estimate.question == question.id
    ]
    return next((each for each in plans if each.is_mean is is_mean), plans[0])


def _respondents(plan: Planned, part: float | None, findings: EditionFindings) -> int | None:
    """The respondents for the largest useful margin.

    Intervals that hold at every look are wider than planned ones; the width of the present
    interval shows by how much.
    """
    confidence, reports = findings.estimates.confidence, findings.estimates.reports
    needed = plan.respondents(USEFUL_MARGIN, confidence)
    if needed is None or part is None:
        return needed
    return max(needed, math.ceil(reports * Fraction(part) ** 2 / USEFUL_MARGIN**2))
