"""The accuracy of the results now and with more respondents, for each kind of estimate."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from deniable_analysis import Estimates
from deniable_analysis.errors import Infeasible
from deniable_analysis.planning import Estimated, PlannedEstimate, planned_estimates
from deniable_analysis.planning.looks import Looks
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.survey.block import Block
from deniable_web.pages.numbers import MISSING, decimals_for
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels

# For a share in points, for a mean in percent of its range.
GOALS = (Fraction(5, 100), Fraction(3, 100), Fraction(1, 100))
TIMES = (1, 2, 4)
# More than there are.
_PEOPLE = 10**10


@dataclass(frozen=True, slots=True)
class Planned:
    """One kind of estimate of a survey, and the margin that it allows.

    Args:
        block: the block that it is computed from.
        estimate: the planned estimate.
        part: how likely a respondent is asked the block.
    """

    block: Block
    estimate: PlannedEstimate
    part: Fraction

    @property
    def is_mean(self) -> bool:
        """Whether it is a mean, which has its own unit."""
        return self.estimate.estimated is Estimated.MEAN

    def margin(self, reports: float, looks: Looks) -> float | None:
        """The largest margin with this number of the block's reports; None without any."""
        if reports <= 0:
            return None
        return looks.margin(self.estimate, reports, self.part) * float(self.estimate.length)

    def respondents(self, goal: Fraction, looks: Looks) -> int | None:
        """The respondents of the whole survey for a margin; for a mean, a part of its range.

        None if there are not so many people.
        """
        try:
            needed = looks.respondents_for(self.estimate, goal, self.part)
        except Infeasible:
            return None
        return needed if needed <= _PEOPLE else None


def looks_at(findings: EditionFindings) -> Looks:
    """How the results of an edition are looked at once it has ended, if it ends as announced.

    An edition without an end of its own, of which somebody saw results, has intervals that hold
    at every look; so has one that was extended, or whose margin ends it.
    """
    window, estimates = findings.survey.window, findings.estimates
    fieldwork = estimates.fieldwork
    will_be_final = fieldwork.has_planned_end or (
        fieldwork.end is None
        and not fieldwork.is_extended
        and window is not None
        and window.has_own_end
    )
    respondents = window.respondents if window else None
    return Looks(not will_be_final, respondents, estimates.confidence)


@lru_cache(maxsize=64)
def planned(document: bytes) -> tuple[Planned, ...]:
    """All estimates of the survey with these published bytes, in the order of its blocks."""
    survey = PublishedSurvey.from_bytes(document)
    return tuple(
        Planned(block, estimate, survey.part(block))
        for block in survey.blocks
        for estimate in planned_estimates(block, Target.SHARES)
    )


@dataclass(frozen=True, slots=True)
class OutlookRow:
    """One kind of estimate.

    Args:
        name: the text of its question, or of the questions of a crosstab.
        kind: the key of its kind: option, marginal, cell or mean.
        unit: the unit of a mean; "" for shares, and if the author gave none.
        cells: the numbers about it, in words.
    """

    name: str
    kind: str
    unit: str
    cells: tuple[str, ...]


def outlook(findings: EditionFindings, labels: Labels) -> Iterator[OutlookRow]:
    """For each kind of estimate of a survey, its margins and the respondents for each goal.

    The margins are the largest ones now, and with several times the reports.
    """
    reports, looks = reports_of_blocks(findings.estimates), looks_at(findings)
    for each in planned(findings.survey.document):
        counts = (reports.get(each.block.id, 0) * times for times in TIMES)
        margins = (_margin(each, count, looks, labels) for count in counts)
        needed = (each.respondents(goal, looks) for goal in GOALS)
        respondents = (MISSING if each is None else labels.numbers.count(each) for each in needed)
        yield _row(each, labels, *margins, *respondents)


def wanted(findings: EditionFindings, goal: Fraction, labels: Labels) -> Iterator[OutlookRow]:
    """For each kind of estimate, the respondents for a margin, and how many more these are.

    For a mean, the margin is a part of its range. Instead of respondents it is "" if there
    are not so many people, and instead of more respondents if there are enough.
    """
    numbers, looks = labels.numbers, looks_at(findings)
    for each in planned(findings.survey.document):
        needed = each.respondents(goal, looks) or 0
        more = needed - findings.estimates.reports
        counts = (numbers.count(count) if count > 0 else "" for count in (needed, more))
        yield _row(each, labels, *counts)


def _row(found: Planned, labels: Labels, *cells: str) -> OutlookRow:
    question = found.estimate.question
    asked = [each.id for each in found.block.questions] if question is None else [question]
    return OutlookRow(
        " × ".join(map(labels.question, asked)),
        found.estimate.estimated.value,
        labels.unit(question) if found.is_mean and question else "",
        cells,
    )


def _margin(found: Planned, reports: int, looks: Looks, labels: Labels) -> str:
    margin = found.margin(reports, looks)
    if margin is None:
        return MISSING
    if found.is_mean:
        return labels.numbers.margin(margin, decimals_for([margin]))
    return labels.numbers.margin(100 * margin, 1)


def reports_of_blocks(estimates: Estimates) -> dict[str, int]:
    """How many reports each block has that is shown: the number for its question or crosstab."""
    found = {each.blocks[0]: each.reports for each in estimates.questions}
    return found | {each.block: each.reports for each in estimates.crosstabs}
