"""The questions and options of a relation, with errors if they do not exist."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from deniable_analysis.arguments import as_list, kind_of, named
from deniable_analysis.defaults import Interval
from deniable_analysis.errors import (
    DifferentQuestions,
    InvalidArgument,
    NotAStudy,
    NotIdentified,
    QuestionNotFound,
)
from deniable_analysis.estimate.choice import IntervalChoice, check_population
from deniable_analysis.estimate.intervals import Correction, corrected
from deniable_analysis.reports.reported import ReportedSurvey, choose_intervals
from deniable_analysis.results.answers import answers_of
from deniable_analysis.results.comparison import Difference
from deniable_analysis.results.editions import OptionTrend
from deniable_sdk.mechanisms import OneOf, Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question
from deniable_sdk.wording import near_names

_Tested = TypeVar("_Tested", Difference, OptionTrend)


def find_question(study: ReportedSurvey, question_id: object) -> Question:
    """The question of this id; QuestionNotFound if the survey does not have it."""
    for question in study.survey.reported:
        if isinstance(question_id, str) and question.id == question_id:
            return question
    ids = [question.id for question in study.survey.reported]
    listed = near_names(question_id, ids, f"survey {study.survey.slug!r} has")
    raise QuestionNotFound(f"got the question {named(question_id)}; {listed}")


def subset_blocks(study: ReportedSurvey, question: Question) -> tuple[Block, ...]:
    """The blocks that identify the shares of all of a question's options.

    Raises:
        NotIdentified: there is no such block.
    """
    blocks = tuple(block for block in study.survey.blocks if question in block.questions)
    found = tuple(block for block in blocks if isinstance(block.mechanism, Subset))
    if found and not question.accepts_several:
        return found
    raise NotIdentified(
        f"question {question.id!r} ({question.type}) is randomized by "
        f"{blocks[0].mechanism.name!r}, which does not estimate the shares of its options "
        "together; this requires a yes_no, choice or scale randomized by 'subset'"
    )


def nothing_reported(study: ReportedSurvey, question: Question) -> NotIdentified:
    """The error for a question without a report."""
    return NotIdentified(
        f"no report of {label(study)} carries question {question.id!r} yet; wait for reports"
    )


def find_option(question: Question, option: object) -> int:
    """The index of an option among a question's names.

    Raises:
        QuestionNotFound: the question does not have it.
    """
    if isinstance(option, str) and option in question.names:
        return question.names.index(option)
    listed = near_names(option, question.names, f"question {question.id!r} has")
    raise QuestionNotFound(f"got the option {named(option)}; {listed}")


def find_pair(question: Question, options: Any) -> tuple[int, int]:
    """The indexes of two different options of a question.

    Raises:
        QuestionNotFound: the question does not have one of them, or they are
            not two different options.
    """
    answers = ", ".join(answers_of(question))
    allowed = f"two different answers to question {question.id!r}: {answers}"
    pair = as_list(options) or []
    if len(pair) != 2:
        raise QuestionNotFound(
            f"groups: got {kind_of(options)}, or not two of them; allowed are {allowed}"
        )
    first, second = (find_option(question, option) for option in pair)
    if NO_ANSWER in pair:
        raise QuestionNotFound(f"groups: got {NO_ANSWER!r}; allowed are {allowed}")
    if first == second:
        raise QuestionNotFound(f"groups: got {named(pair[0])} twice; allowed are {allowed}")
    return first, second


def read_studies(studies: Any) -> list[ReportedSurvey]:
    """The list of the studies of a comparison or a pooled estimate.

    Those of a mapping have its keys as their names.

    Raises:
        NotAStudy: it is not a list, or one of its members is not a study.
        InvalidArgument: a study has two names.
    """
    if isinstance(studies, Mapping):
        given = read_studies([*studies.values()])
        if len(set(map(id, given))) < len(given):
            raise InvalidArgument("got a study under two names; the respondents must be different")
        return [replace(each, name=str(name)) for name, each in zip(studies, given, strict=True)]
    found = as_list(studies)
    if found is None:
        raise NotAStudy(
            f"studies: got {kind_of(studies)}; allowed is a list of studies, like those of "
            "open_editions"
        )
    for each in found:
        if not isinstance(each, ReportedSurvey):
            raise NotAStudy(
                f"got {kind_of(each)} where a study belongs; allowed is what open_study or "
                "open_editions returns"
            )
    return found


class _Warned(Protocol):
    """A result with warnings."""

    @property
    def warnings(self) -> tuple[str, ...]: ...


Result = TypeVar("Result", bound=_Warned)


def with_caution(result: Result, *studies: ReportedSurvey) -> Result:
    """A result that is for one look, with the warnings that this and its sites cause."""
    return _warned(
        result, (text for study in studies for text in (*study.caution, *study.about_sites))
    )


def with_sites(result: Result, study: ReportedSurvey) -> Result:
    """A result with the sentences that belong to all results of its sites."""
    return _warned(result, study.about_sites)


def _warned(result: Result, texts: Iterable[str]) -> Result:
    """A result with more warnings, each once."""
    warnings = (*result.warnings, *dict.fromkeys(texts))
    found: Result = replace(result, warnings=warnings)  # type: ignore[type-var]
    return found


def read_choice(
    study: ReportedSurvey,
    interval: Interval | str | None,
    confidence: float,
    population: int | None,
    simultaneous: bool = False,
) -> IntervalChoice:
    """The choice of intervals for a study; the default population is that of the invited.

    Raises:
        NotAStudy: study is not a study; and the errors of share_above.
    """
    read_studies([study])
    choice = choose_intervals([study], interval, confidence, simultaneous, population)
    if population is None:
        return replace(choice, population=study.population)
    check_population(population, study.report_count)
    return choice


def check_same_question(studies: Sequence[ReportedSurvey], question_id: str) -> Question:
    """The question, if it has the same wording in all of these studies.

    Raises:
        QuestionNotFound: a survey does not have the question.
        DifferentQuestions: the question is not the same in all of them.
        InvalidArgument: a study occurs twice.
        NotAStudy: one of them is not a study.
    """
    read_studies(studies)
    if len(set(map(id, studies))) < len(studies):
        raise InvalidArgument(
            f"got {label(studies[0])} or another study twice; what is compared or pooled are the "
            "answers of different people"
        )
    questions = [find_question(study, question_id) for study in studies]
    first = questions[0].to_document()
    for study, question in zip(studies[1:], questions[1:], strict=True):
        other = question.to_document()
        keys = [key for key in {**first, **other} if first.get(key) != other.get(key)]
        if keys:
            raise DifferentQuestions(
                f"question {question_id!r} of {label(study)} differs from that of "
                f"{label(studies[0])} in: {', '.join(keys)}; compare and pool only what was asked "
                "in the same words"
            )
    return questions[0]


def label(study: ReportedSurvey) -> str:
    """The name of a study in results: its own, or slug@edition; and the groups if not all."""
    group = f" {study.stratum.name}" if study.stratum else ""
    return f"{study.name or f'{study.survey.slug}@{study.edition}'}{group}"


def is_one_comparison(question: Question) -> bool:
    """Whether the differences of a question are one comparison: of two options that sum to 1."""
    return isinstance(question.domain, OneOf) and len(question.names) == 2


def adjusted(
    tests: Sequence[_Tested], question: Question, correction: Correction
) -> tuple[_Tested, ...]:
    """The same differences or trends of a question's options, with adjusted p-values."""
    is_one = isinstance(question.domain, OneOf) and len(tests) == 2
    how = Correction.NONE if is_one else correction
    p_values = corrected([each.p_value for each in tests], how)
    return tuple(
        replace(each, adjusted_p_value=p_value)  # type: ignore[arg-type]  # trends have one
        for each, p_value in zip(tests, p_values, strict=True)
    )
