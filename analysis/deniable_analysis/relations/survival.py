"""Survival curves from answers that are intervals of time or "not yet"."""

import numpy as np

from deniable_analysis.errors import NotIdentified
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.relations.questions import find_option, find_question
from deniable_analysis.relations.shares import closed_shares, numbers_among_answered
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.numbers import SurvivalCurve
from deniable_analysis.results.shares import named_options


def survival(
    study: ReportedSurvey, question: str, not_yet: str | None, choice: IntervalChoice
) -> SurvivalCurve:
    """The share whose event came after each interval, among those who answered.

    Arguments and errors are those of Study.survival. Everybody is asked after all
    intervals, so only those who answer "not yet" are censored. Greenwood's variance
    is not needed, and would be wrong.
    """
    asked = find_question(study, question)
    found = closed_shares(study, asked)
    options = asked.names[: found.option_count]
    never = options[-1] if not_yet is None else not_yet
    place = find_option(asked, never)
    times = [each for each in range(len(options)) if each != place]
    if place >= len(options):
        raise NotIdentified(
            f"got {never!r} as the option of those without the event; it says that nobody "
            f"answered: allowed are {', '.join(options)}"
        )
    # In a column for each interval, 1 is where an option is later.
    later = np.zeros((len(asked.names), len(times)))
    later[place] = 1
    later[times] = np.tri(len(times), k=-1)
    curve, kind = numbers_among_answered(found, later, choice)
    return SurvivalCurve(
        question=question,
        not_yet=never,
        reports=found.reports,
        epsilon=found.epsilon,
        interval=kind,
        points=named_options([options[time] for time in times], curve),
    )
