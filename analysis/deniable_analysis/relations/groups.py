"""The comparison of groups within a study, which are defined by the answers to a question."""

import numpy as np

from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimators import normal_ends
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.estimators.difference import Correction, read_correction, two_sided
from deniable_analysis.forms import counted
from deniable_analysis.relations.cells import RowShares, cells_of, row_shares
from deniable_analysis.relations.comparison import adjusted, correction_over
from deniable_analysis.relations.crosstabs import impossible_shares
from deniable_analysis.relations.questions import find_pair, find_question
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.comparison import Comparison, Difference


def compare_groups(
    study: ReportedSurvey,
    questions: tuple[str, str],
    groups: tuple[str, str],
    confidence: float,
    correction: Correction | str,
) -> Comparison:
    """The differences between two groups of respondents, option by option.

    The groups are randomized answers too: nobody's group is known. So shares
    within groups are cells divided by rows, with variances by the delta method.

    Errors are those of Study.compare_groups.
    """
    reach, how = critical_value(confidence), read_correction(correction)
    question, by = questions
    options = find_pair(find_question(study, by), groups)
    cells = cells_of(study, by, question)
    covariances = cells.covariances()
    parts = [row_shares(cells, place, covariances) for place in options]
    one, other = (
        _shown(part, group, by, cells.basis.reports)
        for part, group in zip(parts, groups, strict=True)
    )
    slopes = one.slopes - other.slopes
    errors = np.sqrt(np.maximum(0.0, np.diag(slopes.T @ covariances @ slopes))).tolist()
    names = cells.questions[1].names
    pairs = zip(one.shares.tolist(), other.shares.tolist(), strict=True)
    differences = [
        _difference(name, pair, error, reach)
        for name, pair, error in zip(names, pairs, errors, strict=True)
    ]
    return Comparison(
        question=question,
        first=groups[0],
        second=groups[1],
        by=by,
        reports=(cells.basis.reports, cells.basis.reports),
        epsilons=(cells.epsilon, cells.epsilon),
        confidence=confidence,
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


def _difference(name: str, shares: tuple[float, float], error: float, reach: float) -> Difference:
    apart = shares[0] - shares[1]
    low, high = normal_ends(apart, error**2, reach)
    z = None if low is None else apart / error
    return Difference(
        name=name,
        first=shares[0],
        second=shares[1],
        difference=apart,
        low=low,
        high=high,
        standard_error=error,
        z=z,
        p_value=two_sided(z),
    )
