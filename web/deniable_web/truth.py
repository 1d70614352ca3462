"""The true values of a table of answers, to compare estimates with."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from deniable_analysis.mechanisms.scores import scores
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.routing import follow_routing


@dataclass(frozen=True, slots=True)
class Truth:
    """How many rows gave each answer.

    Args:
        count: how many rows there are.
        answers: by question, how many gave the answer with each index; for a `multiple`
            question, how many chose the option with each index.
        cells: by crosstab, how many gave the joint answer with each index.
    """

    count: int
    answers: Mapping[str, Counter[int]]
    cells: Mapping[str, Counter[int]]

    @classmethod
    def of(cls, survey: PublishedSurvey, rows: Iterable[Mapping[str, object]]) -> "Truth":
        """The truth of these rows; a question that was not reached counts as "no answer".

        Raises:
            InvalidAnswer: a row does not fit; the message never contains an answer.
        """
        answers = {question.id: Counter[int]() for question in survey.reported}
        crosstabs = [block for block in survey.blocks if len(block.questions) > 1]
        cells = {block.id: Counter[int]() for block in crosstabs}
        count = 0
        for row in rows:
            taken = _taken(survey, row)
            for question in survey.reported:
                index = question.encode(taken.get(question.id))
                answers[question.id].update((index,) if isinstance(index, int) else index)
            for block in crosstabs:
                index = block.encode(taken)
                assert isinstance(index, int)  # noqa: S101 - joint answers are one of many
                cells[block.id][index] += 1
            count += 1
        return cls(count, answers, cells)

    def share(self, question: Question, option: str) -> float:
        """The share of the rows whose answer is this option, or contains it."""
        return self.answers[question.id][question.names.index(option)] / self.count

    def cell(self, crosstab: str, index: int) -> float:
        """The share of the rows in a cell of a crosstab."""
        return self.cells[crosstab][index] / self.count

    def mean(self, question: Question) -> float | None:
        """The mean among the rows that answered; None if there are none."""
        shares = self.distribution(question)
        numbers = scores(question)
        if shares is None or numbers is None:
            return None
        return sum(number * share for number, share in zip(numbers, shares, strict=True))

    def distribution(self, question: Question) -> tuple[float, ...] | None:
        """The share of each number among the rows that answered."""
        numbers = scores(question) or ()
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
