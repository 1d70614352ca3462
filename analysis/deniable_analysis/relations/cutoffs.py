"""Shares among those who answered, summed over several answers.

They are those at or above a cut-off, below it, or with given answers; and in a
survival curve, those whose event came after each interval of time.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arguments import as_list, kind_of
from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import DEFAULT_CONFIDENCE, Interval
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.tallies import Numbers
from deniable_analysis.relations.number_shares import number_counts, number_shares
from deniable_analysis.relations.questions import find_option, find_question, read_choice
from deniable_analysis.relations.shares import QuestionShares, closed_shares, ratio_numbers
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.answers import answers_of
from deniable_analysis.results.numbers import SurvivalCurve
from deniable_analysis.results.screening import SummedShare
from deniable_analysis.results.shares import OptionEstimate, named_options
from deniable_sdk.survey.decimals import format_units, parse_number
from deniable_sdk.survey.questions import Question


@dataclass(frozen=True, slots=True)
class SummedAnswers:
    """Some answers to a question, in order.

    Args:
        places: indexes of the answers among the question's names.
        words: description for people, like "mild or above".
    """

    places: tuple[int, ...]
    words: str


def share_above(  # noqa: PLR0913 - a cut-off; the rest are keywords, as for estimate
    study: ReportedSurvey,
    question: str,
    cutoff: object,
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    interval: Interval | str | None = None,
    population: int | None = None,
) -> SummedShare:
    """The share at a cut-off or above it, among those who answered.

    Args:
        study: study of the question.
        question: id of a question with ordered options: the bands of a score,
            the levels of a scale, or numbers.
        cutoff: first option that counts, or any number.
        confidence: nominal coverage of the interval, between 0 and 1.
        interval: which interval, or its name; by default "wilson" if the survey
            ended as planned, otherwise "anytime", which holds at every look. If
            the number of supporting reports is not a binomial count, the
            interval for one look is that of a score test.
        population: size of the population, if the respondents are a large part
            of it; the interval is then shorter. By default the number of
            invited people, if people are invited.
    Raises:
        QuestionNotFound: there is no such question or option.
        NotIdentified: there is no report, the mechanism identifies only the
            mean, or everybody or nobody is at or above the cut-off.
        InvalidArgument: the population is smaller than the number of reports; confidence is not
            between 0 and 1; there is no such interval.
    """
    choice = read_choice(study, interval, confidence, population)
    asked = find_question(study, question)
    return summed_share(study, asked, answers_above(asked, cutoff), choice)


def share_below(  # noqa: PLR0913 - as share_above
    study: ReportedSurvey,
    question: str,
    cutoff: object,
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    interval: Interval | str | None = None,
    population: int | None = None,
) -> SummedShare:
    """The share below a cut-off, among those who answered; for scores whose low values are cases.

    Arguments and errors are those of share_above. The cut-off itself does not
    count, so the two shares sum to 1.
    """
    choice = read_choice(study, interval, confidence, population)
    asked = find_question(study, question)
    return summed_share(study, asked, answers_below(asked, cutoff), choice)


def answers_above(question: Question, cutoff: object) -> SummedAnswers:
    """The answers at a cut-off or above it; errors are those of share_above."""
    first, name = _find_cutoff(question, cutoff)
    return SummedAnswers(tuple(range(first, len(answers_of(question)))), f"{name} or above")


def answers_below(question: Question, cutoff: object) -> SummedAnswers:
    """The answers below a cut-off; errors are those of share_above."""
    first, name = _find_cutoff(question, cutoff)
    return SummedAnswers(tuple(range(first)), f"below {name}")


def answers_named(question: Question, names: object) -> SummedAnswers:
    """One answer, or a list of several.

    Raises:
        QuestionNotFound: there is no such option.
        NotIdentified: the list is empty, contains all options, or contains "no
            answer".
    """
    listed = as_list(names)
    given = [names] if listed is None else listed
    places = sorted({find_option(question, _name(each)) for each in given})
    count = len(answers_of(question))
    if not 0 < len(places) < count or max(places) >= count:
        raise NotIdentified(
            f"got {kind_of(names)} as answers to {question.id!r}: none, all of them, or "
            f'"no answer"; allowed are some of {_listed(question.names[:count])}'
        )
    return SummedAnswers(tuple(places), " or ".join(question.names[each] for each in places))


def _name(option: object) -> object:
    """A number as the name of an option."""
    units = parse_number(option)
    return option if units is None or isinstance(option, str) else format_units(units)


def _find_cutoff(question: Question, cutoff: object) -> tuple[int, str]:
    """The index and the name of the first answer that is not below a cut-off.

    Raises:
        QuestionNotFound: there is no such option.
        NotIdentified: the cut-off is at or below the first option, above the
            last one, or is "no answer".
    """
    names, units = answers_of(question), parse_number(cutoff)
    if question.grid and units is not None:
        first, name = bisect_left(question.grid, units), format_units(units)
    else:
        name = str(cutoff)
        first = find_option(question, name)
    if not 0 < first < len(names):
        raise NotIdentified(
            f"got the cut-off {name!r}; allowed are {_listed(names[1:])}: all but the first, "
            f'which everybody reaches, and "no answer"'
        )
    return first, name


def _listed(names: Iterable[str]) -> str:
    every = tuple(names)
    return ", ".join(every[:5]) + (", ..." if len(every) > 5 else "")


def summed_share(
    study: ReportedSurvey, question: Question, answers: SummedAnswers, choice: IntervalChoice
) -> SummedShare:
    """The share with some answers, not all, among those who answered.

    Raises:
        NotIdentified: there is no report, or the mechanism does not identify
            shares.
    """
    inside = np.zeros(len(question.names))
    inside[list(answers.places)] = 1
    number = number_counts(study, question)
    if number is None:
        found, summed = closed_shares(study, question), inside[:, np.newaxis]
    else:
        found = number_shares(question, number, inside)
        summed = np.eye(len(found.valid))[:, [1]]
    (numbers,), kind = numbers_among_answered(found, summed, choice)
    answered = found.shares.shares[: found.option_count].sum()
    return SummedShare(
        question=question.id,
        answers=answers.words,
        reports=found.reports,
        epsilon=found.epsilon,
        confidence=choice.confidence,
        interval=kind,
        share=OptionEstimate(option=answers.words, **numbers),
        answered=float(answered) if question.offers_no_answer else 1.0,
    )


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
    options = answers_of(asked)
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


def numbers_among_answered(
    found: QuestionShares, later: Floats, choice: IntervalChoice
) -> tuple[list[Numbers], str]:
    """The numbers of sums of shares among those who answered, and the kind of interval.

    In `later`, (options, sums) with "no answer" last, 1 is where a sum contains an
    option.

    Raises:
        NotIdentified: nobody seems to have answered.
    """
    rule, margins = choice.among(later.shape[1]), found.margins
    answered = found.valid[: found.option_count].sum()
    valid = later.T @ found.valid / answered if answered > 0 else np.zeros(later.shape[1])
    most = int(later.sum(axis=0).max()) + 1
    is_alone = len(margins) == 1 and not found.question.offers_no_answer
    if is_alone and margins[0].basis.is_binomial(most):
        (margin,) = margins
        rows = [
            margin.basis.numbers(margin.membership @ later[:, [column]], rule)[0]
            for column in range(later.shape[1])
        ]
        kind = rule.interval.value
    else:
        rows, kind = ratio_numbers(found, later, choice)
    shown: list[Numbers] = [
        {**row, "valid_share": each} for row, each in zip(rows, valid.tolist(), strict=True)
    ]
    return shown, kind
