"""The simulation of a whole survey with many respondents."""

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arguments import check_kind
from deniable_analysis.arrays import Bools
from deniable_analysis.errors import InvalidAnswers
from deniable_analysis.mechanisms.base import Answers
from deniable_analysis.mechanisms.marking import Places, mark_subsets
from deniable_analysis.simulation.block import (
    CHUNK_CELLS,
    check_answers,
    check_generator,
    columns_of,
    draw_rows,
    simulate_values,
)
from deniable_analysis.study import Study
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.block import Block
from deniable_storage.counts import Integers, JointCounts, SurveyCounts
from deniable_storage.tuples import TupleTally
from deniable_storage.values import SupportTally


def simulate_survey(
    survey: PublishedSurvey, answers: Mapping[str, ArrayLike], generator: np.random.Generator
) -> Study:
    """The study of simulated respondents with these answers, ready for estimates.

    Each respondent is asked some of the blocks, which are drawn as on a device.
    The study contains only counts, so memory does not grow with the
    respondents.

    Args:
        survey: published survey.
        answers: for each question of a block (scores are questions too),
            (respondents,) index of the chosen answer among its names; "no
            answer" is the last name. If several answers are allowed,
            (respondents, names) True where one is chosen.
        generator: generator of numpy; use a seed to repeat a simulation.
    Raises:
        InvalidAnswers: the answers to a question are missing, are invalid, or
            differ in number from those to another question.
    """
    allowed = "a published one, such as compile_survey(...) returns"
    check_kind("survey", survey, PublishedSurvey, allowed, InvalidAnswers)
    check_generator(generator)
    simulated = _Simulated(survey, _of_questions(survey, answers), copy.deepcopy(generator))
    counts = simulated.count(generator)
    return Study(survey, 1, lambda _: counts, simulated.joint_counts)


@dataclass(frozen=True, slots=True)
class _Simulated:
    """Simulated respondents whose values can be drawn again from the same state.

    So nothing about a respondent needs to be stored: a later request for the
    joint values of some blocks returns the values that were counted.
    """

    survey: PublishedSurvey
    given: Mapping[str, Answers]
    start: np.random.Generator

    def count(self, generator: np.random.Generator) -> SurveyCounts:
        """The counts of every block."""
        tallies = {block.id: SupportTally(block.mechanism.form) for block in self.survey.blocks}
        for _, columns in self._chunks(generator):
            for tally, values in zip(tallies.values(), columns, strict=True):
                tally.add(values)
        counts = {name: tally.counts() for name, tally in tallies.items()}
        return SurveyCounts(self._respondents, counts)

    def joint_counts(self, blocks: Sequence[Block]) -> JointCounts:
        """The tuples of values of respondents who were asked all of these."""
        indexes = [self.survey.blocks.index(block) for block in blocks]
        tally = TupleTally(tuple(block.mechanism.form for block in blocks))
        for asked, columns in self._chunks(copy.deepcopy(self.start)):
            asked_all: Bools = np.logical_and.reduce(asked[:, indexes], axis=1)
            tally.add([columns[index][asked_all[asked[:, index]]] for index in indexes])
        return tally.joint_counts()

    @property
    def _respondents(self) -> int:
        return len(self.given[self.survey.reported[0].id])

    def _chunks(
        self, generator: np.random.Generator
    ) -> Iterator[tuple[Bools, Sequence[Integers]]]:
        """The respondents asked each block, and the values that they report."""
        survey = self.survey
        columns = sum(columns_of(block.mechanism) for block in survey.blocks)
        rows = max(1, CHUNK_CELLS // columns)
        for start in range(0, self._respondents, rows):
            asked = _draw_asked(survey, min(rows, self._respondents - start), generator)
            yield (
                asked,
                [
                    simulate_values(
                        block.mechanism,
                        _of_block(block, self.given, start + is_asked.nonzero()[0]),
                        generator,
                    )
                    for block, is_asked in zip(survey.blocks, asked.T, strict=True)
                ],
            )


def _of_questions(survey: PublishedSurvey, answers: Mapping[str, ArrayLike]) -> dict[str, Answers]:
    asked = {question.id: question.domain for question in survey.reported}
    allowed = "a mapping from each question to the answers of all respondents"
    check_kind("answers", answers, Mapping, allowed, InvalidAnswers)
    if set(answers) != set(asked):
        raise InvalidAnswers(
            f"answers: got those of {_listed(answers)}; allowed are those of every question of "
            f"survey {survey.slug!r}: {_listed(asked)}"
        )
    given = {
        name: check_answers(domain, answers[name], f"answers: question {name!r}")
        for name, domain in asked.items()
    }
    lengths = {len(each) for each in given.values()}
    if len(lengths) > 1:
        raise InvalidAnswers(
            f"answers: got from {min(lengths)} to {max(lengths)} for a question; allowed are as "
            "many for each as there are respondents"
        )
    return given


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(str, names)) or "no question"


def _draw_asked(survey: PublishedSurvey, rows: int, generator: np.random.Generator) -> Bools:
    """The (respondents, blocks) True where a respondent is asked a block."""
    blocks, asked = len(survey.blocks), survey.asked
    marks = np.zeros((rows, blocks), dtype=np.bool_)
    mark_subsets(marks, Places(blocks, np.asarray), asked, asked, draw_rows(generator, rows))
    return marks


def _of_block(block: Block, given: Mapping[str, Answers], rows: Integers) -> Answers:
    """The answers to a block; with several questions, the last varies fastest."""
    first, *others = block.questions
    joint = given[first.id][rows]
    for question in others:
        joint = joint * question.domain.size + given[question.id][rows]
    return joint
