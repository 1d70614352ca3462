"""The comparison of groups within a study, which are defined by the answers to a question."""

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimators import Interval, normal_ends
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.estimators.difference import Correction, read_correction
from deniable_analysis.estimators.shares import NORMAL
from deniable_analysis.forms import counted
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.relations.cells import Cells, RowShares, cells_of, row_shares
from deniable_analysis.relations.comparison import (
    adjusted,
    correction_over,
    tested_difference,
)
from deniable_analysis.relations.crosstabs import impossible_shares, row_ends
from deniable_analysis.relations.questions import find_pair, find_question
from deniable_analysis.relations.watched import differences_of
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.comparison import Comparison, Difference


def compare_groups(
    study: ReportedSurvey,
    questions: tuple[str, str],
    groups: tuple[str, str],
    choice: IntervalChoice,
    correction: Correction | str,
) -> Comparison:
    """The differences between two groups of respondents, option by option.

    The groups are randomized answers too: nobody's group is known. So shares
    within groups are cells divided by rows. For one look, variances are by the
    delta method and intervals are normal.

    Errors are those of Study.compare_groups.
    """
    how, is_watched = read_correction(correction), choice.interval is Interval.ANYTIME
    question, by = questions
    options = find_pair(find_question(study, by), groups)
    cells = cells_of(study, by, question)
    covariances = cells.covariances()
    parts = [row_shares(cells, place, covariances) for place in options]
    one, other = (
        _shown(part, group, by, cells.basis.reports)
        for part, group in zip(parts, groups, strict=True)
    )
    if is_watched:
        ends = [row_ends(cells, place, choice.shared(2).among(1)) for place in options]
        differences = differences_of(cells.questions[1].names, (one.shares, other.shares), ends)
    else:
        differences = _differences(cells, (one, other), covariances, choice.confidence)
    return Comparison(
        question=question,
        first=groups[0],
        second=groups[1],
        by=by,
        reports=(cells.basis.reports, cells.basis.reports),
        epsilons=(cells.epsilon, cells.epsilon),
        confidence=choice.confidence,
        interval=choice.interval.value if is_watched else NORMAL,
        correction=how.value,
        options=adjusted(differences, correction_over(cells.questions[1], how)),
        warnings=(*impossible_shares(cells), *_rough(groups, (one, other))),
    )


def _rough(groups: tuple[str, str], parts: tuple[RowShares, RowShares]) -> list[str]:
    return [
        f"the share of {group!r} is hardly above 0 by the reports, so differences from it are "
        "not determined"
        for group, part in zip(groups, parts, strict=True)
        if part.is_rough
    ]


def _shown(part: RowShares | None, group: str, by: str, reports: int) -> RowShares:
    if part is None:
        raise NotIdentified(
            f"nothing in {counted(reports, 'report')} shows that anybody answered {group!r} to "
            f"{by!r}; wait for more reports, or compare larger groups"
        )
    return part


def _differences(
    cells: Cells, sides: tuple[RowShares, RowShares], covariances: Floats, confidence: float
) -> list[Difference]:
    """The difference of each option's shares within two rows, with normal intervals."""
    one, other = sides
    slopes, reach = one.slopes - other.slopes, critical_value(confidence)
    errors = np.sqrt(np.maximum(0.0, np.diag(slopes.T @ covariances @ slopes))).tolist()
    found = []
    rows = zip(one.shares.tolist(), other.shares.tolist(), errors, strict=True)
    for name, (first, second, error) in zip(cells.questions[1].names, rows, strict=True):
        apart = first - second
        ends = normal_ends(apart, error**2, reach)
        z = None if ends[0] is None else apart / error
        found.append(tested_difference(name, (first, second), ends, error, z))
    return found
