"""The values for the template of one edition's results."""

from collections.abc import Mapping

from deniable_collector.store.base import StoredSurvey
from deniable_web.results.crosstabs import crosstab_view
from deniable_web.results.differences import comparison_view
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from deniable_web.results.outlook import outlook
from deniable_web.results.planned import GOALS
from deniable_web.results.questions import question_view


def has_groups(stored: StoredSurvey) -> bool:
    """Whether the reports of an edition may be counted by group.

    While it accepts reports, two counts would show what the few people of a group reported
    who answered in between.
    """
    return stored.survey.invited is not None and stored.is_closed and not stored.is_purged


def page_values(
    stored: StoredSurvey, findings: EditionFindings, labels: Labels
) -> Mapping[str, object]:
    """All estimates of an edition: questions, crosstabs with reports, changes and the outlook."""
    estimates, numbers = findings.estimates, labels.numbers
    return {
        "stored": stored,
        "survey": stored.survey,
        "estimates": estimates,
        "confidence": numbers.percent(estimates.confidence, 0),
        "questions": [question_view(each, findings, labels) for each in estimates.questions],
        "crosstabs": [
            crosstab_view(each, findings.tests.get(each.block), labels)
            for each in estimates.crosstabs
            if each.reports
        ],
        "comparisons": [comparison_view(each, labels) for each in findings.comparisons.values()],
        "outlook": list(outlook(findings, labels)),
        "goals": [numbers.margin(100 * float(goal), 0) for goal in GOALS],
        "has_groups": has_groups(stored) and estimates.reports > 0,
    }
