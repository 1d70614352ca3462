"""Survival curves from answers that name an interval, "not yet" among them."""

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimators import project_to_simplex
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.mechanisms.basis import Basis
from deniable_analysis.mechanisms.share_numbers import NORMAL, Numbers, clip, normal_numbers
from deniable_analysis.relations.questions import find_option, find_question
from deniable_analysis.relations.shares import ClosedShares, OrderedShares, closed_shares
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.quantiles import SurvivalCurve
from deniable_analysis.results.shares import OptionEstimate


def survival(
    study: ReportedSurvey, question: str, not_yet: str | None, choice: IntervalChoice
) -> SurvivalCurve:
    """The share of those who answered whose event came after each interval.

    Everybody is asked after all intervals, so nobody is censored but those
    who say "not yet": Greenwood's variance is not needed, and does not hold.

    Args:
        study: of the question.
        question: whose options are intervals in order, and "not yet".
        not_yet: the option of those without the event; the last if None.
        choice: which intervals.
    Raises:
        QuestionNotFound: there is no such question or option.
        NotIdentified: fewer than two options, or not by subset selection, or
            without reports, or nobody seems to have answered.
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
    later = _later(times, place, len(asked.names))
    curve, kind = numbers_among_answered(found, later, choice)
    return SurvivalCurve(
        question=question,
        not_yet=never,
        reports=found.reports,
        epsilon=found.epsilon,
        interval=kind,
        points=tuple(
            OptionEstimate(option=options[time], **numbers)
            for time, numbers in zip(times, curve, strict=True)
        ),
    )


def _later(times: list[int], never: int, size: int) -> Floats:
    """(options, intervals) 1 where an option is later than an interval."""
    later = np.zeros((size, len(times)))
    later[never] = 1
    for column in range(len(times)):
        later[times[column + 1 :], column] = 1
    return later


def numbers_among_answered(
    found: ClosedShares, later: Floats, choice: IntervalChoice
) -> tuple[list[Numbers], str]:
    """The numbers of sums of options' shares among those who answered, and their interval.

    Args:
        found: the shares of all options.
        later: (options, sums) 1 where a sum contains an option, "no answer" last.
        choice: which intervals.
    Raises:
        NotIdentified: nobody seems to have answered.
    """
    rule = choice.among(later.shape[1])
    projected = project_to_simplex(found.shares.shares)
    answered = projected[: found.option_count].sum()
    valid = later.T @ projected / answered if answered > 0 else np.zeros(later.shape[1])
    if _is_counted(found.basis, later) and not found.question.offers_no_answer and found.basis:
        rows = [
            found.basis.numbers(found.membership @ later[:, [column]], rule)[0]
            for column in range(later.shape[1])
        ]
        kind = rule.interval.value
    else:
        rows, kind = ratio_numbers(found.ordered, later, choice), NORMAL
    shown: list[Numbers] = [
        {**row, "valid_share": each} for row, each in zip(rows, valid.tolist(), strict=True)
    ]
    return shown, kind


def _is_counted(basis: Basis | None, later: Floats) -> bool:
    """Whether the reports that support any number of options are counts."""
    return basis is not None and basis.is_binomial(int(later.sum(axis=0).max()) + 1)


def ratio_numbers(found: OrderedShares, later: Floats, choice: IntervalChoice) -> list[Numbers]:
    """Sums of shares over the share of those who answered, by the delta method.

    Args:
        found: the shares of all answers.
        later: (answers, sums) 1 where a sum contains an answer.
        choice: how sure the intervals are; they are always normal.
    Raises:
        NotIdentified: nobody seems to have answered.
    """
    shares, scale = found.shares.shares, found.shares.sampling_scale
    inside = np.zeros(len(shares))
    inside[: found.option_count] = 1
    answered = float(inside @ shares)
    if answered <= 0:
        raise NotIdentified(
            f"the reports do not show that anybody answered {found.question!r}; wait for more"
        )
    values = later.T @ shares / answered
    slopes = (later - np.outer(inside, values)) / answered
    drawn = (np.diag(shares) - np.outer(shares, shares)) * scale
    parts = (
        np.sum(slopes * (found.shares.mechanism_part @ slopes), axis=0),
        np.sum(slopes * (drawn @ slopes), axis=0),
    )
    rule = choice.among(len(values))
    return normal_numbers(values, parts, found.reports, rule, clip)
