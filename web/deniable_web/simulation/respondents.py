"""Answers a survey from a table of true answers, through the SDK; the truth is known.

For planning, teaching and tests. Each row is the answers of one person, and is randomized
as that person's device would do it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deniable_analysis.results.answers import numeric_levels, row_names
from deniable_sdk import DeniableError, InvalidAnswer, PublishedSurvey, Report, randomize
from deniable_sdk.survey.block import in_names
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import NumberQuestion, Question
from deniable_sdk.survey.routing import follow_routing
from deniable_storage.csv_tables import open_table
from deniable_web.simulation.typed_numbers import UnclearNumber, decimal_text

# The syntax of a cell for a `multiple` question.
SEPARATOR = ";"
NONE_OF_THESE = "none"

Answers = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Truth:
    """How many rows gave each answer.

    Args:
        count: how many rows there are.
        answers: by question, how many gave the answer with each index; for a `multiple`
            question, how many chose the option with each index.
        cells: by crosstab, how many gave each combination of answers, by their names.
    """

    count: int
    answers: Mapping[str, Counter[int]]
    cells: Mapping[str, Counter[tuple[str, ...]]]

    @classmethod
    def of(cls, survey: PublishedSurvey, rows: Iterable[Mapping[str, object]]) -> "Truth":
        """The truth of these rows; a question that was not reached counts as "no answer".

        Raises:
            InvalidAnswer: a row does not fit; the message never contains an answer.
        """
        answers = {question.id: Counter[int]() for question in survey.reported}
        crosstabs = [block for block in survey.blocks if block.is_crosstab]
        cells = {block.id: Counter[tuple[str, ...]]() for block in crosstabs}
        count = 0
        for row in rows:
            taken = _taken(survey, row)
            for question in survey.reported:
                index = question.encode(taken.get(question.id))
                answers[question.id].update((index,) if isinstance(index, int) else index)
            for block in crosstabs:
                index = block.encode(taken)
                assert isinstance(index, int)  # noqa: S101 - joint answers are one of many
                joint = zip(block.questions, block.cells[index], strict=True)
                cells[block.id][tuple(in_names(own, row_names(each)) for each, own in joint)] += 1
            count += 1
        return cls(count, answers, cells)

    def share(self, question: Question, option: str) -> float:
        """The share of the rows whose answer is this option, or contains it."""
        return self.answers[question.id][row_names(question).index(option)] / self.count

    def cell(self, crosstab: str, options: tuple[str, ...]) -> float:
        """The share of the rows in a cell of a crosstab."""
        return self.cells[crosstab][options] / self.count

    def mean(self, question: Question) -> float | None:
        """The mean among the rows that answered; None if there are none."""
        shares = self.distribution(question)
        numbers = numeric_levels(question)
        if shares is None or numbers is None:
            return None
        return sum(number * share for number, share in zip(numbers, shares, strict=True))

    def distribution(self, question: Question) -> tuple[float, ...] | None:
        """The share of each number among the rows that answered."""
        numbers = numeric_levels(question) or ()
        counts = [self.answers[question.id][index] for index in range(len(numbers))]
        answered = sum(counts)
        return tuple(count / answered for count in counts) if answered else None


def _taken(survey: PublishedSurvey, row: Mapping[str, object]) -> Mapping[str, object]:
    if not survey.has_routing and not survey.has_scores:
        return row
    for question in survey.answered:
        if row.get(question.id) is not None:
            question.encode(row[question.id])
    return follow_routing(survey, survey.blocks, row)


class UnusableAnswers(DeniableError):
    """A table of answers does not fit the survey; the message contains no answer."""


@dataclass(frozen=True, slots=True)
class SimulatedRespondents:
    """The rows of a CSV file as respondents of a survey.

    A column without a question is ignored. A cell contains an option's id or a number as
    any language writes it; for a `multiple` question, ids separated by ";", or "none" for none
    of the options. An empty cell is "no answer". So is every answer to a question that the
    row's other answers do not lead to.

    Args:
        path: the file, with a line of column names.
        survey: the survey; the columns answer its questions.
        truth: the true values of its rows; there is at least one row.
    """

    path: Path
    survey: PublishedSurvey
    truth: Truth

    @classmethod
    def read(cls, path: Path, survey: PublishedSurvey) -> "SimulatedRespondents":
        """The respondents in a file, every row of it checked.

        Raises:
            UnreadableTable: a column is missing, or the file is no table.
            UnusableAnswers: a row does not fit, there is no row, or an option's id cannot be
                written in a cell; the message names the line.
        """
        if survey.invited:
            raise UnusableAnswers(
                f"{survey.slug} is by invitation, and nobody in {path} has a token; simulate the "
                "same definition without 'invited'"
            )
        for question in survey.answered:
            if question.accepts_several:
                _check_option_ids(path, question)
        with _rows(path, survey) as rows:
            truth = Truth.of(survey, rows)
        if truth.count == 0:
            raise UnusableAnswers(f"{path}: no row after the column names; there is nobody to ask")
        return cls(path, survey, truth)

    def reports(self) -> Iterator[Report]:
        """One report for each row, with new draws in each call."""
        with _rows(self.path, self.survey) as rows:
            for answers in rows:
                yield randomize(self.survey, answers)


def _check_option_ids(path: Path, question: Question) -> None:
    for option in question.option_ids:
        if SEPARATOR in option or option == NONE_OF_THESE or option != option.strip():
            raise UnusableAnswers(
                f"{path}: the option {option!r} of question {question.id!r} cannot be written in "
                f"a cell, where {SEPARATOR!r} and spaces separate options and {NONE_OF_THESE!r} "
                "means none of them; give it another id, and a text"
            )


def _answer(question: Question, cell: str) -> object:
    if cell in ("", NO_ANSWER):
        return None
    if isinstance(question, NumberQuestion):
        return decimal_text(cell) or cell
    if not question.accepts_several:
        return cell
    return [] if cell == NONE_OF_THESE else [part.strip() for part in cell.split(SEPARATOR)]


@contextmanager
def _rows(path: Path, survey: PublishedSurvey) -> Iterator[Iterator[Answers]]:
    """The answers of each row; an error in a row raises one that names its line."""
    questions = survey.answered
    with open_table(path, [question.id for question in questions]) as table:
        try:
            yield (
                {each.id: _answer(each, record[each.id].strip()) for each in questions}
                for record in table.records()
            )
        except (InvalidAnswer, UnclearNumber) as error:
            raise UnusableAnswers(f"{path}:{table.line}: {error}") from None
