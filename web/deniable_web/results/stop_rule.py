"""Whether the results of a survey are precise enough to close it, as its `stop_when` says.

The analysis is imported by the first survey that needs it: a server starts without it.
"""

from typing import TYPE_CHECKING, Final

from deniable_sdk import PublishedSurvey

if TYPE_CHECKING:
    from deniable_analysis.results import OptionEstimate
    from deniable_storage.counts import SurveyCounts

_CONFIDENCE: Final = 0.95


def has_stop_rule(survey: PublishedSurvey) -> bool:
    """Whether a survey closes when its results are precise enough."""
    return survey.window is not None and survey.window.stop_when is not None


def is_precise(survey: PublishedSurvey, counts: "SurveyCounts") -> bool:
    """Whether every share of the questions in `stop_when` is known to within its margin.

    A share is precise if half of its interval for every look is at most the margin. A share
    without an interval is not precise, so a survey without reports is not.

    Args:
        survey: a survey to which the rule applies.
        counts: those of all its blocks.
    """
    from deniable_analysis.defaults import Interval  # noqa: PLC0415 - see above
    from deniable_analysis.estimate.choice import IntervalChoice  # noqa: PLC0415 - see above
    from deniable_analysis.estimate.questions import estimate_question  # noqa: PLC0415 - see above
    from deniable_analysis.reports.reported import planned_reports  # noqa: PLC0415 - see above

    rule = survey.window and survey.window.stop_when
    if not rule:
        return False
    margin = float(rule.margin)
    choice = IntervalChoice(
        Interval.ANYTIME, _CONFIDENCE, simultaneous=False, planned=planned_reports(survey)
    )
    questions = (each for each in survey.questions if each.id in rule.questions)
    return all(
        _is_within(option, margin)
        for question in questions
        for option in estimate_question(survey, question, counts, choice).options
    )


def _is_within(option: "OptionEstimate", margin: float) -> bool:
    if option.low is None or option.high is None:
        return False
    return (option.high - option.low) / 2 <= margin
