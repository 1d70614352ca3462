"""Answering a survey from a table of true answers, through the SDK.

For planning, teaching and tests: the table stands for people. Each row is
randomized as one respondent's device would do it.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deniable_sdk import DeniableError, InvalidAnswer, PublishedSurvey, Report, randomize


class UnusableAnswers(DeniableError):
    """A table of answers does not fit the survey; never says an answer."""


@dataclass(slots=True)
class SimulatedRespondents:
    """The rows of a CSV file as respondents of a survey.

    A column that is no question is left out; an empty cell is "no answer".
    `truth` counts the true answers of the rows randomized so far.
    """

    path: Path
    survey: PublishedSurvey
    truth: dict[str, Counter[str]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.truth = {question.id: Counter() for question in self.survey.questions}
        with self.path.open(encoding="utf-8", newline="") as file:
            columns = next(csv.reader(file), [])
        missing = self.truth.keys() - set(columns)
        if missing:
            raise UnusableAnswers(
                f"{self.path}: no column for {', '.join(sorted(missing))}; the first line must "
                "name a column for every question"
            )

    def __len__(self) -> int:
        """How many rows the file has."""
        with self.path.open(encoding="utf-8", newline="") as file:
            return sum(1 for _ in csv.reader(file)) - 1

    def reports(self) -> Iterator[Report]:
        """One report for each row, randomized by the operating system's randomness.

        Raises:
            UnusableAnswers: a row does not fit; names the line, never an answer.
        """
        with self.path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            for row in rows:
                answers = {question_id: row[question_id] or None for question_id in self.truth}
                try:
                    report = randomize(self.survey, answers)
                    self._count(answers)
                except InvalidAnswer as error:
                    raise UnusableAnswers(f"{self.path}:{rows.line_num}: {error}") from None
                yield report

    def _count(self, answers: Mapping[str, str | None]) -> None:
        for question in self.survey.questions:
            self.truth[question.id][question.domain[question.index(answers[question.id])]] += 1

    def true_share(self, question: str, option: str) -> float:
        """The share of the rows so far whose true answer is this option."""
        counts = self.truth[question]
        return counts[option] / counts.total()
