"""The comparison of two groups of respondents, which are randomized answers too."""

from collections.abc import Sequence

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import Interval
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.intervals import (
    Correction,
    difference_interval,
    read_correction,
    shows_variance,
)
from deniable_analysis.estimate.ratio import possible_whole
from deniable_analysis.forms import finite_or_none
from deniable_analysis.relations.anytime import (
    differences_of,
)
from deniable_analysis.relations.cells import Cells, cells_of
from deniable_analysis.relations.comparison import tested_difference
from deniable_analysis.relations.crosstabs import empty_row, impossible_shares
from deniable_analysis.relations.questions import (
    adjusted,
    find_pair,
    find_question,
)
from deniable_analysis.relations.rows import RowShares, row_shares, variances_of
from deniable_analysis.relations.shares import SCORE
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.answers import answers_of
from deniable_analysis.results.comparison import Comparison, Difference
from deniable_analysis.results.valid import project_to_simplex


def compare_groups(
    study: ReportedSurvey,
    questions: tuple[str, str],
    groups: tuple[str, str],
    choice: IntervalChoice,
    correction: Correction | str,
) -> Comparison:
    """The differences between two groups of respondents, option by option.

    The groups are randomized answers too: nobody's group is known. So shares
    within groups are cells divided by rows, of those who answered. For one look, intervals
    combine those of both groups, and tests are score tests.

    Errors are those of Study.compare_groups.
    """
    how, is_anytime = read_correction(correction), choice.interval is Interval.ANYTIME
    question, by = questions
    places = find_pair(find_question(study, by), groups)
    cells = cells_of(study, by, question)
    names = answers_of(cells.questions[1])
    rule = (choice.shared(2) if is_anytime else choice).among(1)
    one, other = (row_shares(cells, place, len(names), rule) for place in places)
    if is_anytime:
        shares = one.shares, other.shares
        differences = differences_of(names, shares, (one.ends, other.ends))
    else:
        differences = _differences(cells, names, (one, other))
    return Comparison(
        question=question,
        first=groups[0],
        second=groups[1],
        by=by,
        reports=(cells.basis.reports, cells.basis.reports),
        epsilons=(cells.epsilon, cells.epsilon),
        confidence=choice.confidence,
        interval=choice.interval.value if is_anytime else SCORE,
        correction=how.value,
        options=adjusted(differences, cells.questions[1], how),
        warnings=(
            *impossible_shares(cells),
            *(
                empty_row(group)
                for group, part in zip(groups, (one, other), strict=True)
                if not part.is_known
            ),
        ),
    )


def _differences(
    cells: Cells, names: Sequence[str], sides: tuple[RowShares, RowShares]
) -> list[Difference]:
    """The difference of each answer's shares within two rows.

    The test compares B a - b A with 0 for the parts B, b of the rows A, a, under the hypothesis
    that both rows have the same shares. It divides by neither, so it exists where a row may be
    empty.
    """
    one, other = sides
    is_known, covariances = one.is_known and other.is_known, cells.covariances()
    slopes = [side.errors if is_known else np.full_like(side.parts, np.nan) for side in sides]
    errors = _roots(slopes[0] - slopes[1], covariances)
    spreads = _roots(slopes[0], covariances) * _roots(slopes[1], covariances)
    both = np.sum(slopes[0] * (covariances @ slopes[1]), axis=0)
    # Where nothing is known of it, the correlation that makes the interval widest.
    correlations = np.where(spreads > 0, both / np.where(spreads > 0, spreads, 1.0), -1.0)
    weights = np.abs([one.whole, other.whole]) / (abs(one.whole) + abs(other.whole) or 1.0)
    common = project_to_simplex(weights @ np.array([one.shares, other.shares]))
    tested = other.whole * one.slopes(common) - one.whole * other.slopes(common)
    crossed = one.sums * other.whole - other.sums * one.whole
    scales = _roots(tested, _if_equal(cells, sides, common))
    found = []
    for place, name in enumerate(names):
        first, second = (
            (float(side.shares[place]), float(side.ends[0][place]), float(side.ends[1][place]))
            for side in sides
        )
        is_shown = shows_variance(crossed[place], scales[place] ** 2)
        z = float(crossed[place] / scales[place]) if is_shown else None
        ends = difference_interval(first, second, float(correlations[place]))
        pair, error = (first[0], second[0]), finite_or_none(float(errors[place]))
        found.append(tested_difference(name, pair, ends, error, z))
    return found


def _if_equal(cells: Cells, sides: tuple[RowShares, RowShares], common: Floats) -> Floats:
    """The covariances of the cells if both rows have the same shares."""
    table = np.maximum(cells.table().ravel(), 0.0)
    wholes = [possible_whole(side.whole, cells.basis.reports, 0.0) for side in sides]
    for side in sides:
        table[side.inside > 0] = 0.0
    rest, left = float(table.sum()), max(0.0, 1 - sum(wholes))
    table *= left / rest if rest > 0 else 0.0
    for side, whole in zip(sides, wholes, strict=True):
        table += whole * (side.parts @ common)
    return cells.basis.shares_if(cells.membership, table / table.sum()).covariances


def _roots(slopes: Floats, covariances: Floats) -> Floats:
    """The standard errors of sums of cells; arguments are those of variances_of."""
    return np.sqrt(np.maximum(0.0, variances_of(slopes, covariances)))
