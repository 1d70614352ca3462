"""What was found, in sentences; and what cannot be told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from deniable_analysis import MeanEstimate, OptionEstimate
from deniable_sdk.survey.questions import Question
from deniable_web.forecast.thresholds import USEFUL_MARGIN
from deniable_web.results.findings import EditionFindings
from deniable_web.results.headlines import Headline, headline_of
from deniable_web.results.labels import Labels
from deniable_web.results.means import ends_of, mean_chart
from deniable_web.results.numbers import Numbers, outward
from deniable_web.results.shares import decimals_of, shown_share

# The kinds of findings that name one of several answers.
_CONTESTS = ("common", "chosen")


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one question.

    Args:
        question: the id of the question.
        kind: the key of the sentence.
        values: what is filled in: the finding, and its interval.
        rivals: the answers that may be as common, in quotation marks.
        is_of_asked: whether it is about those who were asked only.
    """

    question: str
    kind: str
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
        goal: the widest margin of a finding.
        respondents: the number that would be enough for all in `wide`; "" if none is.
    """

    findings: tuple[Finding, ...]
    unreported: tuple[str, ...]
    wide: tuple[tuple[str, str], ...]
    unasked: tuple[str, ...]
    goal: str
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
    return SummaryView(
        findings=tuple(_finding(each, labels) for each in reported if each.is_told),
        unreported=tuple(each.question.id for each in headlines if not each.estimate.reports),
        wide=tuple((each.question.id, _margin(each, labels.numbers)) for each in wide),
        unasked=tuple(each.question.id for each in untold),
        goal=labels.numbers.margin(100 * float(USEFUL_MARGIN), 0),
        respondents=_respondents(wide, labels.numbers),
    )


def _finding(headline: Headline, labels: Labels) -> Finding:
    question = headline.question
    if headline.mean:
        return Finding(question.id, headline.kind, _mean_values(question, headline.mean, labels))

    def quoted(found: OptionEstimate) -> str:
        return labels.quoted(labels.option(question.id, found.option))

    first, *others = headline.shares
    values = {
        **_frequencies(first, 100 * 10 ** decimals_of(headline.shares), labels.numbers),
        "name": quoted(first),
    }
    rivals = _rivals(first, others) if headline.kind in _CONTESTS else []
    is_of_asked = headline.estimate.among is not None
    return Finding(question.id, headline.kind, values, tuple(map(quoted, rivals)), is_of_asked)


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


def _respondents(wide: Sequence[Headline], numbers: Numbers) -> str:
    """How many respondents would be enough for all; "" if no number is."""
    needed = [each.respondents for each in wide]
    known = [each for each in needed if each is not None]
    if not known or len(known) < len(needed):
        return ""
    most = max(known)
    # Two digits, rounded up.
    step = 10 ** max(0, len(str(most)) - 2)
    return numbers.count(-(-most // step) * step)
