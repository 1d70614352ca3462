"""What was found, in sentences, by the best estimate of each question; what cannot be told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from deniable_analysis import Interval
from deniable_analysis.results import MeanEstimate, OptionEstimate, QuestionEstimate
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.questions import Question
from deniable_web.forecast.advice import BLIND_MARGIN, PRECISE_MARGIN, USEFUL_MARGIN
from deniable_web.pages.numbers import Numbers, outward
from deniable_web.results.estimate_charts import (
    decimals_of,
    ends_of,
    interval_width,
    is_answer,
    mean_chart,
    shown_share,
)
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from deniable_web.results.outlook import Planned, looks_at, planned

# The kinds of findings that name one of several answers.
_CONTESTS = ("common", "chosen")


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
        respondents: the respondents of the whole survey that it needs at one look; None if
            there are not so many people.
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
    def is_of_asked(self) -> bool:
        """Whether its shares are of those who were asked, of whom no plan knows how many."""
        return self.mean is None and self.estimate.among is not None

    @property
    def is_told(self) -> bool:
        """Whether its interval is narrow enough for a finding."""
        return not self.is_untold and self.part is not None and self.part <= USEFUL_MARGIN

    @property
    def grade(self) -> str:
        """The key of the word for how precise a finding is."""
        is_precise = self.part is not None and self.part <= PRECISE_MARGIN
        return "precise" if is_precise else "rough"

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
    needed = plan.respondents(USEFUL_MARGIN, looks_at(findings))
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


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one question.

    Args:
        question: the id of the question.
        kind: the key of the sentence.
        grade: the key of the word for how precise it is.
        values: what is filled in: the finding, and its interval.
        rivals: the answers that may be as common, in quotation marks.
        is_of_asked: whether it is about those who were asked only.
    """

    question: str
    kind: str
    grade: str
    values: Mapping[str, str]
    rivals: tuple[str, ...] = ()
    is_of_asked: bool = False


@dataclass(frozen=True, slots=True)
class SummaryView:
    """What the results say, and what they do not.

    Args:
        findings: a sentence for each question whose interval is narrow enough.
        unreported: the ids of the questions without a report.
        wide: the ids of the questions whose intervals are too wide, with their margins.
        unasked: the ids of the questions of which nothing can be told among those asked.
        hidden: the ids of the questions that are not shown, because they have few reports.
        precise: the widest margin of a precise finding.
        goal: the widest margin of a finding.
        enough: the keys of the sentences about how many respondents would be enough.
        respondents: their number; "" if no sentence has one.
    """

    findings: tuple[Finding, ...]
    unreported: tuple[str, ...]
    wide: tuple[tuple[str, str], ...]
    unasked: tuple[str, ...]
    hidden: tuple[str, ...]
    precise: str
    goal: str
    enough: tuple[str, ...]
    respondents: str


def summary_view(findings: EditionFindings, labels: Labels) -> SummaryView:
    """The findings of all questions in sentences, and the questions without one."""
    headlines = [
        headline_of(labels.find(each.question), each, findings)
        for each in findings.estimates.questions
    ]
    reported = [each for each in headlines if each.estimate.reports]
    untold = [each for each in reported if each.is_untold]
    wide = [each for each in reported if not each.is_told and not each.is_untold]
    enough, respondents = _enough(wide, findings)
    return SummaryView(
        findings=tuple(_finding(each, labels) for each in reported if each.is_told),
        unreported=tuple(each.question.id for each in headlines if not each.estimate.reports),
        wide=tuple((each.question.id, _margin(each, labels.numbers)) for each in wide),
        unasked=tuple(each.question.id for each in untold),
        hidden=tuple(each.id for each in findings.hidden),
        precise=labels.numbers.margin(100 * float(PRECISE_MARGIN), 0),
        goal=labels.numbers.margin(100 * float(USEFUL_MARGIN), 0),
        enough=enough,
        respondents=labels.numbers.count(_rounded_up(respondents)) if respondents else "",
    )


def _finding(headline: Headline, labels: Labels) -> Finding:
    question = headline.question
    if headline.mean:
        values = _mean_values(question, headline.mean, labels)
        return Finding(question.id, headline.kind, headline.grade, values)

    def quoted(found: OptionEstimate) -> str:
        return labels.quoted(labels.option(question.id, found.option))

    first, *others = headline.shares
    shown = {
        **_frequencies(first, 100 * 10 ** decimals_of(headline.shares), labels.numbers),
        "name": quoted(first),
    }
    rivals = _rivals(first, others) if headline.kind in _CONTESTS else []
    others_quoted = tuple(map(quoted, rivals))
    about = question.id, headline.kind, headline.grade, shown
    return Finding(*about, others_quoted, headline.is_of_asked)


def _mean_values(question: Question, mean: MeanEstimate, labels: Labels) -> dict[str, str]:
    (row,) = mean_chart(question, [("", mean)], labels.numbers).rows
    least, most = map(labels.numbers.short, ends_of(question))
    value = f"{row.value} {labels.unit(question.id)}".rstrip()
    return {"value": _bold(value), "low": row.low, "high": row.high, "least": least, "most": most}


def _frequencies(found: OptionEstimate, base: int, numbers: Numbers) -> dict[str, str]:
    """A share and its interval as how many of a number of people."""
    # Only a share with an interval is told.
    low, high = outward(found.low or 0.0, found.high or 0.0, base)
    share = round(base * (shown_share(found) or 0.0))
    return {
        "share": _bold(numbers.count(share)),
        "base": numbers.count(base),
        "low": numbers.count(round(base * low)),
        "high": numbers.count(round(base * high)),
    }


def _bold(number: str) -> Markup:
    return Markup("<b>{}</b>").format(number)


def _rivals(first: OptionEstimate, others: Sequence[OptionEstimate]) -> list[OptionEstimate]:
    """The options whose intervals reach that of the first."""
    low = 0.0 if first.low is None else first.low
    return [each for each in others if each.high is None or each.high >= low]


def _margin(headline: Headline, numbers: Numbers) -> str:
    return "" if headline.part is None else numbers.margin(min(100.0, 100 * headline.part), 0)


def _enough(wide: Sequence[Headline], findings: EditionFindings) -> tuple[tuple[str, ...], int]:
    """What is said of the respondents that the questions in `wide` need, and their number.

    The number is that of the table of the outlook, for all respondents. It is 0
    if so many have answered already: then the intervals are wide for the reasons that are said.
    """
    needed = [each.respondents for each in wide if not each.is_of_asked]
    known = [each for each in needed if each is not None]
    most = max(known, default=0)
    is_missing = most > findings.estimates.reports
    is_final = findings.estimates.interval is not Interval.ANYTIME
    is_for_now = is_final or looks_at(findings).at_every
    said = {
        "never": len(known) < len(needed),
        "enough": is_missing and is_for_now,
        "enough_at_end": is_missing and not is_for_now,
        "every_look": bool(known) and not is_missing and not is_final,
        "of_asked": any(each.is_of_asked for each in wide),
    }
    keys = tuple(key for key, applies in said.items() if applies)
    # Others need more people than there are.
    is_whole = "never" not in keys
    return tuple(key for key in keys if is_whole or not key.startswith("enough")), (
        most if is_missing and is_whole else 0
    )


def _rounded_up(count: int) -> int:
    """A count with two digits."""
    step = int(10 ** max(0, len(str(count)) - 2))
    return -(-count // step) * step
