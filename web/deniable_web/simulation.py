"""Answering a survey from a table of true answers, through the SDK.

For planning, teaching and tests: the table stands for people. Each row is
randomized as one respondent's device would do it.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deniable_sdk import DeniableError, InvalidAnswer, PublishedSurvey, Report, randomize

Answers = Mapping[str, str | None]


class UnusableAnswers(DeniableError):
    """A table of answers does not fit the survey; never says an answer."""


@dataclass(frozen=True, slots=True)
class SimulatedRespondents:
    """The rows of a CSV file as respondents of a survey.

    A column that is no question is left out; an empty cell is "no answer".

    Args:
        path: the file, in UTF-8 with a line of column names.
        survey: whose questions the columns answer.
        truth: how many rows gave each answer, by question and option.
        count: how many rows there are, at least one.
    """

    path: Path
    survey: PublishedSurvey
    truth: Mapping[str, Counter[str]]
    count: int

    @classmethod
    def read(cls, path: Path, survey: PublishedSurvey) -> "SimulatedRespondents":
        """The respondents in a file, every row of it checked.

        Raises:
            UnusableAnswers: a column is missing, a row does not fit, or there
                is none; names the line, never an answer.
        """
        truth = {question.id: Counter[str]() for question in survey.questions}
        count = 0
        with _rows(path, survey) as rows:
            for answers in rows:
                count += 1
                for question in survey.questions:
                    place = question.place(answers[question.id])
                    chosen = (place,) if isinstance(place, int) else place
                    truth[question.id].update(question.names[index] for index in chosen)
        if count == 0:
            raise UnusableAnswers(f"{path}: no row after the column names; there is nobody to ask")
        return cls(path, survey, truth, count)

    def reports(self) -> Iterator[Report]:
        """One report for each row, drawn anew by each call."""
        with _rows(self.path, self.survey) as rows:
            for answers in rows:
                yield randomize(self.survey, answers)

    def true_share(self, question: str, option: str) -> float:
        """The share of the rows whose true answer is this option."""
        return self.truth[question][option] / self.count


def _answers(
    path: Path, table: "csv.DictReader[str]", row: Mapping[str | None, object], ids: list[str]
) -> Answers:
    # The reader puts missing cells as None, and superfluous ones under None.
    if None in row or None in row.values():
        raise UnusableAnswers(
            f"{path}:{table.line_num}: the row has another number of cells than the first line"
        )
    return {name: str(row[name]) or None for name in ids}


@contextmanager
def _rows(path: Path, survey: PublishedSurvey) -> Iterator[Iterator[Answers]]:
    """The answers of each row, with every error of the file said clearly."""
    ids = [question.id for question in survey.questions]
    # Spreadsheets put a byte order mark in front, which utf-8-sig takes away.
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.DictReader(file)
        try:
            missing = sorted(set(ids) - set(table.fieldnames or ()))
            if missing:
                raise UnusableAnswers(
                    f"{path}: no column for {', '.join(missing)}; the first line must name a "
                    "column for every question"
                )
            yield (_answers(path, table, row, ids) for row in table)
        except InvalidAnswer as error:
            raise UnusableAnswers(f"{path}:{table.line_num}: {error}") from None
        except UnicodeDecodeError:
            raise UnusableAnswers(
                f"{path}: not a text in UTF-8; save it in that encoding"
            ) from None
        except csv.Error as error:
            raise UnusableAnswers(f"{path}:{table.line_num}: not a CSV table: {error}") from None
