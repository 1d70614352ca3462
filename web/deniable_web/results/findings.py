"""All numbers of a survey's page, computed once and then cached, and their rows by group."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from deniable_analysis import Estimates, Interval, Study, compare
from deniable_analysis.errors import DifferentQuestions, NotIdentified, QuestionNotFound
from deniable_analysis.privacy import FilePrivacy
from deniable_analysis.results import (
    CellEstimate,
    Comparison,
    GroupedQuestion,
    IndependenceTest,
    MeanEstimate,
    OptionEstimate,
    Quantiles,
    QuestionEstimate,
)
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.questions import Question

QUARTILES = (0.25, 0.5, 0.75)

# All reports, each of which counts the same.
ALL_REPORTS = "all reports"


@dataclass(frozen=True, slots=True)
class ResultChoices:
    """The options for showing results.

    Args:
        confidence: how often an interval contains the true value.
        interval: the kind of interval; None for the one that the survey's end allows.
        least: the fewest reports of each part of the results that is shown.
    """

    confidence: float
    interval: Interval | None
    least: int = 0


@dataclass(frozen=True, slots=True)
class EditionFindings:
    """The estimates of one edition.

    Args:
        survey: the survey of the edition.
        estimates: the estimates for every question and crosstab.
        quantiles: the quantiles, by question; only some questions have any.
        tests: the tests of independence, by the block of a crosstab of two questions.
        within: the shares within each of the rows and of the columns of a crosstab of two
            questions, by its block; in the order of its cells.
        comparisons: the comparisons with an earlier edition, by question.
        closed_file: what all reports of the closed survey together say about one person;
            None if that is unknown.
        least: the fewest reports of each part that is shown.
    """

    survey: PublishedSurvey
    estimates: Estimates
    quantiles: Mapping[str, Quantiles]
    tests: Mapping[str, IndependenceTest]
    within: Mapping[str, Mapping[str, Sequence[CellEstimate]]]
    comparisons: Mapping[str, Comparison]
    closed_file: FilePrivacy | None = None
    least: int = 0

    @property
    def hidden(self) -> tuple[Question, ...]:
        """The questions that are not shown, because they have few reports."""
        shown = {each.question for each in self.estimates.questions}
        return tuple(each for each in self.survey.reported if each.id not in shown)


def find(study: Study, choices: ResultChoices, earlier: Study | None = None) -> EditionFindings:
    """A study's findings, compared with those of an earlier edition if there is one."""
    estimates = study.estimate(confidence=choices.confidence, interval=choices.interval)
    return EditionFindings(
        survey=study.survey,
        estimates=shown_estimates(estimates, choices.least),
        quantiles=_quantiles(study, choices),
        tests=_tests(study),
        within=_within(study, choices),
        comparisons={} if earlier is None else _comparisons(study, earlier, choices),
        closed_file=study.closed_file(),
        least=choices.least,
    )


def shown_estimates(estimates: Estimates, least: int) -> Estimates:
    """The estimates without those of questions and crosstabs that have too few reports.

    These have no report in the counts of somebody who sees parts with at least so many.
    """
    if not least:
        return estimates
    questions = tuple(each for each in estimates.questions if each.reports)
    shown = {each.question for each in questions}
    by_group = estimates.by_group and replace(
        estimates.by_group,
        questions=tuple(each for each in estimates.by_group.questions if each.question in shown),
    )
    crosstabs = tuple(each for each in estimates.crosstabs if each.reports)
    return replace(estimates, questions=questions, crosstabs=crosstabs, by_group=by_group)


def find_by_group(
    study: Study, choices: ResultChoices, merge: Sequence[Sequence[str]], *, by_group: bool = True
) -> Estimates:
    """The estimates of a study, by group too; errors are those of Study.estimate."""
    estimates = study.estimate(
        confidence=choices.confidence, interval=choices.interval, by_group=by_group, merge=merge
    )
    return shown_estimates(estimates, choices.least)


def _quantiles(study: Study, choices: ResultChoices) -> dict[str, Quantiles]:
    found = {}
    for question in study.survey.reported:
        # Its mechanism may reveal only the mean, or there are too few reports.
        with suppress(NotIdentified):
            if question.scale is not Scale.NOMINAL:
                found[question.id] = study.quantiles(
                    question.id, QUARTILES, confidence=choices.confidence
                )
    return found


def _tests(study: Study) -> dict[str, IndependenceTest]:
    found = {}
    for block_id, (first, second) in _pairs(study):
        # If one question decides who is asked the other, they are never independent.
        if not (_leads_to(first, second) or _leads_to(second, first)):
            with suppress(NotIdentified):  # too few reports for a test
                found[block_id] = study.independence(first.id, second.id)
    return found


def _within(study: Study, choices: ResultChoices) -> dict[str, dict[str, Sequence[CellEstimate]]]:
    found = {}
    for block_id, pair in _pairs(study):
        with suppress(NotIdentified):  # no reports
            by_row, by_column = (
                study.crosstab(
                    first.id, second.id, confidence=choices.confidence, interval=choices.interval
                )
                for first, second in (pair, pair[::-1])
            )
            height, cells = len(by_row.rows), by_column.within_rows
            columns = [cell for row in range(height) for cell in cells[row::height]]
            found[block_id] = {"rows": by_row.within_rows, "columns": columns}
    return found


def _pairs(study: Study) -> Iterator[tuple[str, tuple[Question, ...]]]:
    """The id of each crosstab of two questions, and both."""
    for block in study.survey.blocks:
        if len(block.questions) == 2:
            yield block.id, block.questions


def _leads_to(router: Question, question: Question) -> bool:
    """Whether the answer to a question decides who is asked another one."""
    return question.show_if is not None and question.show_if.question == router.id


def _comparisons(study: Study, earlier: Study, choices: ResultChoices) -> dict[str, Comparison]:
    found = {}
    for question in study.survey.reported:
        # It may not be asked in the same way in both, or not yet answered in one.
        with suppress(QuestionNotFound, DifferentQuestions, NotIdentified):
            found[question.id] = compare(
                study,
                earlier,
                question.id,
                confidence=choices.confidence,
                interval=choices.interval,
            )
    return found


def option_rows(
    grouped: GroupedQuestion, plain: QuestionEstimate
) -> dict[str, list[tuple[str, OptionEstimate]]]:
    """For each option, the name of each group and its share.

    Then come "all invited", weighted by group, and ALL_REPORTS, not weighted, of `plain`.
    """
    size = len(grouped.groups) + 1
    shares = list(grouped.shares())
    return {
        option.option: [*shares[index * size : (index + 1) * size], (ALL_REPORTS, option)]
        for index, option in enumerate(plain.options)
    }


def mean_rows(
    grouped: GroupedQuestion, plain: QuestionEstimate
) -> tuple[tuple[str, MeanEstimate], ...]:
    """The name of each group and its mean, then those of all; empty if there is no mean."""
    return (*grouped.means(), (ALL_REPORTS, plain.mean)) if plain.mean else ()
