"""The values for the template of one edition's results."""

from collections.abc import Mapping, Sequence

from deniable_collector.store.base import StoredSurvey
from deniable_web.planning.forecast_words import file_in_words
from deniable_web.results.crosstabs import crosstab_view
from deniable_web.results.differences import comparison_views
from deniable_web.results.ending import ended_in_words, ending_view, interval_reason
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from deniable_web.results.outlook import GOALS, looks_at, outlook
from deniable_web.results.questions import question_view
from deniable_web.results.summary import summary_view


def has_groups(stored: StoredSurvey) -> bool:
    """Whether the reports of an edition may be counted by group.

    While it accepts reports, two counts would show what the few people of a group who
    answered in between reported.
    """
    return bool(stored.survey.groups) and stored.is_closed and not stored.is_purged


def page_values(
    editions: Sequence[StoredSurvey],
    stored: StoredSurvey,
    state: str,
    findings: EditionFindings,
    labels: Labels,
) -> Mapping[str, object]:
    """All about an edition: findings, the state of the edition and the outlook."""
    estimates, numbers = findings.estimates, labels.numbers
    return {
        **findings_values(findings, labels),
        "editions": [(each.edition, numbers.count(each.edition)) for each in editions],
        "stored": stored,
        "state": state,
        "closed_file": file_in_words(findings.closed_file, numbers),
        "ending": ending_view(stored, estimates.fieldwork, state, labels),
        "outlook": list(outlook(findings, labels)),
        "outlook_text": "text_every" if looks_at(findings).at_every else "text",
        "goals": [numbers.margin(100 * float(goal), 0) for goal in GOALS],
    }


def findings_values(findings: EditionFindings, labels: Labels) -> dict[str, object]:
    """All that was found: in sentences, questions, crosstabs and changes."""
    estimates, numbers = findings.estimates, labels.numbers
    state = estimates.fieldwork
    return {
        "survey": findings.survey,
        "least": findings.least,
        "estimates": estimates,
        "confidence": numbers.percent(estimates.confidence, 0),
        "reason": interval_reason(estimates),
        "caution": "" if state.has_planned_end else ended_in_words(state, numbers.language),
        "summary": summary_view(findings, labels),
        "questions": [question_view(each, findings, labels) for each in estimates.questions],
        "crosstabs": [
            crosstab_view(each, findings, labels) for each in estimates.crosstabs if each.reports
        ],
        "comparisons": comparison_views(tuple(findings.comparisons.values()), labels),
    }
