"""The comparison of groups within a study, which are defined by the answers to a question."""

import numpy as np

from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimators import normal_ends
from deniable_analysis.estimators.confidence import comparisons_among, critical_value
from deniable_analysis.estimators.difference import Correction, two_sided
from deniable_analysis.forms import counted
from deniable_analysis.relations.cells import cells_of
from deniable_analysis.relations.comparison import DifferenceRule, adjusted
from deniable_analysis.relations.conditional import RowShares, row_shares
from deniable_analysis.relations.crosstabs import impossible_shares
from deniable_analysis.relations.questions import find_pair, find_question
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.comparison import Comparison, Difference


def compare_groups(
    study: ReportedSurvey, question: str, by: str, groups: tuple[str, str], rule: DifferenceRule
) -> Comparison:
    """The differences between two groups of respondents, option by option.

    The groups are randomized answers too: nobody's group is known. So shares
    within groups are cells divided by rows, with variances by the delta method.

    Raises:
        QuestionNotFound: there is no such question or option.
        NotIdentified: the estimated share of a group is not above 0.
        NotAskedTogether: nobody was asked both questions.
    """
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
    count = comparisons_among(len(names)) if rule.choice.simultaneous else 1
    reach = critical_value(rule.choice.confidence, count)
    pairs = zip(one.shares.tolist(), other.shares.tolist(), strict=True)
    differences = [
        _difference(name, pair, error, reach)
        for name, pair, error in zip(names, pairs, errors, strict=True)
    ]
    correction = Correction.NONE if len(names) == 2 else rule.correction
    rough = [
        f"the share of {group!r} is hardly above 0 by the reports, so differences from it are "
        "not determined"
        for group, part in zip(groups, (one, other), strict=True)
        if part.is_rough
    ]
    return Comparison(
        question=question,
        first=groups[0],
        second=groups[1],
        by=by,
        reports=(cells.basis.reports, cells.basis.reports),
        epsilons=(cells.epsilon, cells.epsilon),
        confidence=rule.choice.confidence,
        correction=rule.correction.value,
        options=adjusted(differences, correction),
        warnings=(*impossible_shares(cells), *rough),
    )


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
