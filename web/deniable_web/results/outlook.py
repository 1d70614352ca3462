"""The accuracy of the results now and with more respondents, in words."""

from dataclasses import dataclass
from fractions import Fraction

from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels, PageLocale
from deniable_web.results.numbers import Numbers, decimals_for
from deniable_web.results.planned import GOALS, TIMES, Planned, planned
from deniable_web.results.shares import MISSING


@dataclass(frozen=True, slots=True)
class OutlookRow:
    """One kind of estimate.

    Args:
        name: the text of its question, or of the questions of a crosstab.
        kind: the key of its kind: option, marginal, cell or mean.
        unit: the unit of a mean; "" for shares, and if the author gave none.
        margins: the largest margins now, and with several times the reports.
        respondents: the total number required for each of the goals.
    """

    name: str
    kind: str
    unit: str
    margins: tuple[str, ...]
    respondents: tuple[str, ...]


def outlook(findings: EditionFindings, locale: PageLocale) -> tuple[OutlookRow, ...]:
    """Every kind of estimate of a survey, in its order."""
    reports = _reports_of_blocks(findings)
    confidence, numbers = findings.choices.confidence, locale.numbers
    return tuple(
        OutlookRow(
            name=_name(each, locale.labels),
            kind=each.estimate.estimated.value,
            unit=locale.labels.unit(each.question) if each.is_mean and each.question else "",
            margins=tuple(
                _margin(each, reports[each.block.id] * times, confidence, numbers)
                for times in TIMES
            ),
            respondents=tuple(_count(each, goal, confidence, numbers) for goal in GOALS),
        )
        for each in planned(findings.survey.document)
    )


@dataclass(frozen=True, slots=True)
class WantedRow:
    """How many respondents a margin needs.

    Args:
        name: the text of the question, or of the questions of a crosstab.
        kind: as in OutlookRow.
        respondents: the total number required; "" if there are not so many people.
        more: how many more than have answered so far; "" if these are enough.
    """

    name: str
    kind: str
    respondents: str
    more: str


def wanted(findings: EditionFindings, goal: Fraction, locale: PageLocale) -> tuple[WantedRow, ...]:
    """The respondents for a margin; for a mean, a part of its range."""
    confidence, numbers = findings.choices.confidence, locale.numbers
    rows = []
    for each in planned(findings.survey.document):
        needed = each.respondents(goal, confidence)
        missing = 0 if needed is None else needed - findings.estimates.reports
        rows.append(
            WantedRow(
                name=_name(each, locale.labels),
                kind=each.estimate.estimated.value,
                respondents="" if needed is None else numbers.count(needed),
                more=numbers.count(missing) if missing > 0 else "",
            )
        )
    return tuple(rows)


def _name(planned_estimate: Planned, labels: Labels) -> str:
    if planned_estimate.question is not None:
        return labels.question(planned_estimate.question)
    return " × ".join(labels.question(each.id) for each in planned_estimate.block.questions)


def _margin(each: Planned, reports: int, confidence: float, numbers: Numbers) -> str:
    found = each.margin(reports, confidence)
    if found is None:
        return MISSING
    if not each.is_mean:
        return numbers.margin(100 * found, 1)
    return numbers.margin(found, decimals_for([found]))


def _count(each: Planned, goal: Fraction, confidence: float, numbers: Numbers) -> str:
    needed = each.respondents(goal, confidence)
    return MISSING if needed is None else numbers.count(needed)


def _reports_of_blocks(findings: EditionFindings) -> dict[str, int]:
    """How many reports each block has: the number for its question or crosstab."""
    estimates = findings.estimates
    found = {each.blocks[0]: each.reports for each in estimates.questions}
    return found | {each.block: each.reports for each in estimates.crosstabs}
